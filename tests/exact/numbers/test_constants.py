"""Exact constants: one form for equal numbers, and enclosures that agree with mpmath."""

from fractions import Fraction

import mpmath
import pytest
from flint import ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.exact.helpers import FUNCTIONS, claim, close, q, rationals
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import Closed, enclose, sign
from verifier.exact.numbers.refusals import Refusal, Undefined
from verifier.exact.values.compare_at_point import compare


def root(n: int) -> Closed:
    return ar.apply("sqrt", fmpq(n))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (root(2) * root(3), root(6)),
        (root(8), fmpq(2) * root(2)),
        (ar.divide(fmpq(4), fmpq(3) * root(3)), fmpq(4, 9) * root(3)),
        (ar.inverse(fmpq(1) + root(5)), fmpq(1, 4) * (root(5) - fmpq(1))),
        (ar.apply("log", fmpq(12)), fmpq(2) * ar.apply("log", fmpq(2)) + ar.apply("log", fmpq(3))),
        (ar.apply("exp", ar.apply("log", fmpq(6))), fmpq(6)),
        (ar.apply("exp", fmpq(1, 2)) * ar.apply("exp", fmpq(-1, 2)), fmpq(1)),
        (ar.apply("softplus", fmpq(0)), ar.apply("log", fmpq(2))),
        (ar.apply("sigmoid", fmpq(3)) + ar.apply("sigmoid", fmpq(-3)), fmpq(1)),
        (ar.apply("erf", fmpq(2)) + ar.apply("erf", fmpq(-2)), fmpq(0)),
        (ar.apply("Phi", root(2)), fmpq(1, 2) + fmpq(1, 2) * ar.apply("erf", fmpq(1))),
        (ar.apply("sin", ar.PI_VALUE * fmpq(1, 3)), fmpq(1, 2) * root(3)),
        (ar.apply("cos", ar.PI_VALUE), fmpq(-1)),
        (
            ar.power(fmpq(1) + root(2), fmpq(1, 2)) * ar.power(fmpq(1) + root(2), fmpq(1, 2)),
            fmpq(1) + root(2),
        ),
        (ar.inverse(ar.inverse(fmpq(1) + ar.apply("exp", fmpq(1)))), fmpq(1) + ar.apply("exp", fmpq(1))),
        (ar.inverse(ar.power(fmpq(1) + ar.PI_VALUE, fmpq(-2))), ar.power(fmpq(1) + ar.PI_VALUE, fmpq(2))),
    ],
)
def test_equal_numbers_have_one_form(left: object, right: object) -> None:
    assert left - right == 0  # type: ignore[operator]


def test_unequal_numbers_are_told_apart_by_enclosures() -> None:
    assert sign(root(2) + root(3) - root(10)) < 0
    assert sign(ar.PI_VALUE - fmpq(355, 113)) < 0


@pytest.mark.parametrize(("name", "x"), [("log", -1), ("log", 0), ("sqrt", -2), ("factorial", -1)])
def test_what_has_no_value_is_undefined(name: str, x: int) -> None:
    with pytest.raises(Undefined):
        ar.apply(name, fmpq(x))


def test_a_fractional_power_is_not_spread_over_negative_factors() -> None:
    # sin(4) < 0: sqrt(sin(4)**2) is -sin(4), not sin(4).
    wave = ar.apply("sin", fmpq(4))
    value = ar.power(wave * wave, fmpq(1, 2))
    assert enclose(value).overlaps(-enclose(wave))


operations = st.sampled_from(
    ["exp", "log", "sqrt", "erf", "tanh", "sigmoid", "softplus", "sin", "cos", "neg"]
)


@given(rationals, st.lists(st.tuples(operations, rationals), max_size=4))
def test_chains_of_operations_agree_with_mpmath(start: Fraction, steps: list[tuple[str, Fraction]]) -> None:
    ctx.prec = 128
    mpmath.mp.dps = 60
    value, other = q(start), mpmath.mpf(start.numerator) / start.denominator
    try:
        for name, shift in steps:
            value = (-value if name == "neg" else ar.apply(name, value)) + q(shift)
            other = MIRROR[name](other) + mpmath.mpf(shift.numerator) / shift.denominator
        inverse = ar.inverse(value)
    except Refusal:
        return
    if abs(other) > 1e30 or abs(other) < 1e-12:
        return
    assert close(enclose(value), other)
    assert close(enclose(inverse), 1 / other, 1e-20)
    assert close(enclose(ar.power(value, fmpq(3))), other**3, 1e-20)


MIRROR = {**FUNCTIONS, "sqrt": mpmath.sqrt, "neg": lambda u: -u}


def test_texts_are_expressions_of_the_language() -> None:
    shown = str(fmpq(1, 2) - ar.apply("phi", root(2)))
    assert shown == "1/2 - exp(-1)*sqrt(2)/(2*sqrt(pi))"
    (step,) = claim(f"{shown} == 1/2 - phi(sqrt(2))").steps
    assert compare(step.fact, {}).outcome == "true"
