"""Points next to a counterexample, one symbol changed at a time: which of its values does it need?

A bound that breaks at d = 1 and at the same point with a zero column beside it does not break for want of
columns. So a condition such as d >= 2 need not be tried.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations

from verifier.claim.model import Claim
from verifier.expr.nodes import Relation
from verifier.expr.symbols import Declared, Dimension, FixedMatrix, Interval, Positive, Real
from verifier.refute.confirm import Exact
from verifier.timer import past, worked

Point = dict[str, Exact]
Rows = list[list[Fraction]]


def also_broken(claim: Claim, fact: Relation, point: Point, seconds: float) -> Iterator[Point]:
    """The points next to this one that break the relation too, in exact arithmetic."""
    # Loaded in the worker alone, like the engines.
    from verifier.exact.values.recheck import recheck

    deadline = worked() + seconds
    for other in next_to(claim, point):
        if past(deadline):
            return
        if recheck(claim, fact, other).outcome == "false":
            yield other


def next_to(claim: Claim, point: Point) -> Iterator[Point]:
    """All numbers smaller or larger at once; sizes one larger, numbers of another sign or size, matrices that
    are no longer zero or small."""
    numbers = {x: v for x, v in point.items() if isinstance(v, Fraction) and _is_number(claim, x)}
    if len(numbers) > 1:
        yield from ({**point, **_scaled(numbers, by)} for by in ((4, 4), (Fraction(1, 4), Fraction(1, 4))))
        for first, second in permutations(numbers, 2):
            pair = {first: numbers[first], second: numbers[second]}
            yield {**point, **_scaled(pair, (Fraction(1, 4), Fraction(1, 16)))}
    for name, value in point.items():
        symbol = claim.symbols.get(name)
        if symbol is None or name in claim.where:
            continue
        match symbol.kind, value:
            case Dimension(), Fraction():
                yield from (_larger(claim, point, name, repeat) for repeat in (False, True))
            case Real() | Interval() | Positive(), Fraction():
                others = (-value, Fraction(1), value / 4, 4 * value) if value else (Fraction(1), Fraction(-1))
                allowed = (
                    x for x in others if x != value and (x > 0 or not isinstance(symbol.kind, Positive))
                )
                yield from ({**point, name: other} for other in allowed)
            case FixedMatrix(), tuple():
                yield from ({**point, name: _tuples(rows)} for rows in _other_matrices(_rows(value)))


def _scaled(numbers: Mapping[str, Fraction], by: tuple[Fraction | int, Fraction | int]) -> Point:
    """The first one times the first factor, all others times the second."""
    return {name: value * by[min(at, 1)] for at, (name, value) in enumerate(numbers.items())}


def _is_number(claim: Claim, name: str) -> bool:
    symbol = claim.symbols.get(name)
    return symbol is not None and name not in claim.where and isinstance(symbol.kind, Real | Positive)


def _other_matrices(rows: Rows) -> Iterator[Rows]:
    """A zero matrix with one entry; any other with its first entry moved, and a quarter of it."""
    moved = [list(row) for row in rows]
    moved[0][0] += 1
    yield moved
    if any(x for row in rows for x in row):
        yield [[x / 4 for x in row] for row in rows]


def _larger(claim: Claim, point: Point, size: str, repeat: bool) -> Point:
    """The point with a size one larger: matrices get zeros, or their last row or column again."""
    sizes = {name: int(value) for name, value in point.items() if isinstance(value, Fraction)}
    sizes[size] += 1
    moved: Point = {**point, size: Fraction(sizes[size])}
    for name, value in point.items():
        symbol = claim.symbols.get(name)
        if symbol is not None and isinstance(value, tuple) and _is_sized(symbol, sizes):
            rows, cols = symbol.shape.rows.at(sizes), symbol.shape.cols.at(sizes)
            moved[name] = _tuples(_padded(_rows(value), rows, cols, repeat))
    return moved


def _is_sized(symbol: Declared, sizes: Mapping[str, int]) -> bool:
    return (symbol.shape.rows.names | symbol.shape.cols.names) <= sizes.keys()


def _padded(given: Rows, rows: int, cols: int, repeat: bool) -> Rows:
    wide = [(row + ([row[-1] if repeat else Fraction(0)] * cols))[:cols] for row in given]
    return (wide + [wide[-1] if repeat else [Fraction(0)] * cols] * rows)[:rows]


def _rows(value: tuple[Exact, ...]) -> Rows:
    return [list(row) if isinstance(row, tuple) else [row] for row in value]  # type: ignore[arg-type]


def _tuples(rows: Rows) -> Exact:
    return tuple(tuple(row) for row in rows)
