"""Denominators of normal forms: multiplied out, and divided by."""

from fractions import Fraction

from verifier.kernel.normal.atoms import Inverse, Monomial, Poly, monomial, total
from verifier.kernel.normal.zero import ZeroTest


def times_over(algebra: ZeroTest, poly: Poly, inverse: Inverse, most: int) -> Poly:
    """A polynomial times a power of what an atom is the inverse of, which stands to at most that power."""
    parts = (
        algebra.times(
            Poly({tuple(item for item in powers if item[0] != inverse): factor}),
            algebra.power(inverse.base, most - power_of(inverse, powers)),
        )
        for powers, factor in poly.terms.items()
    )
    return total(parts)


def power_of(inverse: Inverse, powers: Monomial) -> int:
    return int(dict(powers).get(inverse, 0))


def over(poly: Poly, other: Poly) -> Poly | None:
    """A term over another that divides it, also where that is 0."""
    if len(poly.terms) != 1 or len(other.terms) != 1:
        return None
    ((powers, factor),), ((below, divisor),) = poly.terms.items(), other.terms.items()
    left = dict(powers)
    for atom, power in below:
        rest = Fraction(left.get(atom, 0)) - power
        if power <= 0 or rest < 0:
            return None
        left[atom] = rest
    return Poly({monomial(left): factor / divisor})
