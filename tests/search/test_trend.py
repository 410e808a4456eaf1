"""A bound far above what was searched is not true for that: what grows slowly against it crosses it later."""

import pytest

from verifier.claim.load import load_text
from verifier.evidence import Budget
from verifier.search.engine import examine
from verifier.search.trend import _rises

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
