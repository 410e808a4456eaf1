"""Intervals of real numbers, whose ends may be infinite. Every operation encloses: its result holds the
values at all numbers of its arguments at which there is one. Ends are binary numbers, rounded outwards."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from flint import arb, fmpq

from verifier.kernel.rejected import Rejected

Ball = Any  # flint has no types
INFINITE, MINUS_INFINITE = arb.pos_inf(), arb.neg_inf()
NONE, UNIT = arb(0), arb(1)
LARGEST_POWER = 4096


class Unbounded(Rejected):
    """A function that is not known to have a value, or not to be continuous, all over a box."""

    def __init__(self, words: str) -> None:
        super().__init__("undefined", words)


@final
@dataclass(frozen=True)
class Interval:
    """All real numbers from low to high."""

    low: Ball
    high: Ball

    @property
    def is_finite(self) -> bool:
        return bool(self.low.is_finite() and self.high.is_finite())

    @property
    def ball(self) -> Ball:
        """A ball that holds a finite interval."""
        return self.low.union(self.high)

    def holds(self, value: Ball) -> bool:
        return bool(self.low <= value <= self.high)


REALS = Interval(MINUS_INFINITE, INFINITE)


def of_ball(ball: Ball) -> Interval:
    """The numbers of a ball; all of them where it has no bounds."""
    return Interval(ball.lower(), ball.upper()) if ball.is_finite() else REALS


def of_number(value: Fraction | int) -> Interval:
    exact = Fraction(value)
    return of_ball(arb(fmpq(exact.numerator, exact.denominator)))


def joined(*parts: Interval) -> Interval:
    low, high = parts[0].low, parts[0].high
    for part in parts[1:]:
        low, high = _less(low, part.low), _greater(high, part.high)
    return Interval(low, high)


def common(left: Interval, right: Interval) -> Interval:
    """What two enclosures of one number leave."""
    return Interval(_greater(left.low, right.low), _less(left.high, right.high))


def _less(a: Ball, b: Ball) -> Ball:
    return a if a < b else b


def _greater(a: Ball, b: Ball) -> Ball:
    return a if a > b else b


def plus(left: Interval, right: Interval) -> Interval:
    return Interval(_down(left.low + right.low, MINUS_INFINITE), _up(left.high + right.high, INFINITE))


def negated(arg: Interval) -> Interval:
    return Interval(-arg.high, -arg.low)


def _down(ball: Ball, instead: Ball) -> Ball:
    return ball.lower() if ball.is_finite() else instead


def _up(ball: Ball, instead: Ball) -> Ball:
    return ball.upper() if ball.is_finite() else instead


def times(left: Interval, right: Interval) -> Interval:
    ends = [_product(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return joined(*ends)


def _product(a: Ball, b: Ball) -> Interval:
    """Of two ends. An infinite end is no number of its interval, so that 0 times it counts as 0."""
    if a == 0 or b == 0:
        return Interval(NONE, NONE)
    if a.is_finite() and b.is_finite():
        return of_ball(a * b)
    infinite = INFINITE if (a > 0) == (b > 0) else MINUS_INFINITE
    return Interval(infinite, infinite)


def inverse(arg: Interval) -> Interval:
    """1/x, for what stays away from 0."""
    if arg.low > 0 or arg.high < 0:
        ends = [
            Interval(NONE, NONE) if not end.is_finite() else of_ball(1 / end) for end in (arg.low, arg.high)
        ]
        return joined(*ends)
    raise Unbounded("a denominator that is not kept away from 0")


def power(base: Interval, exponent: int) -> Interval:
    """A whole power."""
    if exponent < 0:
        return inverse(power(base, -exponent))
    if exponent > LARGEST_POWER:
        raise Rejected("too-large", f"a power beyond {LARGEST_POWER}")
    if exponent % 2 == 0 and exponent:
        base = size(base)
    return increasing(base, lambda x: x ** arb(exponent), MINUS_INFINITE, INFINITE) if exponent else _ONE


_ONE = Interval(UNIT, UNIT)


def root(base: Interval, exponent: Fraction) -> Interval:
    """A fractional power, of what is not negative."""
    if exponent < 0:
        return inverse(root(base, -exponent))
    if not base.low >= 0:
        raise Unbounded("a root of what may be negative")
    least, fraction = arb(0), arb(fmpq(exponent.numerator, exponent.denominator))
    return increasing(base, lambda x: least if x == 0 else (x.log() * fraction).exp(), least, INFINITE)


def increasing(arg: Interval, function: Callable[[Ball], Ball], bottom: Ball, top: Ball) -> Interval:
    """An increasing function, with its limits at both infinities."""
    low = function(arg.low) if arg.low.is_finite() else bottom if arg.low < 0 else top
    high = function(arg.high) if arg.high.is_finite() else top if arg.high > 0 else bottom
    return Interval(_down(low, bottom), _up(high, top))


def size(arg: Interval) -> Interval:
    """Absolute values."""
    if arg.low >= 0:
        return arg
    if arg.high <= 0:
        return negated(arg)
    return Interval(NONE, _greater(-arg.low, arg.high))


def largest(left: Interval, right: Interval) -> Interval:
    return Interval(_greater(left.low, right.low), _greater(left.high, right.high))


def least(left: Interval, right: Interval) -> Interval:
    return Interval(_less(left.low, right.low), _less(left.high, right.high))
