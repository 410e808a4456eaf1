"""Sums and entries that assumptions give a value: of matrices, entry by entry, for all values of an index.

`U.T @ U == eye(r)` says of every p and q that sum(U[a, p]*U[a, q], a, 1, n) is 1 or 0,
`all(norm(X[k]) == 1, k, 1, n)` of every k that sum(X[k, j]**2, j, 1, m) is 1, `X[1] == Y[1]` of every j that
X[1, j] is Y[1, j]. Such a sum or entry is replaced wherever it stands, if p, q, k and j are in their ranges.
Assumptions about what is random change its law: no mean is taken of such draws.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Fact, ForAll, Node, Relation
from verifier.kernel.core.axes import columns, common, fixed, rows
from verifier.kernel.core.settle import settled
from verifier.kernel.normal.atoms import (
    Atom,
    Entry,
    Exponent,
    Monomial,
    Net,
    Poly,
    scaled,
    total,
    write_monomial,
)
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.normalise import Normaliser
    from verifier.kernel.normal.sums import Sums

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


@dataclass(frozen=True)
class EntryLaw:
    """The value of an entry, for all params."""

    params: tuple[str, ...]
    entry: Entry
    value: Poly


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


def assumed_laws(algebra: "Normaliser") -> None:
    """What the assumptions in force say of sums and entries, each by means of those before it."""
    for fact in algebra.context.assumptions:
        with suppress(Rejected):
            _add_law(algebra, fact)


def _add_law(algebra: "Normaliser", fact: Fact) -> None:
    context, ranges = algebra.context, {}
    reader = replace(algebra.reader, indices={})
    if isinstance(fact, ForAll) and not fact.conditions:
        for ranged in fact.ranges:
            name = f"%q{next(algebra.fresh)}"
            ranges[name] = reader.position(ranged.low), reader.position(ranged.high)
            reader = replace(reader, indices={**reader.indices, ranged.index: name})
        fact = fact.fact
    if not isinstance(fact, Relation) or fact.op != "==" or context.is_entered(fact):
        return
    sides = (fact.left, fact.right)
    places = []
    for axis_of, size in ((rows, fact.left.shape.rows), (columns, fact.left.shape.cols)):
        axis = fixed(common(map(axis_of, sides)), size) if not fact.left.shape.is_scalar else ()
        names = [f"%q{next(algebra.fresh)}" for _ in axis]
        ranges |= {name: (Dim.of(1), limit) for name, limit in zip(names, axis, strict=True)}
        places.append(tuple(map(Dim.of, names)))
    algebra.ranges |= ranges

    def entry(side: Node) -> Poly:
        term = reader.scalar(side) if side.shape.is_scalar else reader.entry(side, *places)
        return algebra.normal(settled(algebra.reader, term))

    left, right = map(entry, sides)
    is_random = any(context.is_random(name) for side in sides for name in context.reach(side))
    for power in (1, 2) if ranges and not is_random else ():
        gap = algebra.power(left, power), scaled(algebra.power(right, power), fmpq(-1))
        law = _solved(algebra, total(gap), tuple(ranges))
        if law is not None:
            algebra.laws.append(law)
            return
    found = _of_entry(total((left, scaled(right, fmpq(-1)))), tuple(ranges))
    if found is not None:
        algebra.entries.append(found)


def _of_entry(gap: Poly, params: tuple[str, ...]) -> EntryLaw | None:
    """The equation solved for an entry in which all params stand, and whose symbol stands nowhere else."""
    found = []
    for powers in gap.terms:
        match powers:
            case ((Entry(name, (_, *_) as at) as entry, 1),):
                others = (atom for each in gap.terms for atom, _ in each if each != powers)
                own = set(params) & entry.names
                plain = all(own & p.names in (set(), p.names) and len(own & p.names) <= 1 for p in at)
                if own == set(params) and plain and not any(name in other.names for other in others):
                    found.append((write_monomial(powers, str), powers, entry))
    if not found:
        return None
    _, lead, entry = max(found, key=lambda item: item[0])
    rest = Poly({powers: factor for powers, factor in gap.terms.items() if powers != lead})
    return EntryLaw(params, entry, scaled(rest, -1 / gap.terms[lead]))


def assumed_entry(algebra: "Sums", entry: Entry) -> Poly | None:
    """What an assumption says that an entry is; None where none does."""
    for law in algebra.entries:
        if law.entry.name != entry.name or law in algebra.entering:
            continue
        for put in _met([law.entry], [entry], {}, {*law.params}):
            if all(algebra.is_among(put[name], name) for name in law.params):
                algebra.entering.append(law)
                try:
                    found = law.value
                    for name in law.params:
                        found = algebra.substituted(found, name, put[name])
                    return algebra.normal(algebra.term_of(found))
                finally:
                    algebra.entering.remove(law)
    return None


def _solved(algebra: "Normaliser", gap: Poly, params: tuple[str, ...]) -> SumLaw | None:
    """The equation for its longest sum of entries over one index, with as many params in it as there may be.
    The others have their first values in what the sum is: what is true for all of them is true for these."""
    sums = []
    for powers in gap.terms:
        match powers:
            case ((Net(((index, low, high),), factors) as net, 1),):
                entries, own = expanded(factors), tuple(name for name in params if name in net.names)
                if entries is not None and own:
                    text = write_monomial(powers, str)
                    sums.append((len(own), len(entries), text, powers, index, low, high, entries, own))
    if not sums:
        return None
    _, _, _, lead, index, low, high, entries, own = max(sums, key=lambda item: item[:3])
    rest = Poly({powers: factor for powers, factor in gap.terms.items() if powers != lead})
    for name in params:
        if name not in own:
            first = algebra.ranges[name][0]
            if not algebra.is_among(first, name):
                return None
            rest = algebra.substituted(rest, name, first)
    return SumLaw(own, index, low, high, entries, scaled(rest, -1 / gap.terms[lead]))


def assumed_sum(algebra: "Sums", touching: list[tuple[Atom, Exponent]], index: str) -> Poly | None:
    """What an assumption says that the sum over an index of these factors is; None where none does."""
    factors = expanded(touching) if algebra.laws else None
    for law in algebra.laws if factors is not None else ():
        if algebra.ranges[index] != (law.low, law.high) or law in algebra.entered:
            continue
        for put in law.met_by(index, factors or ()):
            if all(index not in put[name].names and algebra.is_among(put[name], name) for name in law.params):
                found = _value_at(algebra, law, put)
                if found != algebra.net({index: (law.low, law.high)}, tuple(touching)):
                    return found
    return None


def _value_at(algebra: "Sums", law: SumLaw, put: dict[str, Dim]) -> Poly:
    """The value of a sum at these positions. The sum may stand in it, and is left there."""
    algebra.entered.append(law)
    try:
        found = law.value
        for name in law.params:
            found = algebra.substituted(found, name, put[name])
        return found
    finally:
        algebra.entered.remove(law)
