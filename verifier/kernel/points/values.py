"""Real numbers at a point: rationals, square roots of rationals, and enclosures of all others.

Rationals and their square roots are compared exactly. An enclosure is a ball at the precision in force; where
balls overlap nothing is decided.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, final

from flint import arb, ctx, fmpq

from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.rejected import Rejected

MOST_BITS = 8192  # of a rational; beyond, it is enclosed
Rational = Any  # flint has no types
Ball = Any
Sign = Literal[-1, 0, 1]


@final
@dataclass(frozen=True)
class Root:
    """sign * sqrt(square), where the square is positive and its root is irrational."""

    sign: Literal[-1, 1]
    square: Rational

    def __str__(self) -> str:
        return f"{'-' if self.sign < 0 else ''}sqrt({self.square})"


Value = Any  # fmpq, Root or arb
ZERO, ONE, TWO, HALF, MINUS_ONE = fmpq(0), fmpq(1), fmpq(2), fmpq(1, 2), fmpq(-1)


_ENCLOSING = ContextVar("enclosing", default=True)


@contextmanager
def precision(bits: int | None) -> Iterator[None]:
    """Enclosures of so many bits; None: no enclosure at all, so that what is decided is decided exactly."""
    before = ctx.prec
    token = _ENCLOSING.set(bits is not None)
    ctx.prec = bits or before
    try:
        yield
    finally:
        ctx.prec = before
        _ENCLOSING.reset(token)


def rational(value: Fraction | int) -> Rational:
    exact = Fraction(value)
    return fmpq(exact.numerator, exact.denominator)


def is_exact(value: Value) -> bool:
    return isinstance(value, fmpq | Root)


def enclose(value: Value) -> Ball:
    """A ball that holds the value, at the precision in force."""
    if not _ENCLOSING.get():
        raise Undecided("a number that is neither rational nor the root of one")
    if isinstance(value, Root):
        return arb(value.square).sqrt() * value.sign
    return arb(value) if isinstance(value, fmpq) else value


def finite(ball: Ball) -> Ball:
    if not ball.is_finite():
        raise Undecided("a number that this precision does not enclose")
    return ball


def small(value: Rational) -> Value:
    """The rational, or a ball around one that takes too long to write."""
    return value if value.height_bits() <= MOST_BITS else enclose(value)


def plus(left: Value, right: Value) -> Value:
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return small(left + right)
    if isinstance(left, fmpq) and not left:
        return right
    if isinstance(right, fmpq) and not right:
        return left
    if isinstance(left, Root) and isinstance(right, Root):
        ratio = root(left.square / right.square)
        if isinstance(ratio, fmpq):
            return times(ratio * left.sign * right.sign + 1, right)
    return finite(enclose(left) + enclose(right))


def times(left: Value, right: Value) -> Value:
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return small(left * right)
    if is_zero(left) or is_zero(right):
        return ZERO
    if is_exact(left) and is_exact(right):
        negative = sign_of(left) != sign_of(right)
        size = root(square(left) * square(right))
        return negated(size) if negative else size
    return finite(enclose(left) * enclose(right))


def negated(value: Value) -> Value:
    return Root(-value.sign, value.square) if isinstance(value, Root) else -value


def minus(left: Value, right: Value) -> Value:
    return plus(left, negated(right))


def square(value: Value) -> Rational:
    return value.square if isinstance(value, Root) else value * value


def root(value: Rational) -> Value:
    """The square root of a rational that is not negative."""
    if value.height_bits() > 2 * MOST_BITS:
        return finite(enclose(value).sqrt())
    if value.p.is_square() and value.q.is_square():
        return fmpq(value.p.isqrt(), value.q.isqrt())
    return Root(1, value)


def is_zero(value: Value) -> bool:
    return isinstance(value, fmpq) and not value


def sign_of(value: Value) -> Sign:
    """-1, 0 or 1: never a guess."""
    if isinstance(value, Root):
        return value.sign
    if value > 0:
        return 1
    if value < 0:
        return -1
    if value == 0:
        return 0
    raise Undecided("a sign that the enclosure does not tell")


def compared(left: Value, right: Value) -> Sign:
    """The sign of left - right."""
    if is_exact(left) and is_exact(right):
        a, b = sign_of(left) * square(left), sign_of(right) * square(right)
        return 1 if a > b else -1 if a < b else 0
    return sign_of(enclose(left) - enclose(right))


def inverse(value: Value) -> Value:
    side = sign_of(value)
    if not side:
        raise Rejected("undefined", "a division by zero")
    if isinstance(value, fmpq):
        return 1 / value
    return Root(value.sign, 1 / value.square) if isinstance(value, Root) else finite(1 / value)


def whole(value: Value) -> int | None:
    """The integer that a value is, exactly."""
    return int(value.p) if isinstance(value, fmpq) and value.q == 1 else None


def power(base: Value, exponent: Value) -> Value:
    """base ** exponent: products at integers (0 ** 0 is 1), roots of what is not negative, else
    exp(exponent * log(base)) of a positive base."""
    number = whole(exponent)
    if number is not None:
        return _product(base, number) if number >= 0 else inverse(_product(base, -number))
    side = sign_of(base)
    if side < 0:
        raise Rejected("undefined", "a fractional power of a negative number")
    if not side:
        if sign_of(exponent) > 0:
            return ZERO
        raise Rejected("undefined", "a negative power of zero")
    if isinstance(exponent, fmpq) and exponent.q == 2:
        half = root(base) if isinstance(base, fmpq) else finite(enclose(base).sqrt())
        return power(half, fmpq(exponent.p))
    return finite((enclose(base).log() * enclose(exponent)).exp())


def _product(base: Value, number: int) -> Value:
    if isinstance(base, Root):
        even = _product(base.square, number // 2)
        return times(even, base) if number % 2 else even
    if isinstance(base, fmpq) and base.height_bits() * number <= MOST_BITS:
        return base**number
    if is_zero(base):
        return base if number else ONE
    return finite(enclose(base) ** arb(number))


def text(value: Value) -> str:
    """The value for people: exact, or some digits of the middle and the radius."""
    return str(value) if is_exact(value) else value.str(max(8, ctx.prec // 8))
