"""A least value of 0, shown: a function that is convex over a box is nowhere below its flat point."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flint import arb, fmpq

from verifier.exact.enclosures.domains import Segment
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.term_calculus import at, calls, differentiate
from verifier.exact.numbers.constants import is_zero, sign
from verifier.exact.numbers.guess_constants import simplest_between
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.number_text import as_fraction
from verifier.exact.numbers.refusals import Imprecise, Refusal

SMOOTH = {"exp", "log", "sin", "cos", "tanh", "sigmoid", "softplus", "erf", "erfc"}


def flat_and_convex(term: Any, box: Mapping[str, Segment], strict: bool) -> bool:
    """The gradient is exactly 0 at a simple point of the box, the value there is not negative, and
    the matrix of second derivatives is positive definite over all of it."""
    free = [name for name, segment in box.items() if segment.low != segment.high]
    point = _simplest(box)
    if not free or point is None or calls(term) - SMOOTH:
        return False
    try:
        value = sign(at(term, point))
        if value < 0 or (strict and value == 0):
            return False
        if not all(is_zero(at(differentiate(term, name), point)) for name in free):
            return False
        return _definite(_curvature(term, tuple(free), box))
    except (Refusal, ZeroDivisionError):
        return False


def _simplest(box: Mapping[str, Segment]) -> dict[str, fmpq] | None:
    point = {}
    for name, segment in box.items():
        if not isinstance(segment.low, fmpq) or not isinstance(segment.high, fmpq):
            return None
        found = simplest_between(as_fraction(segment.low), as_fraction(segment.high))
        point[name] = fmpq(found.numerator, found.denominator)
    return point


@lru_cache(maxsize=64)
def _second(term: Any, names: tuple[str, ...]) -> tuple[tuple[Any, ...], ...]:
    slopes = [differentiate(term, name) for name in names]
    return tuple(tuple(differentiate(slope, name) for name in names) for slope in slopes)


def _curvature(term: Any, names: tuple[str, ...], box: Mapping[str, Segment]) -> list[list[arb]]:
    intervals = {name: segment.interval for name, segment in box.items()}
    return [[_ball(enclosed(entry, intervals)) for entry in row] for row in _second(term, names)]


def _definite(rows: list[list[arb]]) -> bool:
    """All pivots of the elimination are positive, whatever values the entries take."""
    size = len(rows)
    for k in range(size):
        if not rows[k][k] > 0:
            return False
        for i in range(k + 1, size):
            factor = rows[i][k] / rows[k][k]
            for j in range(k + 1, size):
                rows[i][j] = rows[i][j] - factor * rows[k][j]
    return True


def _ball(entry: Interval) -> arb:
    if not entry.whole or not entry.lo.is_finite() or not entry.hi.is_finite():
        raise Imprecise("a second derivative without an enclosure")
    return entry.lo.union(entry.hi)
