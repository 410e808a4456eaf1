"""Sums of networks: canonical monomials of components, each with its coefficient."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from operator import attrgetter

from flint import fmpq_mpoly

from verifier.prove.networks.canonical_forms import canonical
from verifier.prove.networks.merge_indices import Pair, settle
from verifier.prove.networks.network_tensors import (
    Factor,
    Flat,
    Frame,
    Index,
    Label,
    Monomial,
    Network,
    Occurrence,
    open_label,
)
from verifier.prove.networks.render import show_terms
from verifier.prove.networks.ring import Coefficient, Scalar


@dataclass(frozen=True, eq=False)
class Sum:
    """sum of coefficient * monomial. Two sums are equal iff their terms are."""

    frame: Frame
    terms: Mapping[Monomial, Coefficient]

    @classmethod
    def of(cls, frame: Frame, *networks: Network) -> Sum:
        """The sum of the networks, each constraint expanded, in canonical form."""
        return collect(frame, [piece for network in networks for piece in _pieces(frame, network)])

    @classmethod
    def scalar(cls, frame: Frame, value: Scalar) -> Sum:
        return collect(frame, [(frozenset(), frame.ring(value))])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sum):
            return NotImplemented
        self._same_frame(other)
        return dict(self.terms) == dict(other.terms)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Sum) -> Sum:
        self._same_frame(other)
        return collect(self.frame, [*self.terms.items(), *other.terms.items()])

    def __neg__(self) -> Sum:
        return Sum(self.frame, {m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Sum) -> Sum:
        return self + (-other)

    def __mul__(self, other: Sum | Scalar) -> Sum:
        """The product; every index of one is summed apart from those of the other."""
        if isinstance(other, (int, Fraction, fmpq_mpoly)):
            by = self.frame.ring(other)
            return collect(self.frame, ((m, c * by) for m, c in self.terms.items()))
        self._same_frame(other)
        return collect(self.frame, self._products(other))

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Sum:
        result = Sum.scalar(self.frame, 1)
        for _ in range(power):
            result = result * self
        return result

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __str__(self) -> str:
        return show_terms(self.frame, self.terms)

    def bind(self, *indices: Index) -> Sum:
        """Sum over open indices: each open label of self becomes a summed index."""
        numbers: dict[str, Label] = {x.label: -1 - i for i, x in enumerate(indices)}
        alive = {numbers[x.label]: x.space for x in indices}
        return collect(self.frame, self._relabelled(numbers, alive))

    def rename(self, labels: Mapping[str, str]) -> Sum:
        """Open labels replaced, all at once; labels that become equal are one position."""
        return collect(self.frame, self._relabelled(labels, {}))

    def apart(self, first: str, second: str) -> Sum:
        """self where two open indices differ: terms with a delta between them are zero."""
        kept = {m: c for m, c in self.terms.items() if not _has_delta(m, first, second)}
        return Sum(self.frame, kept)

    def tensors(self) -> frozenset[str]:
        """The names of all tensors that occur."""
        return frozenset([n for m in self.terms for flat, _ in m for n, _ in flat])

    def _same_frame(self, other: Sum) -> None:
        if self.frame is not other.frame:
            raise ValueError("sums of different frames do not meet")

    def _products(self, other: Sum) -> Iterator[tuple[Monomial, Coefficient]]:
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                product = multiply(self.frame, m, n)
                if product is not None:
                    yield product, c * d

    def _relabelled(
        self, new: Mapping[str, Label], alive: Mapping[Label, str]
    ) -> Iterator[tuple[Monomial, Coefficient]]:
        def place(label: Label, space: str) -> Label:
            found = new.get(label, label) if isinstance(label, str) else label
            return open_label(found, space) if isinstance(found, str) else found

        for monomial, coefficient in self.terms.items():
            factors = [
                (name, tuple(map(place, labels, axes(self.frame, name, len(labels)))))
                for name, labels in flatten(monomial)
            ]
            found = arrange(self.frame, factors, (), alive)
            if found is not None:
                yield found[0], found[1] * coefficient


def collect(frame: Frame, pieces: Iterable[tuple[Monomial, Coefficient]]) -> Sum:
    """Equal monomials added up, coefficients in normal form, zeros dropped."""
    terms: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in pieces:
        before = terms.get(monomial)
        terms[monomial] = coefficient if before is None else before + coefficient
    reduce = frame.ring.reduce
    return Sum(frame, {m: c for m, found in terms.items() if (c := reduce(found))})


def axes(frame: Frame, name: str, count: int) -> tuple[str, ...]:
    """The spaces of a factor's axes, deltas included."""
    return (name[6:],) * count if name.startswith("delta:") else frame.spaces(name)


def monomial_of(components: Iterable[Flat]) -> Monomial:
    powers: dict[Flat, int] = {}
    for component in components:
        powers[component] = powers.get(component, 0) + 1
    return frozenset(powers.items())


def flatten(monomial: Monomial) -> list[Occurrence]:
    """All factors of a monomial, the summed indices of different components numbered apart."""
    factors: list[Occurrence] = []
    offset = 0
    for component, power in monomial:
        width = 1 + max((x for _, xs in component for x in xs if isinstance(x, int)), default=-1)
        for _ in range(power):
            factors += shifted(component, offset)
            offset += width
    return factors


def shifted(component: Flat, by: int) -> list[Occurrence]:
    return [
        (name, tuple([x + by if isinstance(x, int) else x for x in labels])) for name, labels in component
    ]


def arrange(
    frame: Frame, factors: Iterable[Occurrence], pairs: Iterable[Pair], alive: Mapping[Label, str]
) -> tuple[Monomial, Coefficient] | None:
    """Factors with indices to merge, as a canonical monomial and a coefficient."""
    settled = settle(frame, factors, pairs, alive)
    if settled is None:
        return None
    return monomial_of(_canonical(frame, settled.components)), settled.coefficient


def _canonical(frame: Frame, components: tuple[Flat, ...]) -> list[Flat]:
    """The canonical form of each; in a power most components are alike but for their labels."""
    if len(components) == 1:
        return [canonical(frame, components[0])]
    alike = [_renumbered(component) for component in components]
    forms = {component: canonical(frame, component) for component in set(alike)}
    return [forms[component] for component in alike]


def _renumbered(component: Flat) -> Flat:
    """Summed indices numbered in the order in which they are met."""
    numbers: dict[Label, Label] = {}
    for _, labels in component:
        for x in labels:
            if x not in numbers:
                numbers[x] = x if isinstance(x, str) else len(numbers)
    return tuple([(name, tuple([numbers[x] for x in labels])) for name, labels in component])


def multiply(frame: Frame, first: Monomial, second: Monomial) -> Monomial | None:
    """The product of two monomials; a delta of one renames the open indices of the other."""
    if not first or not second:
        return first or second
    if not (_deltas(first) or _deltas(second)):
        powers = dict(first)
        for component, power in second:
            powers[component] = powers.get(component, 0) + power
        return frozenset(powers.items())
    return merged(frame, monomial_of(_listed(first, second)))


def merged(frame: Frame, monomial: Monomial) -> Monomial | None:
    """delta(a, b)**2 f(b) = delta(a, b) f(a); None if it is zero."""
    if (len(monomial) <= 1 and all(power == 1 for _, power in monomial)) or not _deltas(monomial):
        return monomial
    found = arrange(frame, flatten(monomial), (), {})
    return None if found is None else found[0]


def _listed(*monomials: Monomial) -> Iterator[Flat]:
    for monomial in monomials:
        for component, power in monomial:
            yield from [component] * power


def _deltas(monomial: Monomial) -> list[tuple[Label, ...]]:
    return [c[0][1] for c, _ in monomial if c[0][0].startswith("delta:")]


def _has_delta(monomial: Monomial, first: str, second: str) -> bool:
    return any(first in labels and second in labels for labels in _deltas(monomial))


def _pieces(frame: Frame, network: Network) -> list[tuple[Monomial, Coefficient]]:
    """prod over distinct pairs of (1 - delta(a, b)), multiplied out."""
    numbers = _Numbers(frame)
    factors = [_occurrence(frame, factor, numbers) for factor in network.factors]
    for index in network.summed:
        if index.open:
            raise ValueError(f"index {index.label} cannot be both open and summed")
        numbers[index]
    equal = [(numbers[a], numbers[b]) for a, b in network.equal]
    distinct = [(numbers[a], numbers[b]) for a, b in network.distinct]
    coefficient = frame.ring(network.coefficient)
    pieces: list[tuple[Monomial, Coefficient]] = []
    for size in range(len(distinct) + 1):
        for chosen in combinations(distinct, size):
            arranged = arrange(frame, factors, [*equal, *chosen], numbers.alive)
            if arranged is not None:
                weight = frame.ring.times(arranged[1], coefficient)
                pieces.append((arranged[0], -weight if size % 2 else weight))
    return pieces


def _occurrence(frame: Frame, factor: Factor, numbers: _Numbers) -> Occurrence:
    name, indices = factor
    tensor = frame.tensors.get(name)
    spaces = tuple(map(_SPACE, indices))
    if tensor is None or spaces != tensor.spaces:
        raise ValueError(f"{name} has no axes {spaces}")
    return name, tuple([numbers[i] for i in indices])


_SPACE = attrgetter("space")


class _Numbers(dict[Index, Label]):
    """The label of each index of a network, given when it is first asked for."""

    __slots__ = ("_sizes", "alive")

    def __init__(self, frame: Frame) -> None:
        self.alive: dict[Label, str] = {}  # the space of each label
        self._sizes = frame.sizes

    def __missing__(self, index: Index) -> Label:
        if index.space not in self._sizes:
            raise ValueError(f"index {index.label}: unknown space {index.space}")
        label = self[index] = open_label(index.label, index.space) if index.open else len(self)
        if self.alive.setdefault(label, index.space) != index.space:
            raise ValueError(f"open index {index.label} has two spaces")
        return label
