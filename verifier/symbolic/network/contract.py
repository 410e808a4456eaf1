"""Joins inside a component and between two of them, each computed once."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.symbolic.network.forms import canonical
from verifier.symbolic.network.laws import Contraction, Move, Ways
from verifier.symbolic.network.ring import Coefficient
from verifier.symbolic.network.settle import settle
from verifier.symbolic.network.sums import shifted
from verifier.symbolic.network.tensors import Flat, Frame, Label, Occurrence

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """weight * product of components: those with the random tensor, and those without."""

    random: Ids
    free: Ids
    weight: Coefficient
    ways: Ways


@dataclass
class Contractor:
    """The components met while one tensor is integrated, by number, and their joins.

    copies: how many factors of a component are still to be contracted. growing: whether one of
    them is a block of several entries, see Cumulants.

    A state of the integration is a multiset of components, but a join touches two of them at most:
    what it makes depends on nothing else, so that few joins serve very many states.
    """

    frame: Frame
    name: str
    contraction: Contraction
    components: list[Flat] = field(default_factory=list)
    copies: list[int] = field(default_factory=list)
    growing: list[bool] = field(default_factory=list)
    _ids: dict[Flat, int] = field(default_factory=dict)
    _alone: dict[int, list[Product]] = field(default_factory=dict)
    _cross: dict[tuple[int, int], list[Product]] = field(default_factory=dict)
    _orbits: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def id(self, component: Flat) -> int:
        """The number of a canonical component."""
        found = self._ids.get(component)
        if found is None:
            found = self._ids[component] = len(self.components)
            self.components.append(component)
            names = [name for name, _ in component]
            blocks = sum([name.startswith(self.name + "{") for name in names])
            self.growing.append(blocks > 0)
            self.copies.append(blocks + names.count(self.name))
        return found

    def chosen(self, a: int) -> int:
        """The factor of a component that is contracted: the growing block, else the first copy."""
        names = [name for name, _ in self.components[a]]
        if self.growing[a]:
            return next(i for i, n in enumerate(names) if n.startswith(self.name + "{"))
        return names.index(self.name)

    def alone(self, a: int) -> list[Product]:
        """The chosen factor of a, by itself and with every other copy in a."""
        if a not in self._alone:
            flat = self.components[a]
            p = self.chosen(a)
            made = _Made(self)
            for move in self.contraction.alone(flat[p]):
                made.add(flat, {p}, move, 1)
            for q, (name, _) in enumerate(flat):
                if q != p and name == self.name:
                    for move in self.contraction.joined(flat[p], flat[q]):
                        made.add(flat, {p, q}, move, 1)
            self._alone[a] = made.products()
        return self._alone[a]

    def cross(self, a: int, b: int) -> list[Product]:
        """The chosen factor of a with every copy in b."""
        if (a, b) not in self._cross:
            first = self.components[a]
            p = self.chosen(a)
            width = 1 + max((x for _, xs in first for x in xs if isinstance(x, int)), default=-1)
            second = shifted(self.components[b], width)
            both = (*first, *second)
            made = _Made(self)
            for q, multiplicity in self.orbits(b):
                for move in self.contraction.joined(first[p], second[q]):
                    made.add(both, {p, len(first) + q}, move, multiplicity)
            self._cross[a, b] = made.products()
        return self._cross[a, b]

    def orbits(self, b: int) -> list[tuple[int, int]]:
        """One copy for each class of copies that automorphisms exchange, with the class's size.

        Two copies are exchanged iff marking either gives the same canonical form.
        """
        if b not in self._orbits:
            flat = self.components[b]
            classes: dict[Flat, list[int]] = {}
            for q, (name, labels) in enumerate(flat):
                if name == self.name:
                    marked = (*flat[:q], (name + "*", labels), *flat[q + 1 :])
                    classes.setdefault(canonical(self.frame, marked), []).append(q)
            self._orbits[b] = [(qs[0], len(qs)) for qs in classes.values()]
        return self._orbits[b]


@dataclass
class _Made:
    """Products collected: equal ones are added up."""

    contractor: Contractor
    found: dict[tuple[Ids, Ids], tuple[Coefficient, Ways]] = field(default_factory=dict)

    def add(self, flat: Flat, removed: set[int], move: Move, times: int) -> None:
        """Replace the removed factors by what the move says."""
        frame, contractor = self.contractor.frame, self.contractor
        alive: dict[Label, str] = {}
        for position in removed:
            name, labels = flat[position]
            alive.update(zip(labels, frame.spaces(name), strict=True))
        rest: list[Occurrence] = [f for i, f in enumerate(flat) if i not in removed]
        settled = settle(frame, [*rest, *move.added], move.pairs, alive)
        if settled is None:
            return
        ids = sorted(contractor.id(canonical(frame, c)) for c in settled.components)
        key = (
            tuple([i for i in ids if contractor.copies[i]]),
            tuple([i for i in ids if not contractor.copies[i]]),
        )
        weight, ways = settled.coefficient * move.weight * times, move.ways * times
        before = self.found.get(key)
        self.found[key] = (weight, ways) if before is None else (before[0] + weight, before[1] + ways)

    def products(self) -> list[Product]:
        return [
            Product(random, free, weight, ways)
            for (random, free), (weight, ways) in self.found.items()
            if not weight.is_zero()
        ]
