"""Independence that the declared laws contradict, with the exact gap."""

from fractions import Fraction

import pytest

from verifier.claim.model import Assumption, Claim
from verifier.exact.values.compare_at_point import compare
from verifier.expr.elaborate import elaborate
from verifier.expr.nodes import Relation
from verifier.expr.syntax import parse
from verifier.plan.violations import independence_gap
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Ready
from verifier.read.specs.make_claim import build

SPEC = """
theorem: run/violations
symbols:
  n: dimension
  d: dimension
  s: positive
  X: normal(n, d, std=s)
  Y: normal(n, d, std=1)
  R: rademacher(n, d)
assumptions:
  apart: independent({f}, {g})
claims:
  c: {{says: s == s}}
"""


def relaxed(f: str, g: str) -> tuple[Claim, Assumption]:
    (entry,) = load_text(SPEC.format(f=f, g=g)).entries
    assert isinstance(entry, Ready), entry
    (assumption,) = entry.claim.assumptions
    return build(entry.draft.without("apart")), assumption


def test_powers_of_one_matrix_are_not_independent() -> None:
    claim, assumption = relaxed("norm(X)**2", "norm(X)**2")
    gap = independence_gap(claim, assumption, 2.0)
    assert gap is not None
    stated, wrong = (elaborate(parse(text), claim.scope) for text in ("2*n*d*s**4", "2*n*d*s**2"))
    point = {"n": Fraction(2), "d": Fraction(3), "s": Fraction(5)}
    found = elaborate(parse(gap), claim.scope)
    assert compare(Relation("==", found, stated), point).outcome == "true"
    assert compare(Relation("==", found, wrong), point).outcome == "false"


@pytest.mark.parametrize(
    ("f", "g"),
    [
        ("norm(X)**2", "norm(Y)**2"),  # independent as declared
        ("norm(R)**2", "norm(R)**4"),  # both constant
        ("X[1, 1]", "X[1, 2]"),  # other entries
    ],
)
def test_what_is_independent_is_not_called_violated(f: str, g: str) -> None:
    assert independence_gap(*relaxed(f, g), 2.0) is None


@pytest.mark.parametrize(
    ("f", "g", "stated"),
    [
        ("X[1, 1]", "X[1, 1]**2", "2*s**4"),  # uncorrelated, and Cov(f**2, g) is not 0
        ("norm(X)", "norm(X)", "2*n*d*s**4"),  # of norms the squares have a closed form
    ],
)
def test_powers_show_what_a_correlation_does_not(f: str, g: str, stated: str) -> None:
    claim, assumption = relaxed(f, g)
    gap = independence_gap(claim, assumption, 4.0)
    assert gap is not None
    point = {"n": Fraction(2), "d": Fraction(3), "s": Fraction(5)}
    found, true = (elaborate(parse(text), claim.scope) for text in (gap, stated))
    assert compare(Relation("==", found, true), point).outcome == "true"
