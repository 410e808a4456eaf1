"""The closed form of the side of a bound that has means in it, where the other side has none."""

import pytest

from verifier.evidence import Budget
from verifier.prove.engine import examine
from verifier.read.specs.load import load_text

SPEC = """
theorem: test/sides
symbols: {d: dimension, s: positive, S: psd(d), A: "matrix(d, d)", w: "normal(d, std=s)"}
claims: {c: {says: "%s"}}
"""


@pytest.mark.parametrize(
    ("says", "lhs", "rhs"),
    [
        ("Var(w.T @ S @ w) <= 2*d*s**4*norm(S, 2)**2", "2*s**4*norm(S)**2", None),
        ("s**2*norm(A, 2)**2 <= E(norm(A @ w)**2)", None, "s**2*norm(A)**2"),
    ],
)
def test_one_side(says: str, lhs: str | None, rhs: str | None) -> None:
    claim = load_text(SPEC % says).claims[0]
    found = examine(claim, claim.steps[0], Budget(2.0))
    assert (found.truth, found.lhs, found.rhs) == ("unknown", lhs, rhs)


def test_the_spectral_norm_of_a_vector_is_its_length() -> None:
    """With A the identity the mean length of w is larger than s."""
    claim = load_text(SPEC % "E(norm(A @ w, 2)) <= s*norm(A, 2)").claims[0]
    assert examine(claim, claim.steps[0], Budget(2.0)).truth == "false"
