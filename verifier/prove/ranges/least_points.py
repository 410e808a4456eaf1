"""Where a function of several variables is least, as nearly as points tell: samples, then a pattern search.

What comes out is a value that is reached. That none is smaller is for a proof to say."""

from collections.abc import Iterable, Iterator
from typing import Any

from flint import arb, fmpq

from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.numbers.interval import INF, Interval
from verifier.exact.numbers.refusals import Refusal
from verifier.prove.ranges.problem import Problem
from verifier.prove.ranges.simple_points import allowed, sample_points
from verifier.timer import past

Point = dict[str, fmpq]
STARTS = 3
FIRST, LAST = fmpq(1, 4), fmpq(1, 2**16)
HALF = fmpq(1, 2)


def least(term: Any, problem: Problem, names: tuple[str, ...], deadline: float) -> tuple[arb, Point]:
    """The least value met at allowed points, and where."""
    met = sorted(((value_at(term, p), p) for p in sample_points(problem, names)), key=_float)
    found = met[0] if met else (INF, {})
    if any(problem.domains[name].integer for name in names):
        return found
    for value, point in met[:STARTS]:
        found = min(found, _descended(term, problem, value, point, deadline), key=_float)
    return found


def _float(item: tuple[arb, Point]) -> float:
    return float(item[0])


def value_at(term: Any, point: Point) -> arb:
    """An upper bound of the value; infinite where there is none."""
    try:
        return enclosed(term, {name: Interval.of(value) for name, value in point.items()}).hi
    except Refusal:
        return INF


def _descended(term: Any, problem: Problem, value: arb, point: Point, deadline: float) -> tuple[arb, Point]:
    """Steps along every variable, and along all of them together, halved where none goes down."""
    step = FIRST
    while step > LAST and not past(deadline):
        moved = [(value_at(term, p), p) for p in _around(point, step) if allowed(problem, p)]
        best = min(moved, key=_float, default=(INF, point))
        if best[0] < value:
            value, point = best
        else:
            step = step * HALF
    return value, point


def _around(point: Point, step: fmpq) -> Iterator[Point]:
    """Each variable a little more or less, relative to its size and absolutely, and all of them scaled."""
    for name, x in point.items():
        for move in _moves(x, step):
            yield {**point, name: _short(x + move)}
    for factor in (1 + step, 1 / (1 + step)):
        yield {name: _short(x * factor) for name, x in point.items()}


def _moves(x: fmpq, step: fmpq) -> Iterable[fmpq]:
    size = abs(x)
    return (step, -step) if size == 0 else (step, -step, step * size, -step * size)


def _short(x: fmpq) -> fmpq:
    """To thirty binary digits, so that points stay short."""
    scale = 2**30
    return fmpq(int((x * scale).floor()), scale) if x.q > scale else x
