"""Linear recursions v_a(t + 1) = sum_b c_ab v_b(t) without circles, solved by geometric sums:

v_a(t) = c_aa**t v_a(0) + sum_{b != a} c_ab sum_{k < t} c_aa**(t - 1 - k) v_b(k).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.kernel.normal.atoms import NOTHING, UNIT, Monomial, Poly, constant, scaled, total
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.normalise import Normaliser

Solved = dict[Monomial, "list[Part]"]


@dataclass(frozen=True)
class Part:
    """factor * ratio**t * t**degree; with another ratio,
    factor * sum_{k < t} ratio**(t - 1 - k) other**k."""

    factor: Poly
    ratio: Poly
    degree: int = 0
    other: Poly | None = None


@dataclass
class Recursion:
    """`rows[a][b]` is c_ab."""

    algebra: "Normaliser"
    rows: Mapping[Monomial, Mapping[Monomial, Poly]]
    known: dict[Monomial, Solved] = field(default_factory=dict)
    active: set[Monomial] = field(default_factory=set)

    def solved(self, first: Monomial, many: Dim, some: bool) -> dict[Monomial, Poly]:
        """The factors of the v_b(0) in v_first(many); `some`: there is at least one step."""
        row = self.rows[first]
        if first not in row and some and first:
            # It is forgotten at each step: the last one alone counts.
            found: dict[Monomial, Poly] = {}
            for other, factor in row.items():
                for start, parts in self._of(other).items():
                    value = self.algebra.times(factor, self._at(parts, many - Dim.of(1)))
                    found[start] = total((found.get(start, NOTHING), value))
            return found
        return {start: self._at(parts, many) for start, parts in self._of(first).items()}

    def _of(self, own: Monomial) -> Solved:
        if own in self.known:
            return self.known[own]
        if own in self.active:
            raise Rejected("outside", "functions of the state that need each other")
        self.active.add(own)
        row = self.rows[own]
        ratio = row.get(own, NOTHING)
        self.algebra.bases.extend(row.values())
        if not ratio.terms:
            raise Rejected("outside", "a function of the state that is forgotten at each step")
        found: Solved = {own: [Part(UNIT, ratio)]}
        for other, factor in row.items():
            if other == own:
                continue
            for start, parts in self._of(other).items():
                summed = [each for part in parts for each in self._convolved(ratio, part)]
                moved = [
                    Part(self.algebra.times(factor, each.factor), each.ratio, each.degree, each.other)
                    for each in summed
                ]
                found.setdefault(start, []).extend(moved)
        self.active.remove(own)
        self.known[own] = found
        return found

    def _convolved(self, ratio: Poly, part: Part) -> list[Part]:
        """sum_{k < t} ratio**(t - 1 - k) * part(k)."""
        algebra = self.algebra
        if part.other is not None:
            raise Rejected("outside", "a sum of geometric sums whose ratios may be equal")
        if ratio == part.ratio:
            if not self._is_not_zero(ratio) or part.degree > 1:
                raise Rejected("outside", "powers of a ratio that may be 0")
            scale = algebra.times(part.factor, algebra.inverse(ratio))
            if part.degree == 0:
                return [Part(scale, ratio, 1)]
            half = scaled(scale, fmpq(1, 2))
            return [Part(half, ratio, 2), Part(scaled(half, fmpq(-1)), ratio, 1)]
        if part.degree:
            raise Rejected("outside", "a sum of powers times a ratio")
        apart = total((ratio, scaled(part.ratio, fmpq(-1))))
        if self._is_not_zero(apart):
            scale = algebra.times(part.factor, algebra.inverse(apart))
            return [Part(scale, ratio), Part(scaled(scale, fmpq(-1)), part.ratio)]
        return [Part(part.factor, ratio, 0, part.ratio)]

    def _is_not_zero(self, poly: Poly) -> bool:
        if not self.algebra.is_not_zero(poly):
            if not self.algebra.generic:
                return False
            self.algebra.apart.append(poly)
        return True

    def _at(self, parts: list[Part], many: Dim) -> Poly:
        return total(self._value(part, many) for part in parts)

    def _value(self, part: Part, many: Dim) -> Poly:
        algebra, steps = self.algebra, self.algebra.of_dim(many)
        if part.other is None:
            power = self._power(part.ratio, steps)
            return algebra.product(part.factor, power, algebra.power(steps, part.degree))
        first, second = part.ratio, part.other
        if not algebra.is_positive(first):
            first, second = second, first  # the sum is the same from its other end
        if not algebra.is_positive(first):
            raise Rejected("outside", "a geometric sum of a ratio that may be 0")
        index = f"%g{next(algebra.fresh)}"
        own = algebra.of_dim(Dim.of(index))
        summand = algebra.times(self._power(second, own), self._power(first, scaled(own, fmpq(-1))))
        whole = algebra.summed(summand, index, Dim.of(0), many - Dim.of(1))
        before = self._power(first, total((steps, constant(Fraction(-1)))))
        return algebra.product(part.factor, before, whole)

    def _power(self, base: Poly, exponent: Poly) -> Poly:
        if base == UNIT or not exponent.terms:
            return UNIT
        value = exponent.constant
        if value is not None:
            return self.algebra.power(base, int(value.p))
        return self.algebra.symbolic_power(base, exponent)
