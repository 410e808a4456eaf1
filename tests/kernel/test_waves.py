"""Means of sines and cosines of linear functions of normal draws, and what looks like them."""

import pytest

from verifier.evidence import Finding
from verifier.kernel.check import TRUST
from verifier.proofs.propose import propose
from verifier.read.specs.load import load_text

SPEC = """
theorem: kernel/waves
symbols:
  n: dimension
  d: dimension
  s: positive
  t: real
  b: real
  x: vector(d)
  y: vector(d)
  g: normal(d, 1, std=1)
  w: normal(d, 1, std=s)
  h: normal(1, 1, std=1)
  W: normal(n, d, std=s)
  e: rademacher(1, 1)
  z: iid(1, 1, mean=0, var=1)
claims:
  says: {says: "%s"}
"""

TRUE = (
    "E(cos(t*h)) == exp(-t**2/2)",
    "E(cos(inner(g, x))) == exp(-norm(x)**2/2)",
    "E(sin(inner(g, x))) == 0",
    "E(sin(h + t)) == sin(t)*exp(-1/2)",
    "E(h*sin(t*h)) == t*exp(-t**2/2)",
    "E(h**2*cos(t*h)) == (1 - t**2)*exp(-t**2/2)",
    "E(cos(h)**2) == (1 + exp(-2))/2",
    "Var(cos(t*h)) == (1 - exp(-t**2))**2/2",
    "D(E(cos(t*h)), t) == -t*exp(-t**2/2)",
    "E(cos(inner(w, x))*cos(inner(w, y)) + sin(inner(w, x))*sin(inner(w, y))) == exp(-s**2*norm(x - y)**2/2)",
    "E(norm(cos(W @ x))**2) == n*(1 + exp(-2*s**2*norm(x)**2))/2",
    "E(sum(cos(W[i] @ x), i, 1, n)**2)"
    " == n*(1 + exp(-2*s**2*norm(x)**2))/2 + n*(n - 1)*exp(-s**2*norm(x)**2)",
)
FALSE = (
    "E(cos(t*h)) == exp(-t**2)",
    "E(cos(h)**2) == exp(-1)",
    "E(h*sin(t*h)) == t*exp(-t**2)",
    "E(sin(h + t)) == sin(t)",
    "E(h*cos(t*h)) == t",
    "E(cos(inner(w, x))*cos(inner(w, y))) == exp(-s**2*norm(x - y)**2/2)",
    "Var(cos(t*h)) == (1 - exp(-t**2))/2",
    "E(norm(cos(W @ x))**2) == n/2",
    "E(sum(cos(W[i] @ x), i, 1, n)**2) == n**2*exp(-s**2*norm(x)**2)",
    "E(cos(t*e)) == exp(-t**2/2)",  # another law with these moments
    "E(cos(t*z)) == exp(-t**2/2)",
    "E(cos(h**2)) == exp(-1/2)",
    "E(cos(b*h)*sin(h)) == exp(-b**2)",
)


def is_proved(says: str) -> bool:
    (claim,) = load_text(SPEC % says).claims
    return TRUST not in propose(claim, claim.steps[0], Finding("test", "true", "proved")).rules


@pytest.mark.parametrize("says", TRUE)
def test_the_mean_of_a_wave(says: str) -> None:
    assert is_proved(says)


@pytest.mark.parametrize("says", FALSE)
def test_what_is_no_mean_of_a_wave(says: str) -> None:
    assert not is_proved(says)
