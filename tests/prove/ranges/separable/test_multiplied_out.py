"""Normal forms: the same numbers, and one form for what is equal."""

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from verifier.exact.enclosures.term_calculus import at
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.scalar_terms import Variable
from verifier.prove.ranges.separable.multiplied_out import normal

X, Y, T = Variable("x", True), Variable("y", True), Variable("t")
POSITIVE = st.fractions(Fraction(1, 9), 9, max_denominator=20)
LOG, EXP, ABS = (lambda x, name=name: ar.apply(name, x) for name in ("log", "exp", "abs"))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (X * LOG(X * ar.inverse(Y)), X * LOG(X) - X * LOG(Y)),
        ((X - Y) * (X + Y), X * X - Y * Y),
        (ABS(X * T - Y * T), ABS(Y * T - X * T)),
        (ABS(fmpq(-2) * X * T), fmpq(2) * X * ABS(T)),
        (LOG(EXP(T) * X), T + LOG(X)),
        (EXP(LOG(X) * fmpq(1, 2)), ar.power(X, fmpq(1, 2))),
        (ar.inverse(X * X + X * Y), ar.inverse(X) * ar.inverse(X + Y)),
        (ar.power(ABS(T), fmpq(2)), T * T),
    ],
)
def test_equal_terms_have_one_form(left: object, right: object) -> None:
    assert normal(left) == normal(right)


@pytest.mark.parametrize(
    "term",
    [
        X * LOG(X * ar.inverse(Y)) - ABS(X - Y) * ar.inverse(X + fmpq(2) * Y),
        ar.power(X * T - T, fmpq(3)) * EXP(T - LOG(X)),
        LOG(X * X * Y + X * Y) - ABS(T * X - T) + ar.power(X * X + X * Y, fmpq(1, 2)),
    ],
)
@given(
    x=st.fractions(Fraction(1, 9), 9, max_denominator=20),
    y=st.fractions(Fraction(1, 9), 9, max_denominator=20),
    t=st.integers(-4, 4),
)
def test_the_value_is_kept(term: object, x: Fraction, y: Fraction, t: int) -> None:
    point = {"x": fmpq(x.numerator, x.denominator), "y": fmpq(y.numerator, y.denominator), "t": fmpq(t)}
    gap = enclose(at(normal(term), point)) - enclose(at(term, point))
    assert abs(float(gap.mid())) < 1e-12
