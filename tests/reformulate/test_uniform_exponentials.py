"""Means of exponentials of a uniform number, against quadrature; no value is lost at a slope of 0."""

from fractions import Fraction

import mpmath
import pytest

from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.read.specs.load import load_text
from verifier.reformulate.uniform_exponentials import keeps_limits, mean_of_exponential

SPEC = """
theorem: claim/generating
symbols:
  d: dimension
  a: real
  c: real
  low: real
  u: uniform(-1, 2)
  v: uniform(0, 1)
  w: uniform(low, 3)
  U: uniform(d, -1, 2)
claims:
  c: {says: "%s"}
"""
A, C = Fraction(3, 5), Fraction(-7, 4)


def fact(text: str):
    (claim,) = load_text(SPEC % text).claims
    return claim, claim.steps[0].fact


def mean(text: str, at_limits: bool = True) -> float | None:
    claim, found = fact(f"E({text}) == 0")
    assert isinstance(found.left, N.Expectation)
    value = mean_of_exponential(claim, found.left.body, at_limits)
    if value is None:
        return None
    ((exact,),) = evaluate(value, {"a": A, "c": C}, Context.of(claim))
    return float(enclose(exact).mid())


@pytest.mark.parametrize(
    ("text", "exponent"),
    [
        ("exp(c*u)", lambda t: C * t),
        ("exp(a - c*u/2)", lambda t: -C * t / 2 + A),
        ("exp(-(3*u - a - u)*c)", lambda t: -(2 * t - A) * C),
        ("exp(U[2]/a)", lambda t: t / A),
    ],
)
def test_means_are_integrals(text: str, exponent) -> None:
    integral = mpmath.quad(lambda t: mpmath.exp(exponent(t)), [-1, 2]) / 3
    assert mean(text) == pytest.approx(float(integral), rel=1e-12)


@pytest.mark.parametrize(
    "text", ["exp(c*u**2)", "exp(u*v)", "exp(c*w)", "exp(u - u)", "exp(c*u - c*u)", "c*u"]
)
def test_what_is_no_line_in_one_number_is_left_alone(text: str) -> None:
    assert mean(text) is None


def test_a_slope_that_may_be_zero_needs_a_relation_that_limits_keep() -> None:
    assert mean("exp(c*u)", at_limits=False) is None
    assert mean("exp(3*u)", at_limits=False) is not None
    assert keeps_limits(fact("E(exp(c*u)) >= 1")[1])
    assert keeps_limits(fact("E(exp(c*u)) in [0, 1]")[1])
    assert not keeps_limits(fact("E(exp(c*u)) > 1")[1])  # at c = 0 it is 1
    assert not keeps_limits(fact("E(exp(c*u)) >= P(c*u >= 0)")[1])


def test_a_slope_that_is_zero_wherever_the_claim_speaks_is_left_alone() -> None:
    given = SPEC.replace("c: {says", "c: {where: {c: 0}, says")
    assumed = SPEC.replace("claims:", "assumptions: {none: c == 0}\nclaims:")
    for spec in (given, assumed):
        (claim,) = load_text(spec % "E(exp(c*u)) == 1").claims
        left = claim.steps[0].fact.left
        assert mean_of_exponential(claim, left.body, at_limits=True) is None
