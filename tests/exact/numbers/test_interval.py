"""Intervals enclose: whatever the operation and however wide the box."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.exact.helpers import FUNCTIONS, functions, q, rationals, witness
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.numbers.interval import INF, NEG_INF, Interval
from verifier.exact.numbers.refusals import Undefined


def interval(low: float, high: float) -> Interval:
    return Interval(arb(low), arb(high))


def test_half_lines_keep_their_limits() -> None:
    left = Interval(NEG_INF, arb(0))
    assert left.apply("exp").lo == 0
    assert left.apply("exp").hi == 1
    assert left.apply("tanh").lo == -1
    assert Interval(arb(0), INF).apply("erfc").lo == 0
    assert Interval(arb(2), INF).inverse().lo == 0


def test_a_zero_inside_a_denominator_leaves_both_signs() -> None:
    found = interval(-1, 1).inverse()
    assert found.lo == NEG_INF
    assert found.hi == INF
    assert not found.whole
    with pytest.raises(Undefined):
        interval(0, 0).inverse()


def test_even_powers_know_the_zero() -> None:
    assert interval(-1, 2).power(fmpq(2)).lo == 0
    assert interval(-1, 2).power(fmpq(3)).lo == -1


def test_partial_domains_are_flagged_and_empty_ones_undefined() -> None:
    assert not interval(-1, 1).apply("log").whole
    assert interval(-1, 1).apply("log").lo == NEG_INF
    with pytest.raises(Undefined):
        interval(-2, -1).apply("log")
    with pytest.raises(Undefined):
        interval(-2, -1).power(fmpq(1, 2))


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_waves_reach_their_crests(name: str) -> None:
    for low in range(-7, 7):
        for width in (0.25, 1, 3, 6.5, 8):
            found = interval(low, low + width).apply(name)
            for k in range(101):
                value = FUNCTIONS[name](mpmath.mpf(low) + width * mpmath.mpf(k) / 100)
                assert float(found.lo) - 1e-12 <= value <= float(found.hi) + 1e-12


@given(functions(), rationals, st.fractions(min_value=0, max_value=4, max_denominator=5), st.floats(0, 1))
def test_every_value_lies_inside(term: Any, low: Fraction, width: Fraction, share: float) -> None:
    ctx.prec = 96
    mpmath.mp.dps = 40
    box = Interval(arb(q(low)).lower(), arb(q(low + width)).upper())
    found = enclosed(term, {"x": box})
    x = mpmath.mpf(low.numerator) / low.denominator
    x += share * mpmath.mpf(width.numerator) / width.denominator
    value = witness(term, x)
    reach = mpmath.mpf(10) ** -20 * (1 + abs(value))
    assert found.lo == NEG_INF or mpmath.mpf(found.lo.str(60, radius=False)) - reach <= value
    assert found.hi == INF or value <= mpmath.mpf(found.hi.str(60, radius=False)) + reach
