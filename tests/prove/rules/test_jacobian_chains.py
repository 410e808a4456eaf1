"""The chain rule for norms of Jacobians, through names."""

import textwrap

import pytest

from verifier.prove.rules.bound_form import bounds_of
from verifier.prove.rules.jacobian_chains import is_chain
from verifier.read.specs.load import load_text

SPEC = """
theorem: test/chains
symbols:
  n: dimension
  d: dimension
  X: matrix(n, d)
  W: matrix(d, d)
  V: matrix(d, d)
  G: matrix(n, d)
  s: positive
  N: normal(n, d, std=s)
let:
  Z: X @ W
  Y: relu(Z) @ V + Z
  S: Y + X @ W
  T: Y * Y
  loss: inner(G, T)
  U: s * X
  R: U * E(norm(N))
claims:
  c: {says: "%s"}
"""


@pytest.mark.parametrize(
    ("says", "chain"),
    [
        ("norm(D(Y, W)) <= norm(D(Y, Z)) * norm(D(Z, W))", True),
        ("norm(D(loss, W))**2 <= norm(D(Y, W))**2 * norm(D(T, Y))**2 * norm(D(loss, T))**2", True),
        ("norm(D(T, Y)) * norm(D(Y, W)) <= norm(D(T, Y)) * norm(D(Y, Z)) * norm(D(Z, W))", True),
        ("norm(D(loss, T))**2 * norm(D(Y, Z))**2 <= norm(D(loss, T))**2 * norm(D(Y, Z))**2", False),
        # S holds W outside of Y too, a link is missing, a power differs, a factor is no Jacobian
        ("norm(D(S, W)) <= norm(D(S, Y)) * norm(D(Y, W))", False),
        ("norm(D(loss, W)) <= norm(D(loss, T)) * norm(D(Y, W))", False),
        ("norm(D(Y, W))**2 <= norm(D(Y, Z))**2 * norm(D(Z, W))", False),
        ("norm(D(Y, W)) <= norm(D(Y, Z)) * norm(X)", False),
        ("norm(D(R, s)) <= norm(D(R, U)) * norm(D(U, s))", False),  # s is in the law of N as well
        ("norm(D(Y, V)) <= norm(D(Y, Z)) * norm(D(Z, W))", False),
    ],
)
def test_only_chains_are_chains(says: str, chain: bool) -> None:
    loaded = load_text(textwrap.dedent(SPEC % says))
    assert loaded.claims, loaded.entries
    (bound,) = bounds_of(loaded.claims[0].steps[0].fact)
    assert is_chain(bound.small, bound.large, loaded.claims[0].symbols) is chain
