"""Assumptions at points of blocks: matrices compare entry by entry."""

import pytest

from verifier.evidence import Budget
from verifier.prove.engine import examine
from verifier.read.specs.load import load_text

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


ORDERS = """
theorem: toy/orders
symbols: {n: dimension, v: vector(n)}
assumptions: {e: "%s"}
claims:
  c: {says: "%s", where: {n: 200}}
"""


@pytest.mark.parametrize(
    ("assumed", "says"),
    [
        ("all(v[i] in [1, 2], i, 1, n)", "sum(i*v[i], i, 1, n) >= order(1e4)"),
        ("all(v[i] in [0, 1/i], i, 1, n)", "norm(v)**2 <= order(1)"),
        ("all(v[i] in [0, 1/1000], i, 5, n)", "sum(v[i], i, 5, n) <= order(1)"),
        ("all(v[i] in [0, 1/1000], i, 1, n, i >= 5)", "v[7] <= order(1e-3)"),
    ],
)
def test_the_number_of_an_index_is_no_matter_of_classes(assumed: str, says: str) -> None:
    (claim,) = load_text(ORDERS % (assumed, says), "orders.yaml").claims
    assert examine(claim, claim.steps[0], Budget(3.0)).truth != "false"
