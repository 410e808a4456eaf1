"""Make an exact point smaller as long as it keeps what matters.

The shrinker knows a design and a predicate, nothing of what the predicate means. It goes through
passes, from the boldest (a whole dimension less) to the smallest (one entry a little simpler), and
starts again after each success, until nothing helps or the time is over.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared
from verifier.refute.domain.domain_at_sizes import Design
from verifier.refute.domain.family import Rows
from verifier.timer import past

Keeps = Callable[[Design], bool]
SIMPLE = tuple(Fraction(x) for x in ("0", "1", "-1", "2", "-2", "1/2", "-1/2", "3", "-3"))


DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 60)
PATTERNS: tuple[Callable[[int, int], int], ...] = (
    lambda i, j: 0,
    lambda i, j: int(i == j == 0),
    lambda i, j: int(i == j),
    lambda i, j: 1,
)


def cost(design: Design) -> tuple[int, int, int]:
    """Fewest dimensions first, then few nonzero entries, then small numerators and denominators."""
    numbers = [x for rows in design.parts.values() for row in rows for x in row]
    return (
        sum(abs(size) for size in design.sizes.values()),
        sum(1 for x in numbers if x != 0),
        sum(_weight(x) for x in numbers),
    )


def _weight(x: Fraction) -> int:
    # A sign costs less than any larger number, and 1/2 more than 2.
    return 4 * (abs(x.numerator) + 3 * (x.denominator - 1)) + (x < 0)


def shrink(design: Design, keeps: Keeps, symbols: dict[str, Declared], deadline: float) -> Design:
    """A design of least cost that was found and for which `keeps` is still true."""
    improved = True
    while improved and not past(deadline):
        improved = False
        for candidate in _candidates(design, symbols):
            if past(deadline):
                break
            if cost(candidate) < cost(design) and keeps(candidate):
                design, improved = candidate, True
                break
    return design


def _candidates(design: Design, symbols: dict[str, Declared]) -> Iterator[Design]:
    yield from _fewer(design, symbols)
    yield from _plain(design)
    yield from _rounded(design)
    yield from _entries(design)


def _fewer(design: Design, symbols: dict[str, Declared]) -> Iterator[Design]:
    """One index of one dimension less, everywhere it occurs; an integer nearer to 0."""
    for name, size in sorted(design.sizes.items(), key=lambda item: -abs(item[1])):
        if size == 0:
            continue
        step = 1 if size > 0 else -1
        sizes = {**design.sizes, name: size - step}
        for index in range(abs(size)):
            parts = {
                part: _without(rows, symbols[part], name, index, design)
                for part, rows in design.parts.items()
            }
            yield Design(sizes, parts)
            if all(parts[part] == rows for part, rows in design.parts.items()):
                break  # no matrix has this dimension: one attempt says it all


def _without(rows: Rows, symbol: Declared, name: str, index: int, design: Design) -> Rows:
    if symbol.shape.rows == Dim.of(name):
        rows = tuple(row for at, row in enumerate(rows) if at % max(design.sizes[name], 1) != index)
    if symbol.shape.cols == Dim.of(name):
        rows = tuple(tuple(x for at, x in enumerate(row) if at != index) for row in rows)
    return rows


def _plain(design: Design) -> Iterator[Design]:
    """A whole variable at once: all ones, the identity, one entry, its row or column."""
    for name, rows in design.parts.items():
        height, width = len(rows), len(rows[0]) if rows else 0
        for pattern in PATTERNS:
            fresh = tuple(tuple(Fraction(pattern(i, j)) for j in range(width)) for i in range(height))
            yield replace(design, parts={**design.parts, name: fresh})


def _rounded(design: Design) -> Iterator[Design]:
    """Coarser fractions: all variables in one unit, then one variable alone in units of its entries."""
    everything = sorted({abs(x) for rows in design.parts.values() for row in rows for x in row if x != 0})
    for unit in (Fraction(1), *everything[-1:], *everything[:1]):
        for denominator in DENOMINATORS:
            parts = {name: _round(rows, denominator, unit) for name, rows in design.parts.items()}
            yield replace(design, parts=parts)
    for name, rows in design.parts.items():
        units = sorted({abs(x) for row in rows for x in row if x != 0})
        for unit in (*units[-1:], *units[:1], Fraction(1)):
            for denominator in DENOMINATORS:
                fresh = _round(rows, denominator, unit)
                if fresh != rows:
                    yield replace(design, parts={**design.parts, name: fresh})


def _round(rows: Rows, denominator: int, unit: Fraction) -> Rows:
    return tuple(tuple(Fraction(round(x / unit * denominator), denominator) for x in row) for row in rows)


def _entries(design: Design) -> Iterator[Design]:
    """One entry simpler."""
    for name, rows in design.parts.items():
        for i, row in enumerate(rows):
            for j, x in enumerate(row):
                nearer = [Fraction(round(x * d), d) for d in (1, 2, 3, 4, 10)]
                towards = [Fraction(round(x / 2)), Fraction(round(x - x / 10)), x - (1 if x > 0 else -1)]
                for value in (*SIMPLE, *nearer, *towards):
                    if _weight(value) < _weight(x):
                        fresh = (*row[:j], value, *row[j + 1 :])
                        yield replace(
                            design, parts={**design.parts, name: (*rows[:i], fresh, *rows[i + 1 :])}
                        )
