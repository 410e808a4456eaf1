"""Spans: the reals between two ends, with or without 0. A sign is a span too: (0, oo), [0, oo), all but 0.

A span may be wider than the values that it stands for, and never narrower.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import mul

from verifier.expr.nodes import Comparison

MOST_BITS = 500
MOST_POWER = 16
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class End:
    """An end of a span; None is infinite, and an open end is not reached."""

    at: Fraction | None = None
    open: bool = False

    def __neg__(self) -> "End":
        return End(None if self.at is None else -self.at, self.open)


FREE = End()


@dataclass(frozen=True, slots=True)
class Span:
    """The reals between two ends; without 0, if `nonzero`."""

    low: End = FREE
    high: End = FREE
    nonzero: bool = False

    @staticmethod
    def between(low: int | Fraction | None, high: int | Fraction | None, open: bool = False) -> "Span":
        """[low, high], or (low, high) if open; an end that is None is infinite."""
        ends = (FREE if at is None else End(Fraction(at), open) for at in (low, high))
        return Span(next(ends), next(ends))

    # --- what it says of the sign ----------------------------------------------------------------

    @property
    def is_positive(self) -> bool:
        """Whether all of it is above 0."""
        at = self.low.at
        return at is not None and (at > 0 or (at == 0 and (self.low.open or self.nonzero)))

    @property
    def is_negative(self) -> bool:
        return (-self).is_positive

    @property
    def is_nonnegative(self) -> bool:
        """Whether nothing of it is below 0."""
        return self.low.at is not None and self.low.at >= 0

    @property
    def is_nonpositive(self) -> bool:
        return self.high.at is not None and self.high.at <= 0

    @property
    def is_nonzero(self) -> bool:
        return self.nonzero or self.is_positive or self.is_negative

    @property
    def is_zero(self) -> bool:
        return self.low.at == 0 == self.high.at

    @property
    def sign(self) -> int:
        """1 if it is positive, -1 if it is negative, and 0 where neither is seen."""
        return self.is_positive - self.is_negative

    def misses(self, op: Comparison, value: Fraction) -> bool:
        """Whether no number of the span stands in this relation to the value."""
        low, high = self.low, self.high
        all_above = low.at is not None and (low.at > value or (low.at == value and low.open))
        all_below = high.at is not None and (high.at < value or (high.at == value and high.open))
        match op:
            case "==":
                return all_above or all_below or (value == 0 and self.nonzero)
            case "<":
                return all_above or low.at == value
            case "<=":
                return all_above or (value == 0 and self.is_positive)
            case ">":
                return all_below or high.at == value
            case ">=":
                return all_below or (value == 0 and self.is_negative)
        return False

    # --- arithmetic ------------------------------------------------------------------------------

    def __neg__(self) -> "Span":
        return Span(-self.high, -self.low, self.nonzero)

    def __add__(self, other: "Span") -> "Span":
        return Span(_plus(self._lowest, other._lowest), -_plus((-self)._lowest, (-other)._lowest))

    @property
    def _lowest(self) -> End:
        """The lower end, open where it is a 0 that is left out."""
        return End(_ZERO, True) if self.low.at == 0 and self.nonzero else self.low

    def __mul__(self, other: "Span") -> "Span":
        """Where the sign of a factor is known, ends multiply; else only whether it is 0 is said."""
        if self.is_zero or other.is_zero:
            return ZERO
        if self.is_nonpositive and not self.is_nonnegative:
            return -(-self * other)
        if other.is_nonpositive and not other.is_nonnegative:
            return -(self * -other)
        nonzero = self.is_nonzero and other.is_nonzero
        if self.is_nonnegative and other.is_nonnegative:
            low = _short(_times(self._lowest, other._lowest))
            high = _times(self.high, other.high)
            return Span(low, high if _is_short(high) else FREE, nonzero)
        return Span(nonzero=nonzero)

    def inverse(self) -> "Span":
        """1/x, where x is not 0."""
        if self.is_nonpositive and not self.is_nonnegative:
            return -(-self).inverse()
        if not self.is_nonnegative or self.is_zero:
            return Span(nonzero=True)
        low = End(_ZERO, True) if self.high.at is None else _inverted(self.high)
        return Span(low, _inverted(self.low) if self.low.at else FREE)

    def power(self, exponent: int) -> "Span":
        """x**exponent for a whole exponent; of large ones the sign alone."""
        if exponent < 0:
            return self.power(-exponent).inverse()
        if exponent % 2 == 0 and not self.is_nonnegative:
            return self.size().power(exponent)
        if exponent <= MOST_POWER:
            return reduce(mul, [self] * exponent, ONE)
        known = NONNEGATIVE if self.is_nonnegative else -NONNEGATIVE if self.is_nonpositive else Span()
        return Span(known.low, known.high, self.is_nonzero)

    def size(self) -> "Span":
        """|x|"""
        if self.is_nonnegative:
            return self
        if self.is_nonpositive:
            return -self
        known = self.low.at is not None and self.high.at is not None
        high = max(-self.low, self.high, key=lambda end: end.at or _ZERO) if known else FREE
        return Span(End(_ZERO), _wider(high), self.nonzero)

    # --- several ---------------------------------------------------------------------------------

    def meet(self, other: "Span") -> "Span":
        """What lies in both."""
        high = -_higher(-self.high, -other.high)
        return Span(_higher(self.low, other.low), high, self.nonzero or other.nonzero)

    def join(self, other: "Span") -> "Span":
        """What lies in either, and between them."""
        high = -_lower(-self.high, -other.high)
        return Span(_lower(self.low, other.low), high, self.is_nonzero and other.is_nonzero)

    def largest(self, other: "Span") -> "Span":
        """max(x, y)"""
        return Span(_higher(self._lowest, other._lowest), -_lower(-self.high, -other.high))

    def total(self, may_be_empty: bool) -> "Span":
        """A sum of terms that all lie in it, any number of them; without terms it is 0."""
        low = self._lowest if self.is_nonnegative else FREE
        high = -(-self)._lowest if self.is_nonpositive else FREE
        return Span(low, high).join(ZERO) if may_be_empty else Span(low, high)

    def mean(self) -> "Span":
        """A mean of such numbers."""
        return Span(self._lowest, -(-self)._lowest)

    def closure(self) -> "Span":
        """A limit of such numbers."""
        return Span(End(self.low.at), End(self.high.at))

    def supremum(self) -> "Span":
        """The least upper bound of such numbers, of one at least."""
        return Span(self._lowest, End(self.high.at))


NONNEGATIVE = Span.between(0, None)
POSITIVE = Span.between(0, None, open=True)
ZERO = Span.between(0, 0)
ONE = Span.between(1, 1)


def _plus(one: End, other: End) -> End:
    """Of lower ends."""
    if one.at is None or other.at is None:
        return FREE
    return _short(End(one.at + other.at, one.open or other.open))


def _times(one: End, other: End) -> End:
    """Of ends that are not negative."""
    if one.at is None or other.at is None:
        return FREE
    shut_zero = (one.at == 0 and not one.open) or (other.at == 0 and not other.open)
    return End(one.at * other.at, (one.open or other.open) and not shut_zero)


def _inverted(end: End) -> End:
    assert end.at
    return End(1 / end.at, end.open)


def _is_short(end: End) -> bool:
    """Whether it has few digits: work stays bounded."""
    at = end.at or _ZERO
    return max(at.numerator.bit_length(), at.denominator.bit_length()) < MOST_BITS


def _short(end: End) -> End:
    """A lower end with few digits, no higher than this one."""
    if _is_short(end):
        return end
    return End(_ZERO, True) if end.at is not None and end.at > 0 else FREE


def _wider(end: End) -> End:
    """The end, as one that may be reached."""
    return End(end.at)


def _higher(one: End, other: End) -> End:
    """The higher of two lower ends."""
    if one.at is None or other.at is None:
        return other if one.at is None else one
    if one.at == other.at:
        return End(one.at, one.open or other.open)
    return max(one, other, key=lambda end: end.at or _ZERO)


def _lower(one: End, other: End) -> End:
    """The lower of two lower ends."""
    if one.at is None or other.at is None:
        return FREE
    if one.at == other.at:
        return End(one.at, one.open and other.open)
    return min(one, other, key=lambda end: end.at or _ZERO)
