"""A connected component as a small graph: branching indices, joined by words of matrices.

An index between two matrices and nothing else only continues a matrix product. What remains are
cycles, tr(A B' C), and graphs: their vertices are the other indices (free, open, or shared by three
factors or more) and their edges are words. M[i, j]**6 with M = X Q K' X' is two vertices and six
equal edges, whatever the number of factors in M.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from verifier.prove.networks.network_tensors import Flat, Frame, Label, Occurrence

Word = tuple[str, ...]  # letters X or X', read along the path
Port = tuple[int, int]  # factor, axis


class Skeleton(NamedTuple):
    """vertices: the open label or "", the vectors at it, the words that lead from it to itself.

    edges: (u, v, word from u to v), u != v. hyper: (tensor, vertices), three axes or more.
    """

    vertices: tuple[tuple[str, Word, tuple[Word, ...]], ...]
    edges: tuple[tuple[int, int, Word], ...]
    hyper: tuple[tuple[str, tuple[int, ...]], ...]


def reverse(frame: Frame, word: Word) -> Word:
    """(A B')' = B A'"""
    flips = frame.flips
    return tuple([flips[letter] for letter in reversed(word)])


def read(frame: Frame, component: Flat) -> Word | Skeleton:
    """The word of a cycle, or the graph of any other component."""
    ports: dict[Label, list[Port]] = defaultdict(list)
    branching: set[Label] = set()
    for position, (_, labels) in enumerate(component):
        if len(labels) == 2:
            ports[labels[0]].append((position, 0))
            ports[labels[1]].append((position, 1))
        else:
            branching.update(labels)
            for axis, label in enumerate(labels):
                ports[label].append((position, axis))
    vertices = [x for x, found in ports.items() if len(found) != 2 or x in branching or isinstance(x, str)]
    if not vertices and component[0][1]:
        label, found = next(iter(ports.items()))
        return _walk(frame, component, ports, found[0], {label})[0]
    return _graph(frame, component, ports, vertices)


def _walk(
    frame: Frame, component: Flat, ports: dict[Label, list[Port]], port: Port, ends: set[Label]
) -> tuple[Word, Label, Port]:
    """Follow matrices from one port until an end: the word, the end, and the port there."""
    word: list[str] = []
    while True:
        position, axis = port
        name, labels = component[position]
        word.append(name if axis == 0 else frame.flips[name])
        arrived = (position, 1 - axis)
        label = labels[1 - axis]
        if label in ends:
            return tuple(word), label, arrived
        first, second = ports[label]
        port = second if first == arrived else first


def _graph(frame: Frame, component: Flat, ports: dict[Label, list[Port]], labels: list[Label]) -> Skeleton:
    number = {label: v for v, label in enumerate(labels)}
    ends = set(labels)
    vectors: list[list[str]] = [[] for _ in labels]
    loops: list[list[Word]] = [[] for _ in labels]
    edges: list[tuple[int, int, Word]] = []
    used: set[Port] = set()
    for v, label in enumerate(labels):
        for port in ports[label]:
            name, held = component[port[0]]
            if len(held) == 1:
                vectors[v].append(name)
            elif len(held) == 2 and port not in used:
                word, end, last = _walk(frame, component, ports, port, ends)
                used.add(last)
                if end == label:
                    loops[v].append(min(word, reverse(frame, word)))
                else:
                    edges.append((v, number[end], word))
    vertices = [
        (x if isinstance(x, str) else "", tuple(sorted(vectors[v])), tuple(sorted(loops[v])))
        for v, x in enumerate(labels)
    ]
    hyper = [(name, tuple([number[x] for x in xs])) for name, xs in component if len(xs) > 2]
    return Skeleton(tuple(vertices), tuple(edges), tuple(hyper))


def write_cycle(word: Word) -> Flat:
    """tr of a word, its indices numbered along it."""
    length = len(word)
    return tuple([_matrix(letter, i, (i + 1) % length) for i, letter in enumerate(word)])


def write(skeleton: Skeleton) -> Flat:
    """The component with the vertices' own numbers, and new ones inside the words."""
    names: list[Label] = [label or v for v, (label, _, _) in enumerate(skeleton.vertices)]
    fresh = len(names)
    factors: list[Occurrence] = []
    paths = list(skeleton.edges)
    for v, (_, vectors, loops) in enumerate(skeleton.vertices):
        factors += [(vector, (names[v],)) for vector in vectors]
        paths += [(v, v, word) for word in loops]
    for u, v, word in paths:
        inside = range(fresh, fresh + len(word) - 1)
        fresh += len(word) - 1
        stops = [names[u], *inside, names[v]]
        factors += [_matrix(x, stops[i], stops[i + 1]) for i, x in enumerate(word)]
    factors += [(name, tuple([names[v] for v in vs])) for name, vs in skeleton.hyper]
    return tuple(factors)


def _matrix(letter: str, start: Label, end: Label) -> Occurrence:
    return (letter[:-1], (end, start)) if letter.endswith("'") else (letter, (start, end))
