"""What the caller writes: tensors with symbolic axes, and networks of their occurrences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from verifier.prove.networks.ring import Coefficient, Ring, Scalar

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_INDEX = re.compile(r"[A-Za-z_][A-Za-z_0-9]*|[1-9][0-9]*")

# The legs of one unknown joint moment share an index of this space, so that the legs of another
# moment are not confused with them. It has one value, which no rule may use.
MOMENT = "E"

# A label is an index inside a network: a number if it is summed, a name if it is open.
Label = int | str
Occurrence = tuple[str, tuple[Label, ...]]
Flat = tuple[Occurrence, ...]

# A product of connected components, as (component, power): components commute.
Monomial = frozenset[tuple[Flat, int]]


@dataclass(frozen=True)
class Tensor:
    """A named tensor, one space per axis, and the identities that it obeys.

    symmetric    T[a, b] == T[b, a], and likewise for every order of more axes
    isometry     for each axis listed of a matrix: sum_a T[a, b] T[a, c] == delta(b, c)
    idempotent   sum_b T[a, b] T[b, c] == T[a, c]
    unit_sum     for each axis listed: sum_b T[a, b] == 1 (a simplex, a stochastic matrix)
    """

    name: str
    spaces: tuple[str, ...]
    symmetric: bool = False
    isometry: tuple[int, ...] = ()
    idempotent: bool = False
    unit_sum: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no name for a tensor")
        if self.symmetric and len(set(self.spaces)) > 1:
            raise ValueError(f"{self.name}: a symmetric tensor has axes of one space")
        if (self.isometry or self.idempotent) and len(self.spaces) != 2:
            raise ValueError(f"{self.name}: isometry and idempotent are said of matrices")
        if self.idempotent and self.spaces[0] != self.spaces[1]:
            raise ValueError(f"{self.name}: an idempotent matrix is square")
        if not set(self.isometry + self.unit_sum) <= set(range(len(self.spaces))):
            raise ValueError(f"{self.name}: there is no such axis")

    @property
    def has_rules(self) -> bool:
        return bool(self.isometry or self.idempotent or self.unit_sum)


class _Index(NamedTuple):
    label: str
    space: str
    open: bool


class Index(_Index):
    """An index over a space: summed, or open at the position that its label names.

    Positions count from 1. Open indices labelled "2" and "3" differ; one labelled "i" may equal
    either. A tuple, because indices are looked up all the time.
    """

    __slots__ = ()

    def __new__(cls, label: str, space: str, open: bool = False) -> Index:
        if not _INDEX.fullmatch(label):
            raise ValueError(f"{label!r} is neither a name nor a position for an index")
        return super().__new__(cls, label, space, open)


class Factor(NamedTuple):
    tensor: str
    indices: tuple[Index, ...] = ()


@dataclass(frozen=True)
class Network:
    """coefficient * sum over every index that is not open of the product of the factors.

    summed    indices that are summed although they may occur in no factor
    equal     pairs joined by an identity matrix
    distinct  pairs that differ: the sum leaves out the terms where they are equal
    """

    factors: tuple[Factor, ...] = ()
    coefficient: Scalar = 1
    summed: tuple[Index, ...] = ()
    equal: tuple[tuple[Index, Index], ...] = ()
    distinct: tuple[tuple[Index, Index], ...] = ()


@dataclass(frozen=True, eq=False)
class Frame:
    """The ring, the spaces with their sizes and the tensors that a computation is about."""

    ring: Ring
    sizes: Mapping[str, Coefficient]
    tensors: Mapping[str, Tensor]
    one: Coefficient = field(init=False)
    units: frozenset[str] = field(init=False)
    ruled: frozenset[str] = field(init=False)
    flips: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        one = self.ring.one
        object.__setattr__(self, "one", one)
        units = (s for s, size in self.sizes.items() if s != MOMENT and size == one)
        object.__setattr__(self, "units", frozenset(units))
        ruled = (name for name, tensor in self.tensors.items() if tensor.has_rules)
        object.__setattr__(self, "ruled", frozenset(ruled))
        object.__setattr__(self, "flips", _Flips(self.tensors))

    @classmethod
    def of(cls, ring: Ring, sizes: Mapping[str, Scalar], tensors: Iterable[Tensor]) -> Frame:
        """sizes: space -> size, a polynomial in the ring or a number."""
        listed = list(tensors)
        named = {tensor.name: tensor for tensor in listed}
        if len(named) != len(listed):
            raise ValueError("a tensor is declared twice")
        if MOMENT in sizes:
            raise ValueError(f"{MOMENT} is no name for a space")
        known = {space: ring(size) for space, size in sizes.items()} | {MOMENT: ring(1)}
        for tensor in listed:
            if unknown := set(tensor.spaces) - set(known):
                raise ValueError(f"{tensor.name}: unknown space {sorted(unknown)}")
        return cls(ring, known, named)

    def spaces(self, name: str) -> tuple[str, ...]:
        """The spaces of a tensor's axes, also of the tensors that laws derive from it."""
        if name in self.tensors:
            return self.tensors[name].spaces
        kind, base = derived(name)
        match kind:
            case "block":
                return self.tensors[base].spaces
            case "leg":
                return (MOMENT, *self.tensors[base].spaces)
            case "scalar":
                return ()
            case _:
                raise ValueError(f"unknown tensor {name}")

    def is_symmetric(self, name: str) -> bool:
        return name in self.tensors and self.tensors[name].symmetric


class _Flips(dict[str, str]):
    """The letter of a matrix word read backwards: X <-> X', and S <-> S if symmetric."""

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        self._tensors = tensors

    def __missing__(self, letter: str) -> str:
        tensor = self._tensors.get(letter)
        flipped = letter if tensor is not None and tensor.symmetric else letter + "'"
        found = self[letter] = letter[:-1] if letter.endswith("'") else flipped
        return found


def open_label(label: str, space: str) -> str:
    """An open index inside a network. Position 1 of n is not position 1 of d."""
    return f"{label}@{space}" if label.isdigit() else label


def is_position(label: str) -> bool:
    return "@" in label


# Names of derived tensors. None of them can be the name of a declared one.


def block(name: str, size: int) -> str:
    """The product of `size` entries of an i.i.d. tensor at one and the same position."""
    return f"{name}{{{size}}}" if size > 1 else name


def leg(name: str) -> str:
    """One leg of an unknown joint moment."""
    return f"E({name})"


def delta(space: str) -> str:
    """Kronecker delta between open indices of a space: all of them are equal."""
    return f"delta:{space}"


def derived(name: str) -> tuple[str, str]:
    """What kind of derived tensor a name stands for, and of which tensor or space."""
    if name.startswith("delta:"):
        return "delta", name[6:]
    if name.endswith("}"):
        return "block", name[: name.index("{")]
    if name.startswith("E("):
        inside = name[2:-1]
        return ("leg", inside) if _NAME.fullmatch(inside) else ("scalar", inside)
    return "unknown", name


def block_size(name: str) -> int:
    return int(name[name.index("{") + 1 : -1]) if name.endswith("}") else 1
