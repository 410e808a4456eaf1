"""Joins inside a component and between two of them, each computed once."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.prove.networks.canonical_forms import canonical
from verifier.prove.networks.merge_indices import settle
from verifier.prove.networks.network_sums import shifted
from verifier.prove.networks.network_tensors import Flat, Frame, Label, Occurrence
from verifier.prove.networks.ring import Coefficient
from verifier.prove.networks.tensor_laws import Contraction, Move, Ways

Ids = tuple[int, ...]


# A sum of products of components, numbered: (those with the random tensor, those without) -> weight,
# and how many pairings it stands for.
Products = dict[tuple[Ids, Ids], tuple[Coefficient, Ways]]


@dataclass
class Contractor:
    """The components met while one tensor is integrated, by number, and their joins.

    single, blocks: where the copies of the tensor are in a component, and the blocks of several
    entries that grow from them, see Cumulants. copies: how many there are of both.

    A state of the integration is a multiset of components, but a join touches two of them at most:
    what it makes depends on nothing else, so that few joins serve very many states.
    """

    frame: Frame
    name: str
    contraction: Contraction
    components: list[Flat] = field(default_factory=list)
    single: list[list[int]] = field(default_factory=list)
    blocks: list[list[int]] = field(default_factory=list)
    copies: list[int] = field(default_factory=list)
    _ids: dict[Flat, int] = field(default_factory=dict)
    _alone: dict[int, Products] = field(default_factory=dict)
    _cross: dict[tuple[int, int], Products] = field(default_factory=dict)
    _orbits: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def id(self, component: Flat) -> int:
        """The number of a canonical component."""
        found = self._ids.get(component)
        if found is None:
            found = self._ids[component] = len(self.components)
            name = self.name
            single = [q for q, factor in enumerate(component) if factor[0] == name]
            blocks: list[int] = []
            if self.contraction.grows:
                prefix = name + "{"
                blocks = [q for q, factor in enumerate(component) if factor[0].startswith(prefix)]
            self.components.append(component)
            self.single.append(single)
            self.blocks.append(blocks)
            self.copies.append(len(single) + len(blocks))
        return found

    def chosen(self, a: int) -> int:
        """The factor of a component that is contracted: the growing block, else the first copy."""
        return (self.blocks[a] or self.single[a])[0]

    def alone(self, a: int) -> Products:
        """The chosen factor of a, by itself and with every other copy in a."""
        if a not in self._alone:
            flat = self.components[a]
            p = self.chosen(a)
            made: Products = {}
            for move in self.contraction.alone(flat[p]):
                self._add(made, flat, (p,), move)
            for q in self.single[a]:
                if q != p:
                    for move in self.contraction.joined(flat[p], flat[q]):
                        self._add(made, flat, (p, q), move)
            self._alone[a] = _nonzero(made)
        return self._alone[a]

    def cross(self, a: int, b: int) -> Products:
        """The chosen factor of a with every copy in b."""
        if (a, b) not in self._cross:
            first = self.components[a]
            p = self.chosen(a)
            width = 1 + max((x for _, xs in first for x in xs if isinstance(x, int)), default=-1)
            second = shifted(self.components[b], width)
            both = (*first, *second)
            made: Products = {}
            for q, multiplicity in self.orbits(b):
                for move in self.contraction.joined(first[p], second[q]):
                    self._add(made, both, (p, len(first) + q), move, multiplicity)
            self._cross[a, b] = _nonzero(made)
        return self._cross[a, b]

    def orbits(self, b: int) -> list[tuple[int, int]]:
        """One copy for each class of copies that automorphisms exchange, with the class's size.

        Two copies are exchanged iff marking either gives the same canonical form.
        """
        if b not in self._orbits:
            flat, single = self.components[b], self.single[b]
            if len(single) == 1:
                return [(single[0], 1)]
            classes: dict[Flat, list[int]] = {}
            for q in single:
                marked = (*flat[:q], (self.name + "*", flat[q][1]), *flat[q + 1 :])
                classes.setdefault(canonical(self.frame, marked), []).append(q)
            self._orbits[b] = [(qs[0], len(qs)) for qs in classes.values()]
        return self._orbits[b]

    def _add(self, made: Products, flat: Flat, removed: tuple[int, ...], move: Move, times: int = 1) -> None:
        """made += times * flat, with what the move says in place of the removed factors."""
        frame = self.frame
        spaces = frame.tensors[self.name].spaces
        alive: dict[Label, str] = {}
        for position in removed:
            alive.update(zip(flat[position][1], spaces, strict=True))
        rest: list[Occurrence] = [f for i, f in enumerate(flat) if i not in removed]
        rest += move.added
        settled = settle(frame, rest, move.pairs, alive)
        if settled is None:
            return
        ids = sorted([self.id(canonical(frame, c)) for c in settled.components])
        copies = self.copies
        key = (tuple([i for i in ids if copies[i]]), tuple([i for i in ids if not copies[i]]))
        weight, ways = frame.ring.times(settled.coefficient, move.weight), move.ways
        if times != 1:
            weight, ways = weight * times, ways * times
        accumulate(made, key, weight, ways)


def accumulate(made: Products, key: tuple[Ids, Ids], weight: Coefficient, ways: Ways) -> None:
    before = made.get(key)
    made[key] = (weight, ways) if before is None else (before[0] + weight, before[1] + ways)


def _nonzero(made: Products) -> Products:
    return {key: value for key, value in made.items() if value[0]}
