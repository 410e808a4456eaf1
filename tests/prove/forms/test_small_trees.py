"""Small trees: a product that is transposed is written out."""

import pytest

from verifier.expr.nodes import Relation
from verifier.expr.text import to_text
from verifier.prove.forms.small_trees import turned
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/turned
symbols: {A: "matrix(2, 3)", B: "matrix(5, 3)", v: vector(5)}
claims:
  c: {says: "%s == 0"}
"""


@pytest.mark.parametrize(
    ("written", "transposed"),
    [
        ("A", "A.T"),
        ("A.T", "A"),
        ("A @ B.T", "B @ A.T"),
        ("A @ B.T @ v", "v.T @ B @ A.T"),
        ("A @ (B.T @ v)", "v.T @ B @ A.T"),
    ],
)
def test_the_transpose_of_a_product(written: str, transposed: str) -> None:
    (claim,) = load_text(SPEC % written).claims
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    assert to_text(turned(fact.left)) == transposed
