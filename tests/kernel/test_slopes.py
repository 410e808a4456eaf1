"""Means of a normal number times smooth functions of it, by means of slopes, and what looks like them."""

import pytest

from verifier.evidence import Finding
from verifier.kernel.check import TRUST
from verifier.proofs.propose import propose
from verifier.read.specs.load import load_text

SPEC = """
theorem: kernel/slopes
symbols:
  d: dimension
  s: positive
  t: real
  g: normal(d, 1, std=s)
  h: normal(1, 1, std=1)
  m: normal(1, 1, mean=t, std=s)
  u: uniform(1, 1, -1, 1)
claims:
  says: {says: "%s"}
"""
TRUE = (
    "E(g[1]*tanh(g[1])) == s**2*E(1 - tanh(g[1])**2)",
    "E(h*tanh(h)) == 1 - E(tanh(h)**2)",
    "E(h*sigmoid(h)) == E(sigmoid(h)*(1 - sigmoid(h)))",
    "E(h*softplus(h)) == 1/2",
    "E(m*tanh(m)) == t*E(tanh(m)) + s**2*E(1 - tanh(m)**2)",
    "E(h**2*tanh(h)**2) == E(tanh(h)**2) + E(D(D(tanh(h)**2, h), h))",
    "E(inner(g, tanh(g))) == d*s**2*E(1 - tanh(g[1])**2)",
    "E(h*tanh(t*h)) == t*E(1 - tanh(t*h)**2)",
    "E(silu(h)) == E(D(sigmoid(h), h))",
)
FALSE = (
    "E(h*tanh(h)) == 1",
    "E(g[1]*tanh(g[1])) == E(1 - tanh(g[1])**2)",
    "E(u*tanh(u)) == E(1 - tanh(u)**2)/3",
    "E(m*tanh(m)) == s**2*E(1 - tanh(m)**2)",
    "E(h**2*tanh(h)**2) == E(tanh(h)**2)",
    "E(h*sigmoid(h)) == E(sigmoid(h))",
)


def is_proved(says: str) -> bool:
    (claim,) = load_text(SPEC % says).claims
    return TRUST not in propose(claim, claim.steps[0], Finding("test", "true", "proved")).rules


@pytest.mark.parametrize("says", TRUE)
def test_a_factor_becomes_a_slope(says: str) -> None:
    assert is_proved(says)


@pytest.mark.parametrize("says", FALSE)
def test_a_slope_that_is_another(says: str) -> None:
    assert not is_proved(says)
