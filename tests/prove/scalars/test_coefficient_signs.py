"""Signs by coefficients: never stronger than the truth at any point of the span."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.quadratic_squares import is_sum_of_squares
from verifier.prove.scalars.real_roots import sign_on_line
from verifier.prove.scalars.symbol_ranges import Span, symbol

SPANS = {
    "n": Span(integer=True, low=Fraction(1)),
    "s": Span(low=Fraction(0), open_low=True),
    "y": Span(low=Fraction(0), high=Fraction(1)),
    "x": Span(),
}
n, s, y, x = (symbol(name, SPANS[name]) for name in "nsyx")


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (n - 1, "nonnegative"),
        (n * s, "positive"),
        (1 - y, "nonnegative"),
        (2 - y, "positive"),
        (y * (1 - y), "nonnegative"),
        (x**2 + 1, "positive"),
        (x**2, "nonnegative"),
        (-n, "negative"),
        (n - 2, None),
        (x, None),
        (sp.log(n + 1) - sp.log(n), "positive"),
        (s + 2 - sp.sqrt(2), "positive"),
        (s + 1 - sp.sqrt(2), None),
        ((2 - sp.sqrt(2)) * s - s / 2, "positive"),
        ((2 - sp.sqrt(2)) * s - s, "negative"),
        (2 * y - sp.sqrt(2) * y, "nonnegative"),
    ],
)
def test_signs(expr, expected):
    assert sign(expr, SPANS) == expected


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4), st.fractions(0, 1), st.integers(1, 6))
def test_a_sign_is_true_at_every_point(c, at_y, at_n):
    expr = c[0] + c[1] * n + c[2] * y + c[3] * n * y
    value = expr.subs({n: at_n, y: sp.Rational(at_y.numerator, at_y.denominator)})
    match sign(expr, SPANS):
        case "positive":
            assert value > 0
        case "nonnegative":
            assert value >= 0
        case "negative":
            assert value < 0
        case "nonpositive":
            assert value <= 0
        case "zero":
            assert value == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=4, max_size=4), st.fractions(-5, 5, max_denominator=20))
def test_real_roots_agree_with_values(c, at):
    expr = c[0] + c[1] * x + c[2] * x**2 + c[3] * x**3
    if x not in expr.free_symbols:
        return
    value = expr.subs(x, sp.Rational(at.numerator, at.denominator))
    found = sign_on_line(expr, SPANS)
    assert found != "positive" or value > 0
    assert found != "nonnegative" or value >= 0
    assert found != "negative" or value < 0
    assert found != "nonpositive" or value <= 0


def test_sums_of_squares():
    a, b = sp.symbols("a b", real=True)
    assert is_sum_of_squares(sp.expand((a - 2 * b + 1) ** 2 + 3 * b**2))
    assert is_sum_of_squares(a**2 - a * b + b**2)
    assert not is_sum_of_squares(a**2 - 3 * a * b + b**2)
    assert not is_sum_of_squares(a * b)
    assert not is_sum_of_squares(a**2 + b)


def test_completed_squares_are_not_called_positive_where_they_vanish():
    n, s, t = (symbol(name, span) for name, span in SQUARES.items())
    spread = n**2 * s**4 - 2 * n * s**2 * t**2 + 4 * s**2 * t**2 + t**4
    assert sign(spread, SQUARES) == "positive"
    inside = s**2 - 2 * s * n + n**2 + (n - 2) ** 2  # 0 at n = s = 2
    assert sign(sp.expand(inside), SQUARES) != "positive"
    assert sign(sp.expand((s - n) ** 2), SQUARES) != "positive"


SQUARES = {
    "n": Span(integer=True, low=Fraction(1)),
    "s": Span(low=Fraction(0), open_low=True),
    "t": Span(low=Fraction(0), open_low=True),
}


def test_exponentials_are_at_least_one_where_their_exponents_are_not_negative():
    n, s, _ = (symbol(name, span) for name, span in SQUARES.items())
    assert sign(n * (sp.exp(s) - 1), SQUARES) == "positive"
    assert sign(sp.exp(2 * s) - sp.exp(s), SQUARES) == "positive"
    assert sign(1 - sp.exp(-s), SQUARES) == "positive"
    assert sign(sp.exp(s) - 2, SQUARES) is None
    assert sign(sp.exp(s) - 1 - s, SQUARES) not in ("negative", "nonpositive")


def test_signs_of_sums_with_one_root():
    root = sp.sqrt(4 * n**2 + 8 * n + 13)
    assert sign(root - 2 * n - 1, SPANS) == "positive"
    assert sign(2 * n + 1 - root, SPANS) == "negative"
    assert sign(root + n, SPANS) == "positive"
    assert sign(2 * n + 10 - root, SPANS) == "positive"
    assert sign(root - 3 * n, SPANS) is None
