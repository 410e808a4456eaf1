"""Bounds on a support that bound moments as well: points that no such law has refute nothing."""

import pytest

from verifier.read.specs.load import load_text
from verifier.reformulate.bounded_supports import unmet

SPEC = """
theorem: toy/supports
symbols: {n: dimension, m: real, c: positive, z: "random(mean=m)", y: "iid(n, mean=0, var=1)", v: "random()",
  u: "iid(n, mean=0, var=1/n)"}
assumptions: {s: "%s"}
claims:
  c: {says: "c >= 1"}
"""


def said(assumption: str) -> str | None:
    (claim,) = load_text(SPEC % assumption, "supports.yaml").claims
    return unmet(claim)


@pytest.mark.parametrize(
    "assumption", ["z <= c", "z <= 1", "all(abs(y[i]) <= c, i, 1, n)", "all(abs(u[i]) <= 1/2, i, 1, n)"]
)
def test_moments_that_are_tied(assumption: str) -> None:
    assert said(assumption) is not None


@pytest.mark.parametrize(
    "assumption", ["all(abs(y[i]) <= 1, i, 1, n)", "v <= c", "E(z) <= c", "m <= c", "E(y[1]**4) <= c"]
)
def test_moments_that_are_not(assumption: str) -> None:
    """Of a law whose moments are not stated any is possible; what is said of means is no bound on values."""
    assert said(assumption) is None
