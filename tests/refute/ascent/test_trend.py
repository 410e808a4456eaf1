"""A bound far above what was searched is not true for that: what grows slowly against it crosses it later."""

import pytest

from verifier.evidence import Budget
from verifier.read.specs.load import load_text
from verifier.refute.ascent.trend import _approaches_zero, _is_geometric, _rises
from verifier.refute.engine import examine

SPEC = """
theorem: toy/trend
symbols: {n: dimension, m: dimension, r: "interval(0, 1)", x: real, v: vector(n)}
claims:
  c: {says: "%s"}
"""


def truth(says: str) -> str:
    (claim,) = load_text(SPEC % says, "trend.yaml").claims
    return examine(claim, claim.steps[0], Budget(2.0)).truth


@pytest.mark.parametrize(
    "says", ["n + m <= 1e5", "n + r*m <= 1e5", "n + m <= 1e5*n", "abs(x)*norm(softmax(v.T)) <= 1e18"]
)
def test_a_bound_that_is_crossed_far_away_is_not_believed(says: str) -> None:
    assert truth(says) != "true"


def test_rises() -> None:
    assert _rises(-0.5, -0.4)  # closer
    assert _rises(-1 + 2e-6, -1 + 4e-6)  # n/10**6, doubled
    assert not _rises(-1 + 2e-6, -1 + 2e-6)
    assert not _rises(-0.3, -0.3 + 1e-6)
    assert not _rises(-5.0, -5.0)  # what is bounded is negative
    assert not _rises(-1.0, -1.0 + 1e-13)  # a rounding error


def test_a_limit_is_known_of_rises_that_shrink_like_a_power() -> None:
    sizes = [2**k for k in range(3, 10)]
    assert _is_geometric([-0.2 - 1 / n for n in sizes])
    assert _is_geometric([-0.2 - 1 / n**0.5 for n in sizes])
    assert not _is_geometric([-1 / (k + 1) for k in range(3, 10)])  # 1/log(n) tends to 0, and never seems to
    assert not _is_geometric([-0.5, -0.4, -0.35])


def test_what_nowhere_moves_is_not_believed() -> None:
    assert truth("exp(-1000*((x - 1.234)**2 + (r - 0.777)**2)) <= 0.5") != "true"


@pytest.mark.parametrize(("beyond", "settles"), [(0.0, True), (-1e-7, True), (1e-7, False)])
def test_a_bound_that_is_crossed_by_a_hair_is_not_approached(beyond: float, settles: bool) -> None:
    steps = [beyond - 1 / s - 3 / s**2 for s in (32, 64, 128, 256, 512, 1024)]
    assert _approaches_zero(steps) is settles


@pytest.mark.parametrize("says", ["sum(1/k, k, 1, n) - log(n) >= 0.5772157", "(1 + 1/n)**n <= 2.7182818"])
def test_what_a_slow_sum_crosses_late_is_not_believed(says: str) -> None:
    assert truth(says) != "true"
