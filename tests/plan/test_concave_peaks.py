"""Concave functions that are smooth on the whole line have one peak."""

import pytest

from verifier.expr.elaborate import elaborate
from verifier.expr.nodes import Symbol
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.plan.concave_peaks import is_smooth, stationary_points
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/peaks
symbols: {x: real, y: real, a: positive, b: positive}
claims:
  c: {says: "x == x"}
"""
(CLAIM,) = load_text(SPEC, "peaks.yaml").claims


def tree(text):
    return elaborate(parse(text), CLAIM.scope)


@pytest.mark.parametrize(
    "text", ["a*x - exp(x)", "x**3*y", "log(1 + exp(x))", "x/(a + exp(x))", "sqrt(a + exp(x))", "log(y)"]
)
def test_smooth_on_the_whole_line(text):
    assert is_smooth(CLAIM, tree(text), Symbol("x"))


@pytest.mark.parametrize(
    "text", ["log(x**2) - a*x**2", "1/x", "abs(x)", "relu(x)", "x**0.5", "sqrt(x**2)", "a/(x + y)", "x**a"]
)
def test_pieces_poles_and_kinks_are_not(text):
    assert not is_smooth(CLAIM, tree(text), Symbol("x"))


def test_a_point_has_a_value_wherever_the_right_side_has_one():
    of_positive = [to_text(point) for point in stationary_points(CLAIM, ("a", "b"), tree("a*b"))]
    assert {"log(a)", "-log(b)", "log(a) - log(b)"} <= set(of_positive)
    assert not list(stationary_points(CLAIM, ("y",), tree("y**2")))
    assert list(stationary_points(CLAIM, ("y",), tree("y*log(y)")))
