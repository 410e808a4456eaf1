"""Means of functions of one normal number g: powers, exponentials of quadratic functions, steps and Phi.

An exponential is taken into the density, which stays that of a normal law; powers go by integration by parts,

    E(g f(g)) = mean E(f(g)) + variance E(f'(g)),

beyond a threshold b with the density at b, for Phi with its own density, which is an exponential again.
"""

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Poly,
    constant,
    monomial,
    of_atom,
    scaled,
    total,
)
from verifier.kernel.normal.functions import Functions
from verifier.kernel.rejected import Rejected

HIGHEST = 12
HALF = Fraction(1, 2)
PI = of_atom(Function("pi"))
STEPS = ("step", "above")


@dataclass(frozen=True)
class Line:
    """slope*g + start."""

    slope: Poly
    start: Poly


@dataclass(frozen=True)
class Normal:
    """The law of g."""

    algebra: Functions
    mean: Poly
    variance: Poly

    def __post_init__(self) -> None:
        if not self.algebra.is_positive(self.variance):
            raise Rejected("outside", "a variance that is not known to be positive")

    @property
    def deviation(self) -> Poly:
        return self.algebra.root(self.variance, HALF)

    # Laws

    def tilted(self, quadratic: list[Poly]) -> tuple[Poly, "Normal"]:
        """E(f(g)*exp(a + b*g + c*g**2)) is a factor times the mean of f under another normal law; it exists
        where 1 - 2*c*variance is positive."""
        a, b, c = (*quadratic, *[NOTHING] * (3 - len(quadratic)))
        times, power = self.algebra.times, self.algebra.power
        if not c.terms:
            moved = total((self.mean, times(self.variance, b)))
            bends = scaled(times(self.variance, power(b, 2)), fmpq(1, 2))
            return self.algebra.function("exp", (total((a, times(self.mean, b), bends)),)), Normal(
                self.algebra, moved, self.variance
            )
        room = total((UNIT, scaled(times(c, self.variance), fmpq(-2))))
        if not self.algebra.is_positive(room):
            raise Rejected("outside", "an exponential that may grow faster than the density falls")
        smaller = self.algebra.inverse(room)
        variance = times(self.variance, smaller)
        mean = times(total((self.mean, times(self.variance, b))), smaller)
        # The exponent at its greatest: a + (b**2*v/2 + b*m + c*m**2)/(1 - 2*c*v).
        parts = (
            scaled(times(power(b, 2), self.variance), fmpq(1, 2)),
            times(b, self.mean),
            times(c, power(self.mean, 2)),
        )
        exponent = total((a, times(total(parts), smaller)))
        factor = times(self.algebra.root(room, -HALF), self.algebra.function("exp", (exponent,)))
        return factor, Normal(self.algebra, mean, variance)

    def density(self, at: Poly) -> Poly:
        """The density at a number."""
        away = total((at, scaled(self.mean, fmpq(-1))))
        square = self.algebra.times(self.algebra.power(away, 2), self.algebra.inverse(self.variance))
        bell = self.algebra.function("exp", (scaled(square, fmpq(-1, 2)),))
        round_ = self.algebra.root(scaled(self.algebra.times(PI, self.variance), fmpq(2)), -HALF)
        return self.algebra.times(bell, round_)

    # Integrals

    def power(self, k: int, beyond: Poly | None = None) -> Poly:
        """E(g**k), or the part of it where g is beyond a number."""
        found = [self._chance(beyond)]
        for n in range(1, k + 1):
            parts = [self.algebra.times(self.mean, found[n - 1])]
            if n > 1:
                parts.append(scaled(self.algebra.times(self.variance, found[n - 2]), fmpq(n - 1)))
            if beyond is not None:
                end = self.algebra.times(self.variance, self.density(beyond))
                parts.append(self.algebra.times(end, self.algebra.power(beyond, n - 1)))
            found.append(total(parts))
        return found[k]

    def _chance(self, beyond: Poly | None) -> Poly:
        if beyond is None:
            return UNIT
        above = total((self.mean, scaled(beyond, fmpq(-1))))
        return self.algebra.function(
            "Phi", (self.algebra.times(above, self.algebra.inverse(self.deviation)),)
        )

    def cumulative(self, k: int, line: Line, count: int) -> Poly:
        """E(g**k * Phi(line)**count)."""
        if not count:
            return self.power(k)
        if not k:
            return self._of_chances(line, count)
        times = self.algebra.times
        parts = [times(self.mean, self.cumulative(k - 1, line, count))]
        if k > 1:
            lower = self.cumulative(k - 2, line, count)
            parts.append(scaled(times(self.variance, lower), fmpq(k - 1)))
        parts.append(self.algebra.product(self.variance, line.slope, self._by_density(k - 1, line, count)))
        return total(parts)

    def _by_density(self, k: int, line: Line, count: int) -> Poly:
        """E(g**k * count * Phi(line)**(count - 1) * phi(line))."""
        minus = fmpq(-1, 2)
        slope, start = line.slope, line.start
        quadratic = [
            scaled(self.algebra.power(start, 2), minus),
            scaled(self.algebra.times(slope, start), fmpq(-1)),
            scaled(self.algebra.power(slope, 2), minus),
        ]
        factor, law = self.tilted(quadratic)
        rest = law.cumulative(k, line, count - 1)
        return scaled(
            self.algebra.product(factor, self.algebra.root(scaled(PI, fmpq(2)), -HALF), rest), fmpq(count)
        )

    def _of_chances(self, line: Line, count: int) -> Poly:
        """E(Phi(y)**count) for y = slope*g + start: for one, Phi again; for a standard normal y, Phi(y) is
        uniform; for two and a centred y, an arc."""
        algebra = self.algebra
        centre = total((algebra.times(line.slope, self.mean), line.start))
        spread = algebra.times(algebra.power(line.slope, 2), self.variance)
        room = total((UNIT, spread))
        if count == 1:
            return algebra.function("Phi", (algebra.times(centre, algebra.root(room, -HALF)),))
        if centre.terms:
            raise Rejected("outside", "a power of Phi of what is not centred")
        if spread == UNIT:
            return constant(Fraction(1, count + 1))
        if count == 2:
            ratio = algebra.times(spread, algebra.inverse(room))
            arc = algebra.times(algebra.function("asin", (ratio,)), algebra.inverse(scaled(PI, fmpq(2))))
            return total((constant(Fraction(1, 4)), arc))
        raise Rejected("outside", "a high power of Phi")


def mean_of(law: Normal, entry: Entry, factors: list[tuple[Atom, Exponent]]) -> Poly:
    """The mean of a product of functions of the entry, which is normal with this law."""
    algebra, power, exponent = law.algebra, 0, NOTHING
    lines: list[tuple[Line, int]] = []
    steps: list[Line] = []
    for atom, times in factors:
        match atom:
            case Entry() if atom == entry and isinstance(times, int) and 0 < times <= HIGHEST:
                power += times
            case Function("exp", (arg,)):
                exponent = total((exponent, scaled(arg, _rational(times))))
            case Function(name, (arg,)) if name in STEPS and isinstance(times, int) and times > 0:
                steps.append(line_of(arg, entry))
            case Function("Phi", (arg,)) if isinstance(times, int) and 0 < times <= HIGHEST:
                lines.append((line_of(arg, entry), times))
            case _:
                raise Rejected("outside", f"the mean of a function of {entry.name} that is not known")
    factor, tilted = law.tilted(coefficients(exponent, entry, 2))
    if len(lines) > 1 or (lines and steps):
        raise Rejected("outside", "the mean of a product of several such functions")
    if lines:
        return algebra.times(factor, tilted.cumulative(power, *lines[0]))
    return algebra.times(factor, _beyond(tilted, power, steps))


def _beyond(law: Normal, power: int, steps: list[Line]) -> Poly:
    """E(g**power) where all steps are 1."""
    algebra, ends = law.algebra, []
    for step in steps:
        if not algebra.is_positive(step.slope):
            if not algebra.is_positive(scaled(step.slope, fmpq(-1))):
                raise Rejected("outside", "a step of what may rise or fall")
            # Where g is below a number: what is not beyond it.
            rest = [other for other in steps if other is not step]
            turned = Line(scaled(step.slope, fmpq(-1)), scaled(step.start, fmpq(-1)))
            beyond = _beyond(law, power, [*rest, turned])
            return total((_beyond(law, power, rest), scaled(beyond, fmpq(-1))))
        ends.append(scaled(algebra.times(step.start, algebra.inverse(step.slope)), fmpq(-1)))
    return law.power(power, _greatest(algebra, ends) if ends else None)


def _greatest(algebra: Functions, ends: list[Poly]) -> Poly:
    for end in ends:
        if all(algebra.is_nonnegative_poly(total((end, scaled(other, fmpq(-1))))) for other in ends):
            return end
    raise Rejected("outside", "thresholds that are not known to be ordered")


def line_of(arg: Poly, entry: Entry) -> Line:
    start, slope = (*coefficients(arg, entry, 1), NOTHING)[:2]
    return Line(slope, start)


def coefficients(poly: Poly, entry: Entry, degree: int) -> list[Poly]:
    """Of a polynomial in the entry, of at most this degree."""
    found: list[dict[object, fmpq]] = [{} for _ in range(degree + 1)]
    for powers, factor in poly.terms.items():
        rest = dict(powers)
        power = rest.pop(entry, 0)
        if any(entry.name in atom.names for atom in rest) or not isinstance(power, int):
            raise Rejected("outside", f"a function of {entry.name} that is no polynomial")
        if not 0 <= power <= degree:
            raise Rejected("outside", f"a function of {entry.name} of a degree that no integral is known of")
        found[power][monomial(rest)] = factor
    return [Poly(part) for part in found]  # type: ignore[arg-type]


def _rational(power: Exponent) -> fmpq:
    exact = Fraction(power)
    return fmpq(exact.numerator, exact.denominator)
