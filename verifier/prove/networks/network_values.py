"""A sum at given sizes and entries, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod

from flint import fmpq

from verifier.prove.networks.network_sums import Sum
from verifier.prove.networks.network_tensors import Flat, Frame, Label
from verifier.prove.networks.ring import to_fraction

Entries = Mapping[tuple[int, ...], Fraction]  # 1-based positions -> entry
_Table = tuple[tuple[int, ...], dict[tuple[int, ...], fmpq]]
ONE = fmpq(1)


def evaluate(
    value: Sum,
    scalars: Mapping[str, Fraction],
    tensors: Mapping[str, Entries],
    positions: Mapping[str, int] | None = None,
) -> Fraction:
    """The value where generators, tensors and open labels are as given.

    Every size is the value of its polynomial, which must be a positive integer.
    """
    frame = value.frame
    point = [_exact(scalars[name]) for name in frame.ring.names]
    sizes = {space: int(to_fraction(size(*point))) for space, size in frame.sizes.items()}
    places = dict(positions or {})
    total = fmpq(0)
    for monomial, coefficient in value.terms.items():
        term = fmpq(coefficient(*point))
        for component, power in monomial:
            term *= _component(frame, component, sizes, tensors, places) ** power
        total += term
    return to_fraction(total)


def _exact(value: Fraction) -> fmpq:
    """The same number in flint's arithmetic, which is ten times as fast."""
    return fmpq(value.numerator, value.denominator)


def _component(
    frame: Frame,
    component: Flat,
    sizes: Mapping[str, int],
    tensors: Mapping[str, Entries],
    places: Mapping[str, int],
) -> fmpq:
    """Sum out one index after the other, each with the factors that hold it."""
    if component[0][0].startswith("delta:"):
        return fmpq(len({_place(x, places) for x in component[0][1]}) == 1)
    tables = [_table(name, labels, tensors, places) for name, labels in component]
    spaces: dict[Label, str] = {}
    for name, labels in component:
        spaces.update(zip(labels, frame.spaces(name), strict=True))
    for label, space in spaces.items():
        if isinstance(label, int):
            held = [table for table in tables if label in table[0]]
            rest = [table for table in tables if label not in table[0]]
            tables = [*rest, _summed(label, range(1, sizes[space] + 1), held, spaces, sizes)]
    return prod((entries[()] for _, entries in tables), start=ONE)


def _table(
    name: str, labels: tuple[Label, ...], tensors: Mapping[str, Entries], places: Mapping[str, int]
) -> _Table:
    """The entries of a factor by the values of its summed indices, each once."""
    summed = tuple(dict.fromkeys(x for x in labels if isinstance(x, int)))
    entries: dict[tuple[int, ...], fmpq] = {}
    for position, entry in tensors[name].items():
        values: dict[Label, int] = {x: _place(x, places) for x in labels if isinstance(x, str)}
        if all(values.setdefault(x, p) == p for x, p in zip(labels, position, strict=True)):
            entries[tuple(values[x] for x in summed)] = _exact(entry)
    return summed, entries


def _summed(
    label: int,
    values: range,
    held: list[_Table],
    spaces: Mapping[Label, str],
    sizes: Mapping[str, int],
) -> _Table:
    """sum over one index of the product of the factors that hold it"""
    others = tuple(dict.fromkeys(x for labels, _ in held for x in labels if x != label))
    entries: dict[tuple[int, ...], fmpq] = {}
    for position in product(*(range(1, sizes[spaces[x]] + 1) for x in others)):
        at = dict(zip(others, position, strict=True))
        total = fmpq(0)
        for at[label] in values:
            total += prod((table[tuple(at[x] for x in xs)] for xs, table in held), start=ONE)
        entries[position] = total
    return others, entries


def _place(label: Label, places: Mapping[str, int]) -> int:
    assert isinstance(label, str)
    position, _, space = label.partition("@")
    return int(position) if space else places[position]
