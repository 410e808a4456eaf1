"""Signs over ranges: a symbol written by its distance from an end of its range."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from flint import fmpq

from verifier.expr.nodes import Number
from verifier.expr.symbols import Dimension, IndexOf, Interval
from verifier.kernel.normal.algebra import Algebra
from verifier.kernel.normal.atoms import Atom, Entry, Poly, constant, of_atom, scaled, total

MOST_ENDS = 64  # choices of ends


def is_signed(algebra: Algebra, poly: Poly, strict: bool) -> bool:
    """Whether a polynomial is never negative (or positive): a sum of such terms, once every size n is written
    as 1 + n', and every symbol x of an interval as low + x' or high - x', where a dash says: not negative."""
    if not poly.terms:
        return not strict
    outer, inner = algebra.content(poly)
    ((powers, factor),) = outer.terms.items()
    outside = Poly({powers: fmpq(1)})
    if not (algebra.is_positive(outside) if strict else algebra.is_nonnegative_poly(outside)):
        return False
    inner = scaled(inner, factor)
    for atom in sorted(set(inner.atoms()), key=lambda each: each.key):
        if (values := _both_ends(algebra, atom, inner)) is not None:
            return all(is_signed(algebra, _replaced(algebra, inner, atom, end), strict) for end in values)
    choices = [list(_ends(algebra, atom)) for atom in sorted(set(inner.atoms()), key=lambda each: each.key)]
    choices = [ends for ends in choices if ends]
    for count, ends in enumerate(product(*choices)):
        if count >= MOST_ENDS:
            return False
        shifted = inner
        for atom, value in ends:
            shifted = _replaced(algebra, shifted, atom, value)
        if algebra.is_positive(shifted) if strict else algebra.is_nonnegative_poly(shifted):
            return True
    return False


def _both_ends(algebra: Algebra, atom: Atom, poly: Poly) -> tuple[Poly, Poly] | None:
    """The ends of the range of a symbol in which a polynomial is linear: it has the sign of both there."""
    if not isinstance(atom, Entry) or atom.at or atom.name not in algebra.context.symbols:
        return None
    alone = all(atom.name not in other.names for other in poly.atoms() if other != atom)
    match algebra.context.symbols[atom.name].kind:
        case Interval(Number(low), Number(high)) if alone:
            if all(dict(powers).get(atom, 0) in (0, 1) for powers in poly.terms):
                return constant(low), constant(high)
    return None


def _ends(algebra: Algebra, atom: Atom) -> Iterator[tuple[Atom, Poly]]:
    """The symbol by its distance from either end of its range."""
    if not isinstance(atom, Entry) or atom.at or atom.name not in algebra.context.symbols:
        return
    distance = of_atom(Entry(f"{atom.name}'"))
    match algebra.context.symbols[atom.name].kind:
        case Dimension() | IndexOf():
            yield atom, total((constant(1), distance))
        case Interval(low, high):
            if isinstance(low, Number):
                yield atom, total((constant(low.value), distance))
            if isinstance(high, Number):
                yield atom, total((constant(Fraction(high.value)), scaled(distance, fmpq(-1))))


def _replaced(algebra: Algebra, poly: Poly, atom: Atom, value: Poly) -> Poly:
    """The polynomial with a value in the place of a symbol that stands to whole powers; where it stands
    inside of another atom it is left there, as a number of its own."""
    found = []
    for powers, factor in poly.terms.items():
        power = dict(powers).get(atom, 0)
        if isinstance(power, int) and power > 0:
            rest = Poly({tuple(item for item in powers if item[0] != atom): factor})
            found.append(algebra.times(rest, algebra.power(value, power)))
        else:
            found.append(Poly({powers: factor}))
    return total(found)
