"""Ranges of indices: how many values they have, and what is among these."""

from dataclasses import dataclass, field

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.symbols import FixedMatrix
from verifier.kernel.normal.atoms import Atom, Entry, Net, Poly, constant, monomial, scaled, total
from verifier.kernel.normal.functions import Functions
from verifier.kernel.normal.renaming import Ranges
from verifier.kernel.rejected import Rejected


@dataclass
class Ranged(Functions):
    """Arithmetic with indices. `ranges` knows where each index runs that is not bound any more: those of the
    statement, and those of sums that are being opened."""

    ranges: Ranges = field(default_factory=dict)

    def count(self, index: str) -> Poly:
        """How many values an index takes: high - low + 1, if that is never negative."""
        low, high = self.ranges[index]
        size = high - low + Dim.of(1)
        self._require_nonnegative(size)
        return self.of_dim(size)

    def _require_nonnegative(self, size: Dim) -> None:
        """Sizes are at least 1: written in what they exceed 1 by, no coefficient may be negative."""
        for name in size.names:
            if not self.is_positive_symbol(name):
                raise Rejected("condition", f"nobody knows whether a range that ends by {name} is empty")
        shifted = size.replace({name: Dim.of(name) + Dim.of(1) for name in size.names})
        if any(factor < 0 for _, factor in shifted.terms):
            raise Rejected("condition", "a range that may end before it begins")

    def is_regular(self, low: Dim, high: Dim) -> bool:
        """Whether a range is never shorter than empty."""
        try:
            self._require_nonnegative(high - low + Dim.of(1))
        except Rejected:
            return False
        return True

    def of_dim(self, dim: Dim) -> Poly:
        parts = []
        for powers, factor in dim.terms:
            part = monomial({Entry(name): power for name, power in powers})
            parts.append(scaled(Poly({part: fmpq(1)}), constant(factor).terms[()]))
        return total(parts)

    def is_positive_atom(self, atom: Atom) -> bool:
        """A sum of positive terms, of which there is at least one, is positive."""
        if isinstance(atom, Net):
            some = all(self._is_size(high - low + Dim.of(1)) for _, low, high in atom.bound)
            return some and all(self.is_positive_atom(part) for part, _ in atom.factors)
        return super().is_positive_atom(atom)

    def is_among(self, position: Dim, index: str) -> bool:
        low, high = self.ranges[index]
        (name, *more) = position.names or [""]
        if not more and position == Dim.of(name) and name in self.ranges:
            return self.ranges[name] == (low, high)
        value, first, last = position.constant, low.constant, high.constant
        if value is None or first is None or value < first:
            return False
        return value <= last if last is not None else value == 1 and self._is_size(high)

    def _is_size(self, dim: Dim) -> bool:
        known = all(self.is_positive_symbol(name) for name in dim.names)
        return known and bool(dim.terms) and all(factor > 0 for _, factor in dim.terms)

    def family(self, atom: Entry) -> str:
        declared = self.context.symbols.get(atom.name)
        kind = declared.kind if declared is not None else None
        return kind.family if isinstance(kind, FixedMatrix) else ""

    def is_whole_axis(self, atom: Entry, axis: int, index: str) -> bool:
        shape = self.context.symbols[atom.name].shape
        size = shape.cols if axis else shape.rows
        return self.ranges[index] == (Dim.of(1), size)
