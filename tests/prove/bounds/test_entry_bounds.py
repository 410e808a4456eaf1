"""Bounds on entries and on second moments of any law, carried through sums."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
d: dimension
c: positive
s: positive
w: simplex(n)
u: vector(n)
v: vector(n)
G: symmetric(n)
X: matrix(n, d)
e: random(n, d, mean=0)
"""
SECOND = """
each: all(E(norm(e[t])**2) <= s**2, t, 1, n)
pairs: all(abs(E(inner(e[t], e[r]))) <= c, t, 1, n, r, 1, n, t != r)
"""
MEAN = "E(norm(sum(w[t] * e[t], t, 1, n))**2)"

CASES = [
    # a claim, a false one beside it, and what is assumed
    ("inner(w, v) <= c", "inner(u, v) <= c", "top: all(v[t] <= c, t, 1, n)"),
    ("inner(w, v) >= -c", "inner(w, v) >= c", "size: all(abs(v[t]) <= c, t, 1, n)"),
    ("abs(inner(w, v)) <= c", "abs(inner(w, v)) <= c/2", "size: all(abs(v[t]) <= c, t, 1, n)"),
    (
        "w.T @ G @ w <= s * norm(w)**2 + c * (1 - norm(w)**2)",
        "w.T @ G @ w <= s * norm(w)**2",
        "on: all(G[t, t] <= s, t, 1, n)\noff: all(G[t, r] <= c, t, 1, n, r, 1, n, t != r)",
    ),
    (
        "sum(w[t] * norm(X[t])**2, t, 1, n) <= c**2",
        "sum(w[t] * norm(X[t])**2, t, 1, n) <= c**2 / 2",
        "rows: all(norm(X[t]) <= c, t, 1, n)",
    ),
    (f"{MEAN} <= s**2 * norm(w)**2 + c * (1 - norm(w)**2)", f"{MEAN} <= s**2 * norm(w)**2", SECOND),
    (f"{MEAN} >= -c * (1 - norm(w)**2)", f"{MEAN} >= s**2 * norm(w)**2 / n", SECOND),
    (f"{MEAN} >= 0", f"{MEAN} > 0", SECOND),
]


@pytest.mark.parametrize(("true", "false", "assume"), CASES)
def test_entries_are_replaced_by_their_bounds(true: str, false: str, assume: str) -> None:
    assert judged(true, SYMBOLS, assume=assume).truth == "true"
    assert judged(false, SYMBOLS, assume=assume, seconds=2).truth != "true"


@pytest.mark.parametrize(
    "says", [true for true, _, assume in CASES if assume != SECOND or "0" not in true][:5]
)
def test_without_the_assumption_nothing_is_shown(says: str) -> None:
    assert judged(says, SYMBOLS, seconds=2).truth != "true"
