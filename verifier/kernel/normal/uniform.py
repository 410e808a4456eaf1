"""Integrals over one number that is uniform between two ends: of powers times one function of a line, by
antiderivatives. Each exists: where the line is 0 at an end, the function is integrable there."""

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.kernel.normal import exponents
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Inverse,
    Poly,
    Root,
    constant,
    scaled,
    total,
)
from verifier.kernel.normal.integrals import Line, line_of
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

Factors = list[tuple[Atom, Exponent]]


class Between:
    """The mean over a number v that is uniform between two ends."""

    def __init__(self, algebra: "Means", entry: Entry, low: Fraction, high: Fraction) -> None:
        self.algebra, self.entry = algebra, entry
        self.low, self.high = low, high

    def mean_of(self, factors: Factors) -> Poly:
        width = self.high - self.low
        return scaled(self._integral(factors), fmpq(width.denominator, width.numerator))

    def _integral(self, factors: Factors) -> Poly:
        bases, rest = exponents.split(factors, {self.entry.name})
        if bases:
            if rest:
                raise Rejected("outside", "a symbolic power beside another function")
            return self._of_symbolic_powers(bases)
        whole = [(atom, power) for atom, power in rest if atom == self.entry and isinstance(power, int)]
        power = sum(int(times) for _, times in whole if times > 0)
        others = [item for item in rest if item not in whole or item[1] < 0]
        match others:
            case [(Function("log", (arg,)), 1)]:
                return self._of_line(power, self._line(arg), None)
            case [(Function("exp", (arg,)), times)] if not power:
                return self._of_exponential(scaled(arg, fmpq(*Fraction(times).as_integer_ratio())))
            case [(Inverse(base), 1)] if not power and base == total((UNIT, self._v(2))):
                ends = (self.algebra.function("atan", (constant(end),)) for end in (self.high, self.low))
                return _gap(*ends)
            case [(Inverse(base), times)]:
                return self._of_line(power, self._line(base), -Fraction(times))
            case [(Root(base), times)]:
                return self._of_line(power, self._line(base), Fraction(times))
            case [(Entry(), times)]:
                return self._of_line(power, self._line(self._v(1)), Fraction(times))
        raise Rejected("outside", f"the mean of a function of {self.entry.name} that is not known")

    def _v(self, power: int) -> Poly:
        return Poly({((self.entry, power),): fmpq(1)})

    def _line(self, arg: Poly) -> Line:
        line = line_of(arg, self.entry)
        if not self.algebra.is_not_zero(line.slope):
            raise Rejected("outside", "a line whose slope may be 0")
        return line

    def _at(self, line: Line, end: Fraction) -> Poly:
        return total((line.start, scaled(line.slope, fmpq(end.numerator, end.denominator))))

    def _of_line(self, power: int, line: Line, exponent: Fraction | None) -> Poly:
        """The integral of v**power*L**exponent, or of v**power*log(L), by v = (L - start)/slope."""
        algebra, found = self.algebra, NOTHING
        ends = [self._at(line, end) for end in (self.high, self.low)]
        if not all(not end.terms or algebra.is_positive(end) for end in ends):
            raise Rejected("outside", "a line that is not known to be positive between the ends")
        inverse = algebra.inverse(line.slope)
        for j in range(power + 1):
            beside = algebra.power(scaled(line.start, fmpq(-1)), power - j) if power - j else UNIT
            area = _gap(*(self._antiderivative(end, j, exponent) for end in ends))
            found = total((found, scaled(algebra.times(beside, area), fmpq(comb(power, j)))))
        return algebra.times(found, algebra.power(inverse, power + 1))

    def _antiderivative(self, end: Poly, j: int, exponent: Fraction | None) -> Poly:
        """Of L**(j + exponent), or of L**j*log(L), where L is not negative."""
        algebra = self.algebra
        if exponent is None:
            if not end.terms:
                return NOTHING
            logarithm = scaled(algebra.function("log", (end,)), fmpq(1, j + 1))
            return algebra.times(
                algebra.power(end, j + 1), total((logarithm, constant(Fraction(-1, (j + 1) ** 2))))
            )
        above = exponent + j + 1
        if not end.terms:
            if above <= 0:
                raise Rejected("no-mean", "a function that is not integrable at an end")
            return NOTHING
        if not above:
            return algebra.function("log", (end,))
        grown = algebra.power(end, int(above)) if above.denominator == 1 else algebra.root(end, above)
        return scaled(grown, fmpq(above.denominator, above.numerator))

    def _of_exponential(self, arg: Poly) -> Poly:
        line = self._line(arg)
        ends = (self.algebra.function("exp", (self._at(line, end),)) for end in (self.high, self.low))
        return self.algebra.times(_gap(*ends), self.algebra.inverse(line.slope))

    def _of_symbolic_powers(self, bases: dict[Poly, Poly]) -> Poly:
        """v**n by its antiderivative; v**n*(1 - v)**m over the unit interval by n!*m!/(n + m + 1)!."""
        algebra = self.algebra
        known = {self._v(1).key: self._v(1), total((UNIT, scaled(self._v(1), fmpq(-1)))).key: None}
        if not all(exponents.is_count(algebra, exponent) for exponent in bases.values()):
            raise Rejected("outside", "an exponent that need not be a count")
        if list(bases) == [self._v(1)]:
            above = total((bases[self._v(1)], UNIT))
            ends = (self._power_of_end(end, above) for end in (self.high, self.low))
            return algebra.times(_gap(*ends), algebra.inverse(above))
        if self.low == 0 and self.high == 1 and len(bases) == 2 and all(base.key in known for base in bases):
            first, second = bases.values()
            top = [algebra.function("factorial", (each,)) for each in (first, second)]
            beneath = algebra.function("factorial", (total((first, second, UNIT)),))
            return algebra.product(*top, algebra.inverse(beneath))
        raise Rejected("outside", "symbolic powers of other lines")

    def _power_of_end(self, end: Fraction, exponent: Poly) -> Poly:
        return self.algebra.symbolic_power(constant(end), exponent)


def _gap(above: Poly, below: Poly) -> Poly:
    return total((above, scaled(below, fmpq(-1))))
