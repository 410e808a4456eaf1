"""Canonical forms: two components get the same form if and only if they are isomorphic.

A cycle is its least rotation or reflection. A graph is ordered by colour refinement: vertices are
told apart by what is at them, then by the colours of their neighbours, until nothing changes. Where
vertices of one colour remain, each in turn is made special and the least form found is taken;
automorphisms met on the way say which of them need no try.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier.prove.networks.network_tensors import Flat, Frame
from verifier.prove.networks.skeleton import Skeleton, Word, read, reverse, write, write_cycle

Colours = list[int]
_Signature = tuple[int, tuple[tuple[Word, int], ...], tuple[tuple[str, int, tuple[int, ...]], ...]]


def canonical(frame: Frame, component: Flat) -> Flat:
    """The canonical form of a connected component, itself a component."""
    name, labels = component[0]
    if not labels or name.startswith("delta:"):
        return component
    shape = read(frame, component)
    if isinstance(shape, Skeleton):
        return write(_least(frame, shape))
    return write_cycle(least_cycle(frame, shape))


def least_cycle(frame: Frame, word: Word) -> Word:
    """tr(A B C) = tr(B C A) = tr(C' B' A')"""
    backwards = reverse(frame, word)
    least = _least_rotation(word)
    return least if backwards == word else min(least, _least_rotation(backwards))


def _least_rotation(word: Word) -> Word:
    first = min(word)
    return min([word[i:] + word[:i] for i, letter in enumerate(word) if letter == first])


def _least(frame: Frame, skeleton: Skeleton) -> Skeleton:
    """The skeleton with its vertices in canonical order."""
    ordered = sorted(set(skeleton.vertices))
    colours = [ordered.index(vertex) for vertex in skeleton.vertices]
    if len(ordered) == len(colours):
        return _written(frame, skeleton, colours)
    if len(colours) == 2:  # x' A x, A[i, j]**2: both orders are soon tried
        return min([_written(frame, skeleton, rank) for rank in ([0, 1], [1, 0])], key=_code)
    return _Search(frame, skeleton).least(colours, ()).skeleton


@dataclass(frozen=True)
class _Leaf:
    """A total order of the vertices (`rank`) and the skeleton written in it."""

    rank: Colours
    skeleton: Skeleton


@dataclass
class _Search:
    frame: Frame
    skeleton: Skeleton
    automorphisms: list[Colours] = field(default_factory=list)
    neighbours: list[list[tuple[Word, int]]] = field(init=False)

    def __post_init__(self) -> None:
        self.neighbours = [[] for _ in self.skeleton.vertices]
        for u, v, word in self.skeleton.edges:
            self.neighbours[u].append((word, v))
            self.neighbours[v].append((reverse(self.frame, word), u))

    def least(self, colours: Colours, fixed: tuple[int, ...]) -> _Leaf:
        """The least leaf among all orders that refine the colours."""
        colours = self._refine(colours)
        cell = _first_cell(colours)
        if not cell:
            return _Leaf(colours, _written(self.frame, self.skeleton, colours))
        best: _Leaf | None = None
        tried: list[int] = []
        for v in cell:
            if any(w in tried for w in self._orbit(v, fixed)):
                continue
            tried.append(v)
            leaf = self.least(_individualised(colours, v), (*fixed, v))
            if best is None or _code(leaf.skeleton) < _code(best.skeleton):
                best = leaf
            elif leaf.skeleton == best.skeleton:
                place = {r: w for w, r in enumerate(best.rank)}
                self.automorphisms.append([place[r] for r in leaf.rank])
        assert best is not None
        return best

    def _refine(self, colours: Colours) -> Colours:
        """Split colours by the colours of neighbours, until stable."""
        ranks = {colour: c for c, colour in enumerate(sorted(set(colours)))}
        colours = [ranks[colour] for colour in colours]
        count = len(ranks)
        while count < len(colours):
            seen = self._signatures(colours)
            ordered = {signature: c for c, signature in enumerate(sorted(set(seen)))}
            colours = [ordered[signature] for signature in seen]
            if len(ordered) == count:
                break
            count = len(ordered)
        return colours

    def _signatures(self, colours: Colours) -> list[_Signature]:
        hyper: list[list[tuple[str, int, tuple[int, ...]]]] = [[] for _ in colours]
        for name, vertices in self.skeleton.hyper:
            around = tuple([colours[v] for v in vertices])
            if self.frame.is_symmetric(name):
                around = tuple(sorted(around))
            for axis, v in enumerate(vertices):
                hyper[v].append((name, 0 if self.frame.is_symmetric(name) else axis, around))
        return [
            (
                colours[v],
                tuple(sorted([(word, colours[w]) for word, w in near])),
                tuple(sorted(hyper[v])),
            )
            for v, near in enumerate(self.neighbours)
        ]

    def _orbit(self, v: int, fixed: tuple[int, ...]) -> set[int]:
        """Where the known automorphisms that keep the fixed vertices can take v."""
        usable = [a for a in self.automorphisms if all(a[w] == w for w in fixed)]
        orbit, todo = {v}, [v]
        while todo:
            w = todo.pop()
            for image in (x for a in usable for x in (a[w], a.index(w))):
                if image not in orbit:
                    orbit.add(image)
                    todo.append(image)
        return orbit


def _written(frame: Frame, skeleton: Skeleton, rank: Colours) -> Skeleton:
    """The skeleton with its vertices in the order of their ranks."""
    vertices = [skeleton.vertices[0]] * len(rank)
    for v, vertex in enumerate(skeleton.vertices):
        vertices[rank[v]] = vertex
    edges = [
        (rank[u], rank[v], word) if rank[u] < rank[v] else (rank[v], rank[u], reverse(frame, word))
        for u, v, word in skeleton.edges
    ]
    hyper = [
        (name, tuple(_ordered([rank[v] for v in vs], frame.is_symmetric(name))))
        for name, vs in skeleton.hyper
    ]
    return Skeleton(tuple(vertices), tuple(sorted(edges)), tuple(sorted(hyper)))


def _code(
    skeleton: Skeleton,
) -> tuple[tuple[tuple[int, int, Word], ...], tuple[tuple[str, tuple[int, ...]], ...]]:
    """What orders skeletons whose vertices agree, as those of all leaves do: they refine one colouring."""
    return skeleton.edges, skeleton.hyper


def _ordered(ranks: list[int], symmetric: bool) -> Sequence[int]:
    return sorted(ranks) if symmetric else ranks


def _first_cell(colours: Colours) -> list[int]:
    """The vertices of the first colour that several share."""
    counts = [0] * len(colours)
    for c in colours:
        counts[c] += 1
    shared = next((c for c, count in enumerate(counts) if count > 1), None)
    return [v for v, c in enumerate(colours) if c == shared]


def _individualised(colours: Colours, v: int) -> Colours:
    """v just before the others of its colour."""
    return [2 * c - (w == v) + 1 for w, c in enumerate(colours)]
