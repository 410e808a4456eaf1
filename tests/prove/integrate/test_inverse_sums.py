"""Rows divided by their own length, also inside sums over rows, and many such layers."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
X: matrix(m, n)
V: normal(n, n, std=1/sqrt(n))
B: bernoulli(m, n, 1/2)
"""
TWO = "two: n >= 2"
CLAIMS = {
    "norm(layernorm(X))**2 == n*m": "norm(layernorm(X))**2 == (n - 1)*m",
    "E(norm(X + layernorm(X) @ V)**2) == norm(X)**2 + n*m": "E(norm(X + layernorm(X) @ V)**2) == norm(X)**2",
    "E(norm(layernorm(X @ V))**2) == n*m": "E(norm(layernorm(X @ V))**2) == norm(X)**2",
    "E(norm(relu(layernorm(X) @ V))**2) == n*m/2": "E(norm(relu(layernorm(X) @ V))**2) == n*m",
    "norm(D(rmsnorm(X), X))**2 == n*(n - 1)*sum(1/norm(X[i])**2, i, 1, m)": (
        "norm(D(rmsnorm(X), X))**2 == n**2*sum(1/norm(X[i])**2, i, 1, m)"
    ),
}


@pytest.mark.parametrize(("says", "sibling"), CLAIMS.items())
def test_rows(says: str, sibling: str) -> None:
    assert judged(says, SYMBOLS, assume=TWO).truth == "true"
    assert judged(sibling, SYMBOLS, assume=TWO).truth == "false"


def test_rows_that_may_vanish_have_no_mean() -> None:
    """With a mask, a row is zero with positive probability, and its direction is not defined."""
    assert judged("E(norm(rmsnorm(B*X))**2) == n*m", SYMBOLS).truth != "true"
