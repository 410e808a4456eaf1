"""Means compared by what is true at every draw, and means that are not."""

import pytest

from verifier.evidence import Finding
from verifier.kernel.check import TRUST
from verifier.proofs.propose import propose
from verifier.read.specs.load import load_text

SPEC = """
theorem: proofs/everywhere
symbols:
  x: vector(3)
  h: normal(1, 1, std=1)
  w: normal(1, 1, std=1)
  u: uniform(1, 1, 0, 1)
claims:
  says: {says: "%s"}
"""
TRUE = (
    "E(1/(1 + h**2)) <= 1",
    "E(h*tanh(h)) >= 0",
    "E(u*exp(u)) <= exp(1)",
    "E(tanh(h)*h) <= E(h**2)",
    "E(silu(h)) >= -3/10",
    "E((h + w)**2/(1 + (h + w)**2)) <= 1",
)
FALSE = (
    "E(1/(1 + h**2)) <= 1/2",
    "E(h*tanh(h)) >= 1",
    "E(u*exp(u)) <= 1/2",
    "E(silu(h)) >= 1/2",
    "E(u**2) >= E(u)",
    "E(1/h) <= 1",  # no mean
)


def is_proved(says: str) -> bool:
    (claim,) = load_text(SPEC % says).claims
    return TRUST not in propose(claim, claim.steps[0], Finding("test", "true", "proved")).rules


@pytest.mark.parametrize("says", TRUE)
def test_what_is_true_at_every_draw_is_true_in_mean(says: str) -> None:
    assert is_proved(says)


@pytest.mark.parametrize("says", FALSE)
def test_a_mean_that_is_larger(says: str) -> None:
    assert not is_proved(says)
