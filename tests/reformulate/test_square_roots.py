"""Psd matrices as squares: the same statement, and none where a root cannot take the matrix's place."""

import pytest

from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.square_roots import with_roots

SPEC = """
theorem: toy/roots
symbols:
  {n: dimension, x: vector(n), y: vector(n), P: psd(n), Q: psd(n), S: symmetric(n), z: "normal(n, cov=Q)"}
assumptions: {small: tr(P) <= 1}
claims:
  c: {says: "%s"}
"""


def rooted(text: str) -> str | None:
    (claim,) = load_text(SPEC % text, "roots.yaml").claims
    instance = with_roots(claim, claim.steps[0])
    if instance is None:
        return None
    assert "P" not in instance.claim.symbols
    assert to_text(instance.claim.assumptions[0].fact) == "tr(P_root.T @ P_root) <= 1"
    return to_text(instance.step.fact)


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("tr(P) >= 0", "tr(P_root.T @ P_root) >= 0"),
        ("inner(x, P @ y) <= 1", "inner(P_root @ x, P_root @ y) <= 1"),
        ("inner(P @ x, y) <= 1", "inner(P_root @ x, P_root @ y) <= 1"),
        ("x.T @ P @ y <= 1", "inner(P_root @ x, P_root @ y) <= 1"),
        ("x.T @ P @ x >= 0", "norm(P_root @ x)**2 >= 0"),
        ("inner(x, P @ P @ x) >= 0", "inner(x, P_root.T @ P_root @ (P_root.T @ P_root) @ x) >= 0"),
    ],
)
def test_forms(claim: str, told: str) -> None:
    assert rooted(claim) == told


@pytest.mark.parametrize(
    "claim", ["tr(S) >= 0", "norm(D(tr(P @ P), P)) >= 0", "tr(Q) >= 0", "sup(tr(P), P) >= 0"]
)
def test_where_there_is_no_root(claim: str) -> None:
    assert rooted(claim) is None
