"""The least value of a function of several variables, met at points."""

import pytest

from tests.exact.helpers import claim
from verifier.evidence import Budget
from verifier.prove.ranges.engine import examine
from verifier.prove.ranges.least_points import least
from verifier.prove.ranges.problem import state
from verifier.timer import worked

SYMBOLS = "x: real; y: real; a: positive; b: positive; t: interval(0, 1)"


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("(x - 2/7)**2 + (y + 5/3)**2 + 1", 1.0),
        ("a/b + b/a", 2.0),
        ("x**4 + y**4 - x*y", -1 / 8),
        ("(a - 3)**2 + (t - 2)**2", 1.0),  # at an end
    ],
)
def test_least(term: str, expected: float) -> None:
    found = claim(f"{term} <= 0", SYMBOLS)
    problem = state(found, found.steps[0].fact)
    left = problem.entries[0].left
    value, point = least(left, problem, problem.names(left), worked() + 5)
    assert float(value) == pytest.approx(expected, abs=1e-6)
    assert all(problem.domains[name].holds(x) for name, x in point.items())


@pytest.mark.parametrize(
    ("says", "gap", "better"),
    [
        ("a*b <= a**2 + b**2", 1 / 2, "(a**2 + b**2)/2"),
        ("x**4 + y**4 >= (x + y)**4/16", 1.0, "(x + y)**4/8"),
        ("x*y/(1 + x**2 + y**4) <= 1", 1 - 2**0.5 / 4, None),  # loose, by an irrational factor
    ],
)
def test_how_loose(says: str, gap: float, better: str | None) -> None:
    found = claim(says, SYMBOLS)
    tightness = examine(found, found.steps[0], Budget(8)).tightness
    assert tightness is not None
    assert tightness.tight is False
    assert float(tightness.gap_high or 0) == pytest.approx(gap, abs=1e-6)
    assert tightness.better == better
