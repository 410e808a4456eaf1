"""Means over boxes and by primitives, against integrals that are known."""

from fractions import Fraction

import pytest

from verifier import load_text
from verifier.expr import nodes as N
from verifier.reformulate.primitives import mean_by_primitive
from verifier.reformulate.uniform_polynomials import mean_over_box


def claim(text, more=""):
    spec = f"""
    theorem: tests/boxes
    symbols:
      n: dimension
      c: real
      v: uniform(0, 1)
      w: uniform(0, 1)
      p: uniform(-1, 3)
      s: uniform(3, 0, 1)
      g: normal()
    {more}
    claims:
      one: {{says: "E({text}) == 0"}}
    """
    (found,) = load_text(spec).claims
    return found, found.steps[0].fact.left.body


@pytest.mark.parametrize(
    ("text", "mean"),
    [
        ("max(v, w)", Fraction(2, 3)),
        ("max(v, w)**2", Fraction(1, 2)),
        ("abs(v - 2*w)", Fraction(2, 3)),
        ("relu(p)", Fraction(9, 8)),
        ("abs(p)*v", Fraction(5, 8)),
        ("min(min(s[1], s[2]), s[3])", Fraction(1, 4)),
        ("max(max(s[1], s[2]), s[3])**2", Fraction(3, 5)),
        ("indicator(v + w <= 1/2)", Fraction(1, 8)),
        ("indicator(v <= v)", Fraction(1)),
        ("indicator(s[1] + s[2] + s[3] <= 1)", Fraction(1, 6)),
        ("abs(abs(v - w) - 1/2)", Fraction(1, 4)),
    ],
)
def test_the_mean_of_a_piecewise_polynomial_is_exact(text, mean):
    assert mean_over_box(*claim(text)) == N.Number(mean)


@pytest.mark.parametrize("text", ["max(v, c)", "max(v, g)", "max(v**2, w)", "v*w", "max(v, w)/v"])
def test_what_is_no_such_function_is_left_alone(text):
    assert mean_over_box(*claim(text)) is None


def test_a_variable_that_an_assumption_bounds_has_another_law():
    assert mean_over_box(*claim("max(v, w)", "assumptions: {half: v <= 1/2}")) is None


@pytest.mark.parametrize("text", ["1/v", "log(p)", "sqrt(p)", "1/p", "log(v - 1/2)", "1/v**2", "log(v + w)"])
def test_no_primitive_across_a_pole_or_where_it_is_not_defined(text):
    assert mean_by_primitive(*claim(text)) is None
