"""Arithmetic of spans never loses a value: whatever lies in x and y, x + y lies in their sum, and so on."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from verifier.facts.spans import FREE, NONNEGATIVE, ONE, POSITIVE, ZERO, End, Span

NUMBERS = st.fractions(min_value=-3, max_value=3, max_denominator=2)
ENDS = st.builds(End, st.none() | NUMBERS, st.booleans())
SPANS = st.builds(Span, ENDS, ENDS, st.booleans())


def holds(span: Span, value: Fraction) -> bool:
    low, high = span.low, span.high
    above = low.at is None or value > low.at or (value == low.at and not low.open)
    below = high.at is None or value < high.at or (value == high.at and not high.open)
    return above and below and not (span.nonzero and value == 0)


@given(SPANS, NUMBERS, SPANS, NUMBERS)
def test_arithmetic(x: Span, a: Fraction, y: Span, b: Fraction) -> None:
    assume(holds(x, a) and holds(y, b))
    assert holds(x + y, a + b)
    assert holds(x + -y, a - b)
    assert holds(x * y, a * b)
    assert holds(x.largest(y), max(a, b))
    assert holds(x.size(), abs(a))
    assert holds(x.join(y), a)
    assert holds(x.join(y), b)
    assert b == 0 or holds(x * y.inverse(), a / b)
    assert all(holds(x.power(k), a**k) for k in range(20))
    assert a == 0 or all(holds(x.power(-k), a**-k) for k in range(1, 20))
    assert holds(x.join(y).mean(), (a + b) / 2)
    assert holds(x.join(y).total(may_be_empty=False), a + b)
    assert holds(x.total(may_be_empty=True), Fraction(0))


@given(SPANS, NUMBERS)
def test_signs(x: Span, a: Fraction) -> None:
    assume(holds(x, a))
    assert not x.is_positive or a > 0
    assert not x.is_nonnegative or a >= 0
    assert not x.is_negative or a < 0
    assert not x.is_nonpositive or a <= 0
    assert not x.is_nonzero or a != 0
    assert not x.is_zero or a == 0
    told = {"==": a == 1, "<": a < 1, "<=": a <= 1, ">": a > 1, ">=": a >= 1}
    assert not any(x.misses(op, Fraction(1)) for op, said in told.items() if said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (POSITIVE + NONNEGATIVE, POSITIVE),
        (NONNEGATIVE * NONNEGATIVE, NONNEGATIVE),
        (Span().power(2) + ONE, Span.between(1, None)),
        (POSITIVE.inverse(), POSITIVE),
        (Span.between(2, 4).inverse(), Span.between(Fraction(1, 4), Fraction(1, 2))),
        (-POSITIVE * Span.between(-2, -1), POSITIVE),
        (Span.between(-1, 2).total(may_be_empty=False), Span()),
        (POSITIVE.total(may_be_empty=True), NONNEGATIVE),
        (Span() * ZERO, ZERO),
    ],
)
def test_what_is_kept(found: Span, said: Span) -> None:
    assert (found.low, found.high) == (said.low, said.high)


@pytest.mark.parametrize("large", [Span.between(2**400, None), Span.between(Fraction(1, 2**400), None)])
def test_digits_are_bounded_and_the_sign_stays(large: Span) -> None:
    product = large.power(16)
    assert product.is_positive
    assert product.low.at == 0
    assert (large + large).is_positive
    assert Span.between(-(2**499), 0) + Span.between(-(2**499), 0) == Span(FREE, End(Fraction(0)))
