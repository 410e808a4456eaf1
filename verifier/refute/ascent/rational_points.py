"""From a float to a fact: a worst point as small rationals, decided without floating point."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb, ctx
from torch import Tensor

from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.recheck import Rechecked, admissible, recheck
from verifier.expr.nodes import Relation, Within
from verifier.prove.rules.bound_form import Bound
from verifier.refute.domain.domain_at_sizes import Cell, Design
from verifier.refute.domain.space import Domain
from verifier.timer import worked

COARSE = (1, 2, 3, 4, 6, 8, 12, 24, 60)
FINE = (360, 10**3, 10**4, 10**6, 10**9)
PRECISIONS = (128, 512)  # bits: where the sides vanish, the first may tell nothing


def roundings(cell: Cell, raw: Tensor) -> Iterator[Design]:
    """The point as rationals, simplest first, in three units: of each variable's largest entry, of the
    largest of all, and as they are."""
    largest = _largest(cell, raw)
    joint = dict.fromkeys(largest, max(largest.values(), default=1.0))
    seen = set()
    for denominators in (COARSE, FINE):
        for unit in (largest, joint, None):
            for denominator in denominators:
                design = cell.design(raw, denominator, unit)
                key = tuple(design.parts.items())
                if key not in seen:
                    seen.add(key)
                    yield design


def finest(cell: Cell, raw: Tensor) -> Design:
    """The point itself: a float is a rational number."""
    parts = {
        variable.name: tuple(tuple(Fraction(x) for x in row) for row in numbers.tolist())
        for variable, numbers in cell.numbers(raw)
    }
    return Design(cell.sizes, parts)


def _largest(cell: Cell, raw: Tensor) -> dict[str, float]:
    largest = {}
    for variable, numbers in cell.numbers(raw):
        found = float(numbers.abs().max()) if numbers.numel() else 0.0
        largest[variable.name] = found if found > 0 else 1.0
    return largest


@dataclass
class Judge:
    """Decides a relation at designs, in exact or interval arithmetic."""

    domain: Domain
    fact: Relation | Within
    cells: dict[tuple[tuple[str, int], ...], Cell | None] = field(default_factory=dict)
    refused: str | None = None
    slowest: float = 0.0  # seconds that one check has taken

    def has_time(self, deadline: float) -> bool:
        """A check cannot be stopped once begun: begin it only if one like the slowest would fit."""
        return worked() + self.slowest < deadline

    def cell(self, design: Design) -> Cell | None:
        key = tuple(sorted(design.sizes.items()))
        if key not in self.cells:
            self.cells[key] = self.domain.cell(design.sizes)
        return self.cells[key]

    def point(self, design: Design) -> dict[str, Any] | None:
        cell = self.cell(design)
        return None if cell is None else cell.point(design)

    def check(self, design: Design) -> Rechecked | None:
        """What exact arithmetic says of the relation at the design; None where no point is allowed."""
        point = self.point(design)
        if point is None:
            return None
        start = worked()
        found = recheck(self.domain.claim, self.fact, point)
        self.slowest = max(self.slowest, worked() - start)
        if found.excluded:
            return None
        if found.outcome == "unsupported":
            self.refused = found.reason
        return found

    def is_false(self, design: Design) -> bool:
        found = self.check(design)
        return found is not None and found.outcome == "false"

    def gap(self, bound: Bound, design: Design) -> Fraction | None:
        """An upper end of (large - small)/|measure| at an admissible design; None where unknown."""
        ends = self.gap_ends(bound, design)
        return None if ends is None else ends[1]

    def gap_ends(self, bound: Bound, design: Design) -> tuple[Fraction, Fraction] | None:
        """Both ends of it: a wide enclosure says little of a point."""
        point = self.point(design)
        if point is None or admissible(self.domain.claim, point).outcome != "true":
            return None
        found = (self._gap_to(bits, bound, point) for bits in PRECISIONS)
        return next((gap for gap in found if gap is not None), None)

    def vanishes(self, bound: Bound, design: Design) -> bool:
        """What the gap is relative to is 0 there, or cannot be told from 0: the point has no gap."""
        point = self.point(design)
        return point is not None and all(self._is_none(bits, bound, point) for bits in PRECISIONS)

    def _is_none(self, bits: int, bound: Bound, point: dict[str, Any]) -> bool:
        before = ctx.prec
        ctx.prec = bits
        try:
            rows = evaluate(bound.measure, point, self.domain.context, bits=bits)
            return all(enclose(entry).contains(0) for row in rows for entry in row)
        except Refusal:
            return False
        finally:
            ctx.prec = before

    def _gap_to(self, bits: int, bound: Bound, point: dict[str, Any]) -> tuple[Fraction, Fraction] | None:
        before = ctx.prec
        ctx.prec = bits
        try:
            sides = [
                evaluate(node, point, self.domain.context, bits=bits)
                for node in (bound.small, bound.large, bound.measure)
            ]
            return _least_gap(*sides)
        except Refusal:
            return None
        finally:
            ctx.prec = before

    def values(self, design: Design) -> dict[str, object]:
        """The point for display: integers as they are, other numbers as text, matrices as rows."""
        point = self.point(design)
        assert point is not None
        return {name: _shown(value) for name, value in point.items()}


def _least_gap(small: Any, large: Any, measure: Any) -> tuple[Fraction, Fraction] | None:
    """The smallest gap over the entries, rounded down and up."""
    found = []
    for i in range(max(len(small), len(large))):
        for j in range(max(len(small[0]), len(large[0]))):
            low, high, size = (enclose(_entry(side, i, j)) for side in (small, large, measure))
            if not (size > 0 or size < 0):
                continue
            gap = (high - low) / abs(size)
            if gap.is_finite():
                found.append((_exactly(gap.lower()), _exactly(gap.upper())))
    return (min(low for low, _ in found), min(high for _, high in found)) if found else None


def _entry(matrix: Any, i: int, j: int) -> Any:
    return matrix[0][0] if len(matrix) == len(matrix[0]) == 1 else matrix[i][j]


def _exactly(number: arb) -> Fraction:
    """A floating-point number is a fraction."""
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _shown(value: object) -> object:
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return value if isinstance(value, int) else str(value)
