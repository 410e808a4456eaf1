"""From a product of factors with indices to merge, to connected components and a coefficient."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from verifier.prove.networks.network_tensors import Flat, Frame, Label, Occurrence, Tensor, delta, is_position
from verifier.prove.networks.ring import Coefficient

Pair = tuple[Label, Label]


class Settled(NamedTuple):
    """coefficient * the product of the components; no two components share a summed index."""

    coefficient: Coefficient
    components: tuple[Flat, ...]


def settle(
    frame: Frame, factors: Iterable[Occurrence], pairs: Iterable[Pair], alive: Mapping[Label, str]
) -> Settled | None:
    """Merge each pair of indices, apply the tensors' rules, count loops; None if it is zero.

    `alive` gives the space of every index that is merged or may be left without a factor: a
    summed index that occurs in no factor contributes the size of its space.
    """
    known = dict(alive)
    kept, deltas = _without_deltas(factors, known)
    merged = _merge(frame, kept, [*deltas, *pairs], known)
    while merged is not None and frame.ruled:
        rule = _find_rule(frame, merged.factors)
        if rule is None:
            break
        for position in rule.removed:
            name, labels = merged.factors[position]
            known.update(zip(labels, frame.spaces(name), strict=True))
        known.pop(rule.consumed)
        rest = [f for i, f in enumerate(merged.factors) if i not in rule.removed] + rule.added
        merged = _merge(frame, rest, [*merged.deltas, *rule.pairs], known)
    if merged is None:
        return None
    coefficient = _loops(frame, merged.factors, known)
    split = _split_units(frame, merged.factors) if frame.units else merged.factors
    components = _components(split)
    if merged.deltas:
        components += _delta_factors(merged.deltas, known)
    return Settled(coefficient, tuple(components))


class _Merged(NamedTuple):
    """The factors with one label for equal indices, and the equations between open indices."""

    factors: list[Occurrence]
    deltas: list[Pair]


def _merge(
    frame: Frame, factors: list[Occurrence], pairs: list[Pair], known: dict[Label, str]
) -> _Merged | None:
    """delta(a, b) f(a, b) = delta(a, b) f(a, a), and a sum over b makes the delta one.

    Indices that are merged into another leave `known`.
    """
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    if not pairs:
        return _Merged(factors, [])
    image: dict[Label, Label] = {}
    deltas: list[Pair] = []
    for joined in _classes(pairs, known):
        opens = sorted([x for x in joined if isinstance(x, str)], key=_position_first)
        first = opens[0] if opens else min(joined)  # if none is open, all are numbers
        if len(opens) > 1 and known[first] not in frame.units:
            if is_position(opens[1]):
                return None  # two positions that differ
            deltas += [(first, x) for x in opens[1:]]
        for label in joined:
            if label != first:
                image[label] = first
                if isinstance(label, int):
                    del known[label]
    moved = image.keys()
    renamed = [
        f if moved.isdisjoint(f[1]) else (f[0], tuple([image.get(x, x) for x in f[1]])) for f in factors
    ]
    return _Merged(renamed, deltas)


def _classes(pairs: list[Pair], known: Mapping[Label, str]) -> list[set[Label]]:
    """The classes of indices that the pairs make equal."""
    found: list[set[Label]] = []
    for pair in pairs:
        if known[pair[0]] != known[pair[1]]:
            raise ValueError(f"an index of {known[pair[0]]} cannot equal one of {known[pair[1]]}")
        joined = set(pair)
        apart = []
        for other in found:
            if other.isdisjoint(joined):
                apart.append(other)
            else:
                joined |= other
        found = [*apart, joined]
    return found


def _position_first(label: str) -> tuple[bool, str]:
    return not is_position(label), label


def _without_deltas(
    factors: Iterable[Occurrence], known: dict[Label, str]
) -> tuple[list[Occurrence], list[Pair]]:
    """Delta factors between open indices, taken out as equations."""
    kept: list[Occurrence] = []
    pairs: list[Pair] = []
    for name, labels in factors:
        if name.startswith("delta:"):
            known.update((label, name[6:]) for label in labels)
            pairs += [(labels[0], label) for label in labels[1:]]
        else:
            kept.append((name, labels))
    return kept, pairs


def _delta_factors(deltas: list[Pair], known: dict[Label, str]) -> list[Flat]:
    """One delta factor per class of equal open indices, its labels in order."""
    classes: dict[Label, list[Label]] = defaultdict(list)
    for first, other in deltas:
        classes[first].append(other)
    return [((delta(known[first]), (first, *sorted(others, key=str))),) for first, others in classes.items()]


@dataclass(frozen=True)
class _Rule:
    """An identity that applies: the sum over `consumed` is carried out."""

    consumed: int
    removed: set[int]
    added: list[Occurrence]
    pairs: list[Pair]


def _find_rule(frame: Frame, factors: list[Occurrence]) -> _Rule | None:
    """The first identity that applies."""
    ports: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for position, (_, labels) in enumerate(factors):
        for axis, label in enumerate(labels):
            if isinstance(label, int):
                ports[label].append((position, axis))
    for label, found in ports.items():
        tensor = frame.tensors.get(factors[found[0][0]][0])
        if tensor is None or not tensor.has_rules:
            continue
        if len(found) == 1 and found[0][1] in tensor.unit_sum:
            return _Rule(label, {found[0][0]}, [], [])
        if len(found) == 2 and len(tensor.spaces) == 2:
            rule = _product_rule(tensor, label, factors, found[0], found[1])
            if rule is not None:
                return rule
    return None


def _product_rule(
    tensor: Tensor,
    label: int,
    factors: list[Occurrence],
    first: tuple[int, int],
    second: tuple[int, int],
) -> _Rule | None:
    """T'T = 1 or T T = T, where two copies of T meet at an index and nothing else does."""
    (p, a), (q, b) = first, second
    if p == q or factors[q][0] != tensor.name:
        return None
    outer, inner = factors[p][1][1 - a], factors[q][1][1 - b]
    if a in tensor.isometry and (a == b or tensor.symmetric):
        return _Rule(label, {p, q}, [], [(outer, inner)])
    if tensor.idempotent and (a != b or tensor.symmetric):
        labels = (outer, inner) if a == 1 else (inner, outer)
        return _Rule(label, {p, q}, [(tensor.name, labels)], [])
    return None


def _split_units(frame: Frame, factors: list[Occurrence]) -> list[Occurrence]:
    """An index with one value joins nothing: every occurrence gets one of its own."""
    fresh = 1 + max((x for _, labels in factors for x in labels if isinstance(x, int)), default=0)
    split: list[Occurrence] = []
    for name, labels in factors:
        own = list(labels)
        for axis, space in enumerate(frame.spaces(name)):
            if space in frame.units:
                own[axis], fresh = fresh, fresh + 1
        split.append((name, tuple(own)))
    return split


def _loops(frame: Frame, factors: list[Occurrence], known: dict[Label, str]) -> Coefficient:
    """sum_a 1 = size of a's space, for every summed index that no factor holds."""
    held = {label for _, labels in factors for label in labels}
    loose = [space for label, space in known.items() if label not in held and isinstance(label, int)]
    if not loose:
        return frame.one
    total = frame.sizes[loose[0]]
    for space in loose[1:]:
        total = total * frame.sizes[space]
    return total


def _components(factors: list[Occurrence]) -> list[Flat]:
    """Factors grouped by the summed indices that they share."""
    if not factors:
        return []
    if _connected(factors):
        return [tuple(factors)]
    holders: dict[int, list[int]] = defaultdict(list)
    for position, (_, labels) in enumerate(factors):
        for label in labels:
            if isinstance(label, int):
                holders[label].append(position)
    group = [-1] * len(factors)
    found: list[Flat] = []
    for start in range(len(factors)):
        if group[start] >= 0:
            continue
        group[start] = len(found)
        members, todo = [start], [start]
        while todo:
            for label in factors[todo.pop()][1]:
                for neighbour in holders[label] if isinstance(label, int) else ():
                    if group[neighbour] < 0:
                        group[neighbour] = len(found)
                        members.append(neighbour)
                        todo.append(neighbour)
        found.append(tuple([factors[m] for m in sorted(members)]))
    return found


def _connected(factors: list[Occurrence]) -> bool:
    """Whether all are one component: those that touch the ones met so far are met, again and again."""
    rest = [labels for _, labels in factors]
    if str in {type(x) for labels in rest for x in labels}:
        return False  # an open index joins nothing
    met = set(rest.pop(0))
    while rest:
        apart: list[tuple[Label, ...]] = []
        for labels in rest:
            if met.isdisjoint(labels):
                apart.append(labels)
            else:
                met.update(labels)
        if len(apart) == len(rest):
            return False
        rest = apart
    return True
