"""Guess exact numbers from enclosures. A guess is only ever a candidate: proofs check it exactly."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from verifier.exact.numbers.constants import HALF, ZERO, Exact, enclose, power
from verifier.exact.numbers.elementary import exp, log
from verifier.exact.numbers.operations import PI_VALUE
from verifier.exact.numbers.refusals import Refusal

MAX_DENOMINATOR = 720
MAX_COEFFICIENT = 9
MAX_CANDIDATES = 8
HIGHER = (3, 4, 5, 6)


def rational_near(ball: arb, limit: int = MAX_DENOMINATOR) -> fmpq | None:
    """The simplest rational inside the ball with a denominator up to the limit."""
    if not ball.is_finite():
        return None
    low, high = _fraction(ball.lower()), _fraction(ball.upper())
    found = simplest_between(low, high)
    return fmpq(found.numerator, found.denominator) if found.denominator <= limit else None


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the least denominator in [low, high] (Stern-Brocot)."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    floor = low.numerator // low.denominator
    if floor == low:
        return Fraction(floor)
    if floor + 1 <= high:
        return Fraction(floor + 1)
    return floor + 1 / simplest_between(1 / (high - floor), 1 / (low - floor))


def _fraction(end: arb) -> Fraction:
    exact = end.fmpq()
    return Fraction(int(exact.p), int(exact.q))


def candidates(low: arb, high: arb) -> Iterator[Exact]:
    """Exact numbers in [low, high]: rationals, their roots, roots of small quadratics, logarithms of
    rationals, rational multiples of pi."""
    ball = low.union(high)
    found: list[Exact] = []
    for guess in _guesses(ball):
        if guess is not None and guess not in found and enclose(guess).overlaps(ball):
            found.append(guess)
            yield guess
        if len(found) == MAX_CANDIDATES:
            return


def _guesses(ball: arb) -> Iterator[Any]:
    yield rational_near(ball)
    square = rational_near(ball * ball, 200)
    if square is not None and square > 0:
        root: Any = power(square, HALF)
        yield root if ball > 0 else -root
    yield from _higher_roots(ball)
    yield from _quadratic(ball)
    try:
        inside = rational_near(ball.exp(), 100)
        if inside is not None and inside > 0:
            yield log(inside)
        outside = rational_near(ball.log(), 24) if ball > 0 else None
        if outside is not None:
            yield exp(outside)
    except Refusal:
        return
    turns = rational_near(ball / arb.pi(), 24)
    if turns is not None and turns:
        yield turns * PI_VALUE


def _higher_roots(ball: arb) -> Iterator[Any]:
    """q**(1/3), ..., q**(1/6), and the roots of the roots of small quadratics."""
    for degree in HIGHER:
        inside = rational_near(ball**degree, 200)
        if inside is not None and inside and (inside > 0 or degree % 2):
            root: Any = power(abs(inside), fmpq(1, degree))
            yield root if ball > 0 else -root
    for square in _quadratic(ball * ball):
        if enclose(square) > 0 and enclose(square).overlaps(ball * ball):
            nested: Any = power(square, HALF)
            yield nested if ball > 0 else -nested


def _quadratic(ball: arb) -> Iterator[Any]:
    """x with a x**2 + b x + c = 0: x = (-b +- sqrt(b**2 - 4 a c))/(2 a)."""
    if ball.rad() > arb(2) ** -20:
        return
    for a in range(1, MAX_COEFFICIENT + 1):
        for b in range(-4 * MAX_COEFFICIENT, 4 * MAX_COEFFICIENT + 1):
            rest = (-(a * ball * ball + b * ball)).unique_fmpz()
            if rest is None or not b:
                continue
            c = int(rest)
            inside = fmpq(b * b - 4 * a * c)
            if not c or abs(c) > 4 * MAX_COEFFICIENT or inside <= 0:
                continue
            root: Any = power(inside, HALF)
            for value in (root, -root):
                yield (fmpq(-b) + value) * fmpq(1, 2 * a)


def simple_points(low: "Exact | None", high: "Exact | None") -> Iterator[fmpq]:
    """Numbers a person would try first, inside the open interval."""
    for value in SIMPLE:
        ball = arb(value)
        if (low is None or enclose(low) <= ball) and (high is None or ball <= enclose(high)):
            yield value


def _simple() -> tuple[fmpq, ...]:
    found = [ZERO]
    for size in range(1, 9):
        for denominator in (1, 2, 3, 4, 5, 8, 10):
            for numerator in range(1, 9):
                value = fmpq(numerator, denominator)
                if max(numerator, denominator) == size and value not in found:
                    found += [value, -value]
    for large in (10, 12, 16, 20, 50, 100, 1000, 10**4, 10**6):
        found += [fmpq(large), fmpq(-large), fmpq(1, large), fmpq(-1, large)]
    return tuple(found)


SIMPLE = _simple()
