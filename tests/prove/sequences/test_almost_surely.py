"""Almost-sure convergence: summable moments, continuous mappings, and what must not be believed."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
n: dimension
a: positive
x: vector(n)
y: normal()
z: normal(d)
e: iid(d, mean=0, var=1)
W: normal(n, d)
"""
LET = """
M: x @ (z.T @ W.T) / d
N: W @ z / sqrt(d)
"""

TRUE = [
    "P(limit(z.T @ ones(d) / d, d, oo) == 0) == 1",
    "P(limit(norm(z)**2 / d, d, oo) == 1) == 1",
    "1 == P(limit(norm(z) / d, d, oo) == 0)",
    "P(limit(norm(z) / sqrt(d), d, oo) == 1) == 1",
    "P(limit(2 * norm(W.T @ x) / sqrt(d), d, oo) == 2 * norm(x)) == 1",
    "P(limit(sqrt(norm(z)**2 / d), d, oo) == 1) == 1",
    "P(limit(y + z[1] / d, d, oo) == y) >= 1",
    "P(limit(M, d, oo) == zeros(n, n)) == 1",
    "P(limit(softmax(M), d, oo) == ones(n, n) / n) == 1",
    "P(limit(norm(tanh(M))**2 + a, d, oo) == a) == 1",
    "P(limit(softmax(a * ones(n, n) + M), d, oo) == ones(n, n) / n) == 1",
]
FALSE = [
    "P(limit(norm(z)**2, d, oo) == 0) == 1",
    "P(limit(norm(z)**2 / d, d, oo) == 2) == 1",
    "P(limit(norm(z) / sqrt(d), d, oo) == 0) == 1",
    "P(limit(norm(z) / sqrt(d), d, oo) == 2) == 1",
    "P(limit(norm(W.T @ x) / sqrt(d), d, oo) == norm(x)**2) == 1",
    "P(limit(z.T @ ones(d) / sqrt(d), d, oo) == 0) == 1",
    "P(limit(y + z[1] / d, d, oo) == 0) == 1",
    "P(limit(N, d, oo) == zeros(n)) == 1",
    "P(limit(softmax(M), d, oo) == ones(n, n) / (2*n)) == 1",
    "P(limit(softmax(N.T), d, oo) == ones(n).T / n) == 1",  # N tends to a Gaussian, not to 0
]
OPEN = [
    "P(limit(-norm(z) / sqrt(d), d, oo) == 1) == 1",  # false, and its square says otherwise
    "P(limit(norm(z) / sqrt(d), d, oo) == -1) == 1",
    "P(limit(e.T @ ones(d) / d, d, oo) == 0) == 1",  # needs more moments than are stated
    "P(limit(y / a, a, oo) == 0) == 1",  # a runs through all reals
]


@pytest.mark.parametrize("says", TRUE)
def test_true(says: str) -> None:
    found = judged(says, SYMBOLS, LET, seconds=20)
    assert (found.truth, found.grade) == ("true", "proved"), found
    assert found.derivation


@pytest.mark.parametrize("says", FALSE)
def test_false(says: str) -> None:
    found = judged(says, SYMBOLS, LET, seconds=20)
    assert (found.truth, found.grade) == ("false", "proved"), found
    assert found.counterexample is None or not {"d", "z", "W", "y"} & found.counterexample.values.keys()


@pytest.mark.parametrize("says", OPEN)
def test_open(says: str) -> None:
    found = judged(says, SYMBOLS, LET, seconds=20)
    assert found.truth == "unknown"
    assert found.missing
