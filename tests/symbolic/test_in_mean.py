"""Convergence in mean of what has no exact moments."""

import pytest

from tests.symbolic.specs import judged

SYMBOLS = """
d: dimension
n: dimension
x: vector(n)
z: normal(d)
W: normal(n, d)
"""
LET = """
M: x @ (z.T @ W.T) / d
N: x @ (z.T @ W.T) / sqrt(d)
"""


@pytest.mark.parametrize(
    "says",
    [
        "limit(E(norm(softmax(N) - ones(n, n) / n)**2), d, oo) == 0",
        "0 == limit(E(norm(softmax(N) - ones(n, n) / n)), d, oo)",
        "limit(E(norm(softmax(M * d) - ones(n, n) / n)**2), d, oo) == 0",  # the scores grow without bound
    ],
)
def test_scores_that_stay_do_not_become_uniform(says: str) -> None:
    found = judged(says, SYMBOLS, LET, seconds=20)
    assert (found.truth, found.grade) == ("false", "proved"), found
    assert found.counterexample is not None
    assert "d" not in found.counterexample.values


@pytest.mark.parametrize(
    "says",
    [
        "limit(E(norm(softmax(M) - ones(n, n) / n)**2), d, oo) == 0",
        "limit(E(norm(softmax(N / d) - ones(n, n) / n)**2), d, oo) == 0",
    ],
)
def test_scores_that_vanish_are_not_refuted(says: str) -> None:
    assert judged(says, SYMBOLS, LET, seconds=20).truth != "false"
