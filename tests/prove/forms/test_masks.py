"""Masks of zeros and ones: dropout keeps the mean and scales the second moment."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
p: interval(0, 1)
q: positive
s: positive
x: vector(m)
X: matrix(n, m)
B: bernoulli(n, m, p)
c: bernoulli(n, p)
b: bernoulli(n, q)
W: normal(n, m, std=s)
"""
CLAIMS = [
    ("E(B/p * X) == X", "E(B * X) == X"),
    ("E(norm(B/p * X)**2) == norm(X)**2/p", "E(norm(B/p * X)**2) == norm(X)**2"),
    ("E(norm(B/p * X - X)**2) == (1 - p)/p*norm(X)**2", "E(norm(B/p * X - X)**2) == (1 - p)*norm(X)**2"),
    ("Var(ones(n).T @ c) == n*p*(1 - p)", "Var(ones(n).T @ c) == n*p"),
    ("E((ones(n).T @ c)**2) == n*p + n*(n - 1)*p**2", "E((ones(n).T @ c)**2) == n**2*p**2"),
    (
        "E((ones(n).T @ c)**3) == n*p + 3*n*(n - 1)*p**2 + n*(n - 1)*(n - 2)*p**3",
        "E((ones(n).T @ c)**3) == n*p + n*(n - 1)*p**2 + n*(n - 1)*(n - 2)*p**3",
    ),
    (
        "E(norm(c/p * relu(W @ x))**2) == n*s**2*norm(x)**2/(2*p)",
        "E(norm(c/p * relu(W @ x))**2) == n*s**2*norm(x)**2/2",
    ),
]


@pytest.mark.parametrize(("true", "false"), CLAIMS)
def test_moments(true: str, false: str) -> None:
    assert judged(true, SYMBOLS).truth == "true"
    assert judged(false, SYMBOLS).truth == "false"


def test_a_chance_beyond_one_refutes_nothing() -> None:
    assert judged("E(norm(b)**2) == n*q", SYMBOLS).truth == "true"
    assert judged("E(norm(b)**2) <= n", SYMBOLS).truth != "false"
