"""Means over draws that are bounded: over the outcomes of a sign or a mask, or between two ends."""

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.symbols import Bernoulli
from verifier.kernel.boxes import interval as iv
from verifier.kernel.boxes.evaluate import Enclosure, spread
from verifier.kernel.boxes.region import declared_region, variables
from verifier.kernel.normal.atoms import (
    UNIT,
    Atom,
    Entry,
    Exponent,
    Function,
    Poly,
    constant,
    monomial,
    scaled,
    total,
)
from verifier.kernel.normal.integrals import STEPS, line_of
from verifier.kernel.normal.laws import At, Law
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

Factors = list[tuple[Atom, Exponent]]


def over_outcomes(algebra: "Means", law: Law, places: list[At], factors: Factors) -> Poly:
    """The mean of a product of functions of signs (1 or -1) or masks (1 or 0), at places that differ."""
    for first, second in combinations(places, 2):
        if algebra.product(*(algebra.same(p, q) for p, q in zip(first, second, strict=True))).terms:
            raise Rejected("outside", "entries that may be the same")
    found, name = Poly({monomial(dict(factors)): fmpq(1)}), law.declared.name
    chance, other = constant(Fraction(1, 2)), -1
    if isinstance(law.declared.kind, Bernoulli):
        chance, other = algebra.of_node(law.declared.kind.chance), 0
    rest = total((UNIT, scaled(chance, fmpq(-1))))
    for at in places:
        values = [algebra.at_number(found, Entry(name, at), value) for value in (1, other)]
        found = total((algebra.times(chance, values[0]), algebra.times(rest, values[1])))
    return found


def uniform_mean(algebra: "Means", low: Fraction, high: Fraction, entry: Entry, factors: Factors) -> Poly:
    """The mean of a power times steps, each at a threshold that lies between the ends."""
    power, ends = 0, (constant(low), constant(high))
    lower: list[Poly] = []
    upper: list[Poly] = []
    for atom, times in factors:
        match atom:
            case Entry() if isinstance(times, int) and times > 0:
                power += times
            case Function(name, (arg,)) if name in STEPS and isinstance(times, int) and times > 0:
                line = line_of(arg, entry)
                rises = algebra.is_positive(line.slope)
                if not rises and not algebra.is_positive(scaled(line.slope, fmpq(-1))):
                    raise Rejected("outside", "a step of what may rise or fall")
                at = scaled(algebra.times(line.start, algebra.inverse(line.slope)), fmpq(-1))
                _require_between(algebra, at, low, high)
                (lower if rises else upper).append(at)
            case _:
                raise Rejected("outside", f"the mean of a function of {entry.name} that is not known")
    if len(lower) + len(upper) > 1:
        raise Rejected("outside", "the mean of a product of several steps")
    first, last = (lower or ends[:1])[0], (upper or ends[1:])[0]
    area = total((algebra.power(last, power + 1), scaled(algebra.power(first, power + 1), fmpq(-1))))
    width = (high - low) * (power + 1)
    return scaled(area, fmpq(width.denominator, width.numerator))


def _require_between(algebra: "Means", at: Poly, low: Fraction, high: Fraction) -> None:
    """A threshold that is a number between the ends, whatever its symbols are."""
    term = spread(algebra.term_of(at), algebra.context.where, algebra.budget)
    region = declared_region(algebra.context, variables(term), algebra.budget)
    found = Enclosure(region.box, region.positive, algebra.budget).of(term)
    if not (found.low >= iv.of_number(low).high and found.high <= iv.of_number(high).low):
        raise Rejected("outside", "a threshold that is not known to lie between the ends")
