"""Places in symbols: (copy, row, column), from 1 on. A position leaves out axes of size 1."""

from collections.abc import Iterator
from itertools import product

from verifier.expr.dims import ONE
from verifier.expr.symbols import Declared

Place = tuple[int, int, int]


def places(copies: int | None, rows: int, cols: int) -> Iterator[Place]:
    """All places of a symbol of this size."""
    return product(range(1, (copies or 1) + 1), range(1, rows + 1), range(1, cols + 1))


def place_at(declared: Declared, at: tuple[int, ...]) -> Place | None:
    """The place that a position of the core form names; None if it has another number of axes."""
    rest = list(at)
    found = []
    for present in (declared.copies is not None, declared.shape.rows != ONE, declared.shape.cols != ONE):
        if present and not rest:
            return None
        found.append(rest.pop(0) if present else 1)
    return None if rest else (found[0], found[1], found[2])


def split(number: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The indices of the n-th row of an axis that several indices number, the slowest first."""
    rest, found = number - 1, []
    for size in reversed(sizes):
        rest, place = divmod(rest, size)
        found.append(place + 1)
    return tuple(reversed(found))
