"""Convergence in mean of what has no exact moments."""

from dataclasses import replace

import pytest

from tests.prove.specs import claim, judged
from verifier.evidence import Budget, Finding
from verifier.expr.nodes import Symbol
from verifier.prove.engine import examine

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


SLOPE = "kron(eye(n) / n, eye(n) - ones(n, n) / n)"


@pytest.mark.parametrize(
    ("says", "is_false"),
    [
        (f"limit(E(norm(D(softmax(N), N) - {SLOPE})**2), d, oo) == 0", True),
        (f"limit(E(norm(D(softmax(M), M) - {SLOPE})**2), d, oo) == 0", False),
        (f"limit(E(norm(D(softmax(2 * M), M) - 2 * {SLOPE})**2), d, oo) == 0", False),
    ],
)
def test_a_slope_tends_to_that_of_even_weights_where_the_weights_become_even(
    says: str, is_false: bool
) -> None:
    found = judged(says, SYMBOLS, LET, seconds=20)
    assert (found.truth == "false") is is_false, found
    assert found.grade == "proved" or not is_false


def rated(says: str) -> Finding:
    stated = replace(claim(says, SYMBOLS, LET), growing=(Symbol("d"),))
    return examine(stated, stated.steps[0], Budget(seconds=20))


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(softmax(N) - ones(n, n) / n)**2) <= O(1 / d)",
        "1 / n**2 * E(norm(softmax(N) - ones(n, n) / n)**2) <= O(1 / d**2)",
        "E(norm(softmax(N) - ones(n, n) / n)**2) / n == Theta(1 / sqrt(d))",
    ],
)
def test_what_does_not_vanish_vanishes_at_no_rate(says: str) -> None:
    found = rated(says)
    assert (found.truth, found.grade) == ("false", "proved"), found


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(softmax(N) - ones(n, n) / n)**2) <= O(1)",
        "E(norm(softmax(N) - ones(n, n) / n)**2) <= O(d)",
        "1 / d * E(norm(softmax(N) - ones(n, n) / n)**2) <= O(1 / d)",
        "-E(norm(softmax(N) - ones(n, n) / n)**2) <= O(1 / d)",
        "E(norm(softmax(M) - ones(n, n) / n)**2) <= O(1 / d)",
    ],
)
def test_other_rates_are_not_refuted_by_it(says: str) -> None:
    assert rated(says).truth != "false"
