"""Spectral norms of projections and of the Jacobians of normalisations, with wrong siblings."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
s: positive
x: vector(n)
y: vector(m)
w: normal(1, n, std=s)
Q: orthogonal(n)
"""
CENTRED = "norm(x - ones(n, n)/n @ x)"
TRUE = {
    "norm(D(rmsnorm(x.T), x), 2) == sqrt(n)/norm(x)": "n >= 2",
    f"norm(D(layernorm(x.T), x), 2) == sqrt(n)/{CENTRED}": "n >= 3",
    "E(norm(D(rmsnorm(w), w), 2)**2) == n/(s**2*(n - 2))": "n >= 3",
    "E(norm(D(layernorm(w), w), 2)**2) == n/(s**2*(n - 3))": "n >= 4",
    "norm(eye(n) - ones(n, n)/n, 2) == 1": "n >= 2",
    "norm(x @ y.T, 2) == norm(x)*norm(y)": "n >= 1",
    "norm(s*Q, 2) == s": "n >= 1",
    "norm(D(x @ y.T, x), 2) == norm(y)": "n >= 1",
}
FALSE = {
    "norm(D(rmsnorm(x.T), x), 2) == 1/norm(x)": ("n >= 2", "sqrt(n)/norm(x)"),
    "norm(D(rmsnorm(x.T), x))**2 == n**2/norm(x)**2": ("n >= 1", "n*(n - 1)/norm(x)**2"),
    f"norm(D(layernorm(x.T), x))**2 == n*(n - 1)/{CENTRED}**2": ("n >= 2", f"n*(n - 2)/{CENTRED}**2"),
    "E(norm(D(rmsnorm(w), w), 2)**2) == n/(s**2*(n - 1))": ("n >= 3", "n/(s**2*(n - 2))"),
}


@pytest.mark.parametrize("says", TRUE)
def test_equal(says: str) -> None:
    found = judged(says, SYMBOLS, assume=f"long: {TRUE[says]}")
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize("says", FALSE)
def test_corrected(says: str) -> None:
    assume, right = FALSE[says]
    found = judged(says, SYMBOLS, assume=f"long: {assume}")
    assert (found.truth, found.corrected) == ("false", right), found
    assert found.counterexample is not None


@pytest.mark.parametrize(
    ("says", "assume"),
    [
        ("norm(D(rmsnorm(x.T), x), 2) == sqrt(n)/norm(x)", "n >= 1"),  # 0 for one entry
        (f"norm(D(layernorm(x.T), x), 2) == sqrt(n)/{CENTRED}", "n >= 2"),  # 0 for two
        ("norm(eye(n) - ones(n, n)/n, 2) == 1", "n >= 1"),
    ],
)
def test_what_may_be_zero_is_not_divided_by(says: str, assume: str) -> None:
    assert judged(says, SYMBOLS, assume=f"long: {assume}", seconds=4.0).truth != "true"
