"""Sums without end by comparison: finite, infinite, and not decided by powers of the index."""

from math import inf

import pytest

from tests.prove.specs import claim
from verifier.evidence import Budget, Finding
from verifier.prove.engine import examine
from verifier.reformulate.endless_sums import with_partial_sums

SYMBOLS = """
a: positive
b: interval(0, 1)
t: real
w: normal()
"""
FINITE = [
    "sum(1/j**2, j, 1, oo) < oo",
    "sum(1/j**(11/10), j, 1, oo) < oo",
    "sum(t/(j**2 + a), j, 1, oo) < oo",
    "sum(1/(j + 1)**2, j, 0, oo) < oo",
    "sum(cos(j)/(j + 2)**2, j, -1, oo) < oo",
    "sum(1 - cos(1/j), j, 1, oo) < oo",
    "sum(j**3*exp(-a*j), j, 1, oo) < oo",
    "sum(b/sqrt(j**3), j, 1, oo) < oo",
]
INFINITE = [
    "sum(1/j, j, 1, oo) < oo",
    "sum(1/j**(9/10), j, 1, oo) < oo",
    "sum(1/(j + a), j, 0, oo) < oo",
    "sum(log(1 + 1/j), j, 1, oo) < oo",
    "sum((2 + sin(j))/j, j, 1, oo) < oo",
    "sum(a, j, 1, oo) < oo",
]
OPEN = [
    "sum(1/(j*log(j + 1)), j, 1, oo) < oo",  # false, between the powers
    "sum(sin(j)/j, j, 1, oo) < oo",  # true, by signs
    "sum(1/(j - 3)**2, j, 1, oo) < oo",  # a term has no value
    "sum(1/j**2, j, 0, oo) < oo",
    "sum(w**2/j, j, 1, oo) < oo",
]


def judged(says: str) -> Finding:
    made = claim(says, SYMBOLS)
    made, step = with_partial_sums(made, made.steps[0])
    return examine(made, step, Budget(2.0))


@pytest.mark.parametrize("says", FINITE)
def test_finite(says: str) -> None:
    found = judged(says)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize("says", INFINITE)
def test_infinite(says: str) -> None:
    found = judged(says)
    assert (found.truth, found.grade) == ("false", "proved"), found
    assert found.counterexample is not None
    assert found.counterexample.lhs == inf
    assert found.counterexample.values.keys() <= {"a"}


@pytest.mark.parametrize("says", OPEN)
def test_open(says: str) -> None:
    assert judged(says).truth == "unknown"


def test_what_is_false_somewhere_is_not_finite() -> None:
    assert judged("sum(b**j, j, 1, oo) < oo").truth == "false"  # at b = 1
    assert judged("sum(t, j, 1, oo) < oo").truth == "false"
    assert judged("sum(1/j**a, j, 1, oo) < oo").truth != "true"
    assert judged("sum(t**j, j, 1, oo) < oo").truth != "true"
