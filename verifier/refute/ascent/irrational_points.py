"""Strict bounds that are reached at points such as (1/sqrt(5), 2/sqrt(5)): no rational point breaks them.

An ascent ends next to such a point. If every coordinate is close to a simple rational number or to the root
of one, these are taken in its place, and exact arithmetic says whether the point is allowed, and whether both
sides meet there.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq
from torch import Tensor

from verifier.exact.numbers.constants import HALF, power
from verifier.exact.values.recheck import Rechecked, recheck
from verifier.refute.ascent.rational_points import Judge
from verifier.refute.ascent.worst_points import Worst
from verifier.refute.domain.domain_at_sizes import Cell
from verifier.refute.domain.matrix_families import Entries, Plain, Scalar

NEAR = 1e-5  # how far from the bound, relatively, a point may be that leads to one on it
CLOSE = 1e-5  # relative: how far an ascent may be from the coordinate itself
DENOMINATORS = (12, 60, 1000)


def attained(judge: Judge, worst: Worst, deadline: float) -> Rechecked | None:
    """A point at which a strict bound is met or broken, decided exactly; None where none was found."""
    if not worst.objective.bound.strict or worst.best < -NEAR:
        return None
    for raw in worst.points:
        for point in _points(worst.objective.cell, raw):
            if not judge.has_time(deadline):
                return None
            found = recheck(judge.domain.claim, judge.fact, point)
            if found.outcome == "false":
                return found
    return None


def _points(cell: Cell, raw: Tensor) -> Iterator[dict[str, Any]]:
    """The point with each coordinate replaced by a simple number next to it, the simplest first."""
    if any(
        v.copies is not None or not isinstance(v.family, Scalar | Plain | Entries) for v in cell.variables
    ):
        return
    seen = []
    for limit in DENOMINATORS:
        values: dict[str, Any] = dict(cell.sizes)
        for variable, numbers in cell.numbers(raw):
            rows = [[_simple(x, limit) for x in row] for row in numbers.tolist()]
            if any(x is None for row in rows for x in row):
                break
            values[variable.name] = rows[0][0] if len(rows) == len(rows[0]) == 1 else rows
        else:
            if values not in seen:
                seen.append(values)
                yield values


def _simple(number: float, limit: int) -> Any:
    """The rational number with a small denominator, or the root of one, that is close; None where none is."""
    plain = Fraction(number).limit_denominator(limit)
    if abs(number - plain) <= CLOSE * abs(number) or abs(number) <= CLOSE:
        return plain if abs(number) > CLOSE else Fraction(0)
    square = Fraction(number * number).limit_denominator(limit)
    if square <= 0 or abs(number * number - square) > CLOSE * number * number:
        return None
    root: Any = power(fmpq(square.numerator, square.denominator), HALF)
    return root if number > 0 else -root
