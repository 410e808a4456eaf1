"""Numbers as closed forms: 0.70710678 is sqrt(2)/2, 1.618034 is (1 + sqrt(5))/2."""

import math
from collections.abc import Iterator
from fractions import Fraction

from verifier.expr.nodes import Add, Apply, Divide, Multiply, Node, Number, Pi, Power, Subtract
from verifier.expr.products import multiplied
from verifier.expr.products import times as scaled

TOLERANCE = 2e-6
MAX_DENOMINATOR = 32
SURDS = (2, 3, 5, 6, 7, 10, 11, 13, 17)
HALVES = (1, 2, 3, 4, 5, 6, 8)


def number(x: float) -> Node | None:
    """A small rational, a root of one, one times a constant of analysis, or a root of a quadratic."""
    if not math.isfinite(x) or abs(x) > 1e4:
        return None
    if abs(x) < 1e-9:
        return Number(Fraction(0))
    if x < 0:
        found = number(-x)
        if isinstance(found, Number):
            return Number(-found.value)
        return None if found is None else times(Number(Fraction(-1)), found)
    return next((found for found in _forms(x) if found is not None), None)


def _forms(x: float) -> Iterator[Node | None]:
    """The simplest first."""
    found = rational(x)
    yield None if found is None else Number(found)
    square = rational(x * x)
    yield None if square is None else _root(square)
    for constant, node in _constants():
        found = rational(x / constant, 12)
        yield None if found is None else times(Number(found), node)
    for constant, node in _constants():
        square = rational((x / constant) ** 2, 12)
        yield None if square is None else times(_root(square), node)
    for order in (3, 4):
        found = rational(x**order, 27)
        yield None if found is None else Power(Number(found), Number(Fraction(1, order)))
    yield _quadratic(x)


def rational(x: float, largest: int = MAX_DENOMINATOR) -> Fraction | None:
    """A fraction with small terms within the tolerance."""
    found = Fraction(x).limit_denominator(largest)
    close = abs(float(found) - x) <= TOLERANCE * abs(x)
    return found if close and found != 0 and abs(found.numerator) <= 1000 else None


def _quadratic(x: float) -> Node | None:
    """(a + b*sqrt(c))/d with small whole numbers."""
    for below in HALVES:
        for inside in SURDS:
            for times_ in (1, -1, 2, -2, 3, -3):
                rest = x * below - times_ * math.sqrt(inside)
                whole = round(rest)
                if 0 < abs(whole) <= 12 and abs(rest - whole) <= TOLERANCE * below * x:
                    return _surd(whole, times_, inside, below)
    return None


def _surd(whole: int, factor: int, inside: int, below: int) -> Node:
    root = times(Number(Fraction(abs(factor))), Apply("sqrt", (Number(Fraction(inside)),)))
    first = Number(Fraction(whole))
    top = Add(first, root) if factor > 0 else Subtract(first, root)
    return top if below == 1 else Divide(top, Number(Fraction(below)))


def _root(square: Fraction) -> Node:
    """sqrt(2)/2 for 1/2, sqrt(3) for 3: the denominator made rational."""
    inside, outside = square.numerator * square.denominator, Fraction(1, square.denominator)
    for factor in range(math.isqrt(inside), 1, -1):
        if inside % (factor * factor) == 0:
            inside, outside = inside // (factor * factor), outside * factor
            break
    if inside == 1:
        return Number(outside)
    root = Apply("sqrt", (Number(Fraction(inside)),))
    scaled = root if outside.numerator == 1 else Multiply(Number(Fraction(outside.numerator)), root)
    return scaled if outside.denominator == 1 else Divide(scaled, Number(Fraction(outside.denominator)))


def _constants() -> Iterator[tuple[float, Node]]:
    one, two, pi = Number(Fraction(1)), Number(Fraction(2)), Pi()
    yield math.pi, pi
    yield 1 / math.pi, Divide(one, pi)
    yield math.sqrt(math.pi), Apply("sqrt", (pi,))
    yield math.sqrt(2 / math.pi), Apply("sqrt", (Divide(two, pi),))
    for power in (1, -1, Fraction(1, 2), Fraction(-1, 2), 2, -2):
        yield math.exp(power), Apply("exp", (Number(Fraction(power)),))
    for inside in (2, 3, 5):
        yield math.log(inside), Apply("log", (Number(Fraction(inside)),))


def times(constant: Node, factor: Node | None) -> Node:
    """constant * factor without a needless 1."""
    if factor is None:
        return constant
    return scaled(constant.value, factor) if isinstance(constant, Number) else multiplied(constant, factor)
