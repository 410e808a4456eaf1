"""Whether one magnitude is at most another, term by term.

A magnitude is covered when each of its terms finds room in a term of the other side: the same atoms, a
coefficient no larger, dimensions to no larger a power (every dimension is at least 1), or half of each of
two terms (2 x y <= x**2 + y**2).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq

from verifier.exact.numbers.constants import is_zero, power
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.prove.rules.magnitude_forms import Magnitude, Monomial, positive_part


def covered(small: Magnitude, large: Magnitude, symbols: Mapping[str, K.Declared]) -> bool:
    """Every term of `small` finds room in `large`."""
    room: dict[Monomial, Any] = dict(large.terms)
    left: list[tuple[Monomial, Any]] = []
    for monomial, coefficient in small.terms:
        rest = _fit(monomial, coefficient, room, symbols)
        if rest is not None:
            left.append((monomial, rest))
    return all(_fit_between(monomial, coefficient, room) for monomial, coefficient in left)


def _fit(
    monomial: Monomial, coefficient: Any, room: dict[Monomial, Any], symbols: Mapping[str, K.Declared]
) -> Any:
    """What remains of a term once it has been placed where it fits; None if nothing remains."""
    for place in sorted(room, key=lambda other: other != monomial):
        if not _below(monomial, place, symbols):
            continue
        spare = room[place] - coefficient
        if positive_part(spare):
            room[place] = spare
            return None
        coefficient = coefficient - room[place]
        room[place] = fmpq(0)
    return coefficient


def _below(small: Monomial, large: Monomial, symbols: Mapping[str, K.Declared]) -> bool:
    """Equal but for dimensions, and those to no larger a power."""
    first, second = dict(small), dict(large)
    for atom in first.keys() | second.keys():
        gap = second.get(atom, Fraction(0)) - first.get(atom, Fraction(0))
        dimension = _at_least_one(atom, symbols)
        if gap < 0 or (gap > 0 and not dimension):
            return False
    return True


def _at_least_one(atom: N.Node, symbols: Mapping[str, K.Declared]) -> bool:
    return (
        isinstance(atom, N.Symbol)
        and atom.name in symbols
        and isinstance(symbols[atom.name].kind, K.Dimension | K.IndexOf)
    )


def _fit_between(monomial: Monomial, coefficient: Any, room: dict[Monomial, Any]) -> bool:
    """c*sqrt(x*y) <= a*x + b*y as soon as c**2 <= 4*a*b."""
    whole = Magnitude(((monomial, fmpq(1)),)).raised(Fraction(2))
    places = list(room)
    for at, first in enumerate(places):
        for second in places[at + 1 :]:
            product = Magnitude(((first, fmpq(1)),)) * Magnitude(((second, fmpq(1)),))
            if product != whole or is_zero(room[first]) or is_zero(room[second]):
                continue
            spare = fmpq(4) * room[first] * room[second] - coefficient * coefficient
            if not positive_part(spare):
                continue
            # Take t*a from x and c**2/(4*t*a) from y with t chosen so that both shrink alike.
            share = power(
                coefficient * coefficient * _inverse(fmpq(4) * room[first] * room[second]), fmpq(1, 2)
            )
            room[first] = room[first] - share * room[first]
            room[second] = room[second] - share * room[second]
            return True
    return False


def _inverse(value: Any) -> Any:
    return power(value, fmpq(-1))
