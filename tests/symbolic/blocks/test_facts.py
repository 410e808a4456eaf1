"""Assumptions at points of blocks: matrices compare entry by entry."""

import pytest

from verifier.claim.load import load_text
from verifier.evidence import Budget
from verifier.symbolic.engine import examine

SPEC = """
theorem: toy/facts
symbols: {n: dimension, C: "matrix(n, n)"}
assumptions: {e: "%s"}
claims:
  c: {says: "%s"}
"""


@pytest.mark.parametrize(
    ("assumed", "says", "truth"),
    [
        ("C @ C == zeros(n, n)", "norm(C @ C) <= norm(C)**2", "true"),
        ("C @ C == C", "norm(C) >= 1", "false"),
        ("C.T == C", "norm(C) >= 1", "false"),
    ],
)
def test_equations_between_matrices(assumed: str, says: str, truth: str) -> None:
    (claim,) = load_text(SPEC % (assumed, says), "facts.yaml").claims
    assert examine(claim, claim.steps[0], Budget(5.0)).truth == truth
