"""Sums that assumptions give a value: of matrices, entry by entry, and for all values of an index.

`U.T @ U == eye(r)` says of every p and q that sum(U[a, p]*U[a, q], a, 1, n) is 1 or 0,
`all(norm(X[k]) == 1, k, 1, n)` of every k that sum(X[k, j]**2, j, 1, m) is 1. Such a sum is replaced wherever
it stands, if p, q and k are in their ranges. Assumptions about what is random change its law, and say nothing
here.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Fact, ForAll, Let, Node, Relation, Symbol
from verifier.kernel.core.axes import columns, common, fixed, rows
from verifier.kernel.core.settle import settled
from verifier.kernel.normal.atoms import Atom, Entry, Exponent, Monomial, Net, Poly, scaled, write_monomial
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.normalise import Normaliser

Positions = tuple[Dim, ...]
MOST_FACTORS = 6


@dataclass(frozen=True)
class SumLaw:
    """sum of the product of these entries, for index = low..high, for all params; its value."""

    params: tuple[str, ...]
    index: str
    low: Dim
    high: Dim
    factors: tuple[Entry, ...]
    value: Poly

    def met_by(self, own: str, factors: tuple[Entry, ...]) -> Iterator[dict[str, Dim]]:
        """The positions of the params at which these are the factors, summed over `own`."""
        if len(factors) == len(self.factors):
            yield from _met(list(self.factors), list(factors), {self.index: Dim.of(own)}, {*self.params})


def _met(
    wanted: list[Entry], given: list[Entry], put: dict[str, Dim], params: set[str]
) -> Iterator[dict[str, Dim]]:
    if not wanted:
        yield put
        return
    first, *rest = wanted
    for at, entry in enumerate(given):
        orders = [entry.at, entry.at[::-1]] if entry.symmetric else [entry.at]
        for places in orders if entry.name == first.name else []:
            found = _unified(first.at, places, put, params)
            if found is not None:
                yield from _met(rest, given[:at] + given[at + 1 :], found, params)


def _unified(
    wanted: Positions, given: Positions, put: dict[str, Dim], params: set[str]
) -> dict[str, Dim] | None:
    found = dict(put)
    for want, have in zip(wanted, given, strict=True):
        name = next(iter(want.names), "")
        if want == Dim.of(name) and name in params and name not in found:
            found[name] = have
        elif want.replace(found) != have:
            return None
    return found


def expanded(factors: Monomial | list[tuple[Atom, Exponent]]) -> tuple[Entry, ...] | None:
    """A product of entries, each as often as it stands there; None for other products."""
    found: list[Entry] = []
    for atom, power in factors:
        if (
            not isinstance(atom, Entry)
            or not atom.at
            or not isinstance(power, int)
            or not 0 < power <= MOST_FACTORS
        ):
            return None
        found += [atom] * power
    return tuple(found)


def sum_laws(algebra: "Normaliser") -> Iterator[SumLaw]:
    """What the assumptions in force say of sums."""
    for fact in algebra.context.assumptions:
        with suppress(Rejected):
            yield from _of_fact(algebra, fact)


def _of_fact(algebra: "Normaliser", fact: Fact) -> Iterator[SumLaw]:
    context, ranges = algebra.context, {}
    reader = replace(algebra.reader, indices={})
    if isinstance(fact, ForAll) and not fact.conditions:
        for ranged in fact.ranges:
            name = f"%q{next(algebra.fresh)}"
            ranges[name] = reader.position(ranged.low), reader.position(ranged.high)
            reader = replace(reader, indices={**reader.indices, ranged.index: name})
        fact = fact.fact
    if not isinstance(fact, Relation) or fact.op != "==" or isinstance(fact.left, Let | Symbol):
        return
    sides = (fact.left, fact.right)
    if any(context.is_random(name) for side in sides for name in context.reach(side)):
        return
    places = []
    for axis_of, size in ((rows, fact.left.shape.rows), (columns, fact.left.shape.cols)):
        axis = fixed(common(map(axis_of, sides)), size) if not fact.left.shape.is_scalar else ()
        names = [f"%q{next(algebra.fresh)}" for _ in axis]
        ranges |= {name: (Dim.of(1), limit) for name, limit in zip(names, axis, strict=True)}
        places.append(tuple(map(Dim.of, names)))
    if not ranges:
        return
    algebra.ranges |= ranges

    def entry(side: Node) -> Poly:
        term = reader.scalar(side) if side.shape.is_scalar else reader.entry(side, *places)
        return algebra.normal(settled(algebra.reader, term))

    left, right = map(entry, sides)
    for power in (1, 2):
        gap = algebra.power(left, power), scaled(algebra.power(right, power), fmpq(-1))
        law = _solved(Poly(_added(*gap)), tuple(ranges))
        if law is not None:
            yield law
            return


def _added(first: Poly, second: Poly) -> dict[Monomial, fmpq]:
    found = dict(first.terms)
    for powers, factor in second.terms.items():
        found[powers] = found.get(powers, fmpq(0)) + factor
    return {powers: factor for powers, factor in found.items() if factor}


def _solved(gap: Poly, params: tuple[str, ...]) -> SumLaw | None:
    """The equation for its longest sum of entries over one index, all params in it."""
    sums = []
    for powers in gap.terms:
        match powers:
            case ((Net(((index, low, high),), factors), 1),) if set(params) <= powers[0][0].names:
                entries = expanded(factors)
                if entries is not None:
                    sums.append(
                        (len(entries), write_monomial(powers, str), powers, index, low, high, entries)
                    )
    if not sums:
        return None
    _, _, lead, index, low, high, entries = max(sums, key=lambda item: item[:2])
    rest = Poly({powers: factor for powers, factor in gap.terms.items() if powers != lead})
    return SumLaw(params, index, low, high, entries, scaled(rest, -1 / gap.terms[lead]))
