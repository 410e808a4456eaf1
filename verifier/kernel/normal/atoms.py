"""Atoms, and polynomials in them.

An atom is compared by what it writes; indices that it does not bind are written through a label, so that two
sums which differ in the names of their indices can be made to write the same.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import final

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Node
from verifier.expr.text import to_text

Label = Callable[[str], str]
Exponent = int | Fraction


def plain(name: str) -> str:
    return name


@dataclass(frozen=True, eq=False)
class Atom:
    """A factor that is not taken apart."""

    def write(self, label: Label) -> str:
        raise NotImplementedError

    @cached_property
    def key(self) -> str:
        return self.write(plain)

    @cached_property
    def names(self) -> frozenset[str]:
        """Symbols and indices that it depends on."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


Monomial = tuple[tuple[Atom, Exponent], ...]


@final
@dataclass(frozen=True, eq=False)
class Entry(Atom):
    """An entry of a symbol, or a number; `symmetric`: the two positions may be exchanged."""

    name: str
    at: tuple[Dim, ...] = ()
    symmetric: bool = False

    def write(self, label: Label) -> str:
        if not self.at:
            return label(self.name)
        positions = [write_dim(position, label) for position in self.at]
        if self.symmetric:
            positions.sort()
        return f"{self.name}[{','.join(positions)}]"

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset({self.name}).union(*(position.names for position in self.at))


@final
@dataclass(frozen=True, eq=False)
class Same(Atom):
    """1 where two positions are equal, else 0."""

    left: Dim
    right: Dim

    def write(self, label: Label) -> str:
        return "=".join(sorted((write_dim(self.left, label), write_dim(self.right, label))))

    @cached_property
    def names(self) -> frozenset[str]:
        return self.left.names | self.right.names


@final
@dataclass(frozen=True, eq=False)
class Function(Atom):
    """A function of polynomials: log, step, Phi; `exp` and `power` have one monomial as their exponent, whose
    factor is the exponent of the atom."""

    name: str
    args: tuple["Poly", ...] = ()

    def write(self, label: Label) -> str:
        return f"{self.name}({';'.join(arg.write(label) for arg in self.args)})"

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset[str]().union(*(arg.names for arg in self.args))


@final
@dataclass(frozen=True, eq=False)
class Inverse(Atom):
    """1/base of a base that is a sum, its factors taken out."""

    base: "Poly"

    def write(self, label: Label) -> str:
        return f"1/({self.base.write(label)})"

    @cached_property
    def names(self) -> frozenset[str]:
        return self.base.names


@final
@dataclass(frozen=True, eq=False)
class Root(Atom):
    """A base that is not taken apart, to an exponent between 0 and 1."""

    base: "Poly"

    def write(self, label: Label) -> str:
        return f"root({self.base.write(label)})"

    @cached_property
    def names(self) -> frozenset[str]:
        return self.base.names


@final
@dataclass(frozen=True, eq=False)
class Moment(Atom):
    """The mean over these draws of a polynomial, of which the law says nothing more."""

    draws: frozenset[str]
    body: "Poly"

    def write(self, label: Label) -> str:
        return f"E[{','.join(sorted(self.draws))}]({self.body.write(label)})"

    @cached_property
    def names(self) -> frozenset[str]:
        return self.body.names - self.draws


@final
@dataclass(frozen=True, eq=False)
class Value(Atom):
    """A declared function at a matrix, or an entry of its gradient there."""

    function: str
    arg: Node
    at: tuple[Dim, ...] | None
    inside: frozenset[str]

    def write(self, label: Label) -> str:
        at = "" if self.at is None else f"'[{','.join(write_dim(p, label) for p in self.at)}]"
        return f"@{self.function}{at}({to_text(self.arg)})"

    @cached_property
    def names(self) -> frozenset[str]:
        return self.inside.union(*(position.names for position in self.at or ()))


@final
@dataclass(frozen=True, eq=False)
class Net(Atom):
    """The sum over these indices of a product of factors that they connect; the indices have canonical names,
    so that equal sums write the same."""

    bound: tuple[tuple[str, Dim, Dim], ...]
    factors: Monomial

    def write(self, label: Label) -> str:
        own = {name for name, _, _ in self.bound}

        def inner(name: str) -> str:
            return name if name in own else label(name)

        ranges = ",".join(f"{n}:{write_dim(a, label)}..{write_dim(b, label)}" for n, a, b in self.bound)
        return f"sum({ranges}|{write_monomial(self.factors, inner)})"

    @cached_property
    def names(self) -> frozenset[str]:
        own = {name for name, _, _ in self.bound}
        limits = frozenset[str]().union(*(low.names | high.names for _, low, high in self.bound))
        return (frozenset[str]().union(*(atom.names for atom, _ in self.factors)) - own) | limits

    @cached_property
    def depth(self) -> int:
        return 1 + max((depth_of(atom) for atom, _ in self.factors), default=0)


def depth_of(atom: Atom) -> int:
    """How deep sums are nested in an atom: their indices are named by it, and so never captured."""
    match atom:
        case Net():
            return atom.depth
        case Function(_, args):
            return max((arg.depth for arg in args), default=0)
        case Inverse(base) | Root(base) | Moment(_, base):
            return base.depth
    return 0


@dataclass(frozen=True, eq=False)
class Poly:
    """A sum of monomials with rational coefficients."""

    terms: Mapping[Monomial, fmpq]

    def write(self, label: Label) -> str:
        return "+".join(sorted(f"{factor}*{write_monomial(m, label)}" for m, factor in self.terms.items()))

    @cached_property
    def key(self) -> str:
        return self.write(plain)

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset[str]().union(*(atom.names for atom in self.atoms()))

    @cached_property
    def depth(self) -> int:
        return max(map(depth_of, self.atoms()), default=0)

    def atoms(self) -> Iterator[Atom]:
        return (atom for monomial in self.terms for atom, _ in monomial)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def constant(self) -> fmpq | None:
        if not self.terms:
            return fmpq(0)
        return self.terms.get(()) if len(self.terms) == 1 else None


def inner_atoms(poly: Poly) -> Iterator[Atom]:
    """Its atoms, and those in functions, denominators, roots and sums."""
    for atom in poly.atoms():
        yield atom
        match atom:
            case Function(_, args):
                inside = args
            case Inverse(base) | Root(base) | Moment(_, base):
                inside = (base,)
            case Net(_, factors):
                inside = (Poly({factors: fmpq(1)}),)
            case _:
                continue
        for part in inside:
            yield from inner_atoms(part)


def write_dim(dim: Dim, label: Label) -> str:
    if len(dim.terms) == 1:
        ((monomial, factor),) = dim.terms
        if factor == 1 and len(monomial) == 1 and monomial[0][1] == 1:
            return label(monomial[0][0])
    parts = (
        f"{factor}*" + "*".join(sorted(f"{label(name)}^{power}" for name, power in monomial))
        for monomial, factor in dim.terms
    )
    return "{" + "+".join(sorted(parts)) + "}"


def write_monomial(monomial: Monomial, label: Label) -> str:
    return "*".join(sorted(f"{atom.write(label)}^{power}" for atom, power in monomial))


def monomial(powers: Mapping[Atom, Exponent]) -> Monomial:
    kept = [
        (atom, int(power) if power.denominator == 1 else power) for atom, power in powers.items() if power
    ]
    return tuple(sorted(kept, key=lambda item: item[0].key))


def gathered(parts: Iterable[tuple[Monomial, fmpq]]) -> Poly:
    terms: dict[Monomial, fmpq] = {}
    for each, factor in parts:
        total = terms.get(each, fmpq(0)) + factor
        if total:
            terms[each] = total
        else:
            terms.pop(each, None)
    return Poly(terms)


NOTHING = Poly({})
UNIT = Poly({(): fmpq(1)})


def constant(value: Fraction | int | fmpq) -> Poly:
    number = (
        value if isinstance(value, fmpq) else fmpq(Fraction(value).numerator, Fraction(value).denominator)
    )
    return Poly({(): number}) if number else NOTHING


def of_atom(atom: Atom, power: Exponent = 1) -> Poly:
    return Poly({monomial({atom: power}): fmpq(1)})


def total(parts: Iterable[Poly]) -> Poly:
    return gathered(item for part in parts for item in part.terms.items())


def scaled(poly: Poly, factor: fmpq) -> Poly:
    return Poly({each: value * factor for each, value in poly.terms.items()}) if factor else NOTHING
