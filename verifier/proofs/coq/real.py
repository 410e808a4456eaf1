"""Normal forms as terms over Coq's real numbers. An atom is a variable there: what it stands for is told in a
comment, and what the identity needs of it (that it is not 0) is a hypothesis."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from flint import fmpq

from verifier.expr.dims import Dim
from verifier.expr.nodes import Node
from verifier.kernel.core import terms as T
from verifier.kernel.core.settle import settled
from verifier.kernel.normal.atoms import (
    NOTHING,
    UNIT,
    Atom,
    Inverse,
    Monomial,
    Poly,
    Root,
    constant,
    gathered,
    monomial,
    plain,
    scaled,
    total,
)
from verifier.kernel.normal.equal import positions
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected

MOST_CHARACTERS = 20_000


def number(value: fmpq | Fraction | int) -> str:
    """A rational; negative ones in brackets."""
    exact = Fraction(int(value.p), int(value.q)) if isinstance(value, fmpq) else Fraction(value)
    text = f"{abs(exact.numerator)}" + (f" / {exact.denominator}" if exact.denominator != 1 else "")
    return f"(-{text})" if exact < 0 else f"({text})" if "/" in text else text


@dataclass
class Names:
    """Atoms as variables x1, x2, ...; where one stands under a root, its variable is the root."""

    polys: list[Poly] = field(default_factory=list)
    known: dict[Atom, str] = field(default_factory=dict)
    nonzero: dict[str, None] = field(default_factory=dict)
    equations: dict[str, None] = field(default_factory=dict)

    def root(self, atom: Atom) -> int:
        """The variable of an atom is this root of it, so that all its exponents are whole."""
        exponents = (power for poly in self.polys for m in poly.terms for each, power in m if each == atom)
        return lcm(*(Fraction(power).denominator for power in exponents), 1)

    def variable(self, atom: Atom) -> str:
        return self.known.setdefault(atom, f"x{len(self.known) + 1}")

    def needs_root(self, root: Root) -> None:
        """What a root satisfies is needed: as a hypothesis about its variable."""
        whole = self.root(root)
        self.equations[f"{self.variable(root)} ^ {whole} = {self.poly(root.base)}"] = None

    def is_not_zero(self, atom: Atom) -> None:
        """Where it is divided by; then what stands under a root is not 0 either."""
        if isinstance(atom, Inverse | Root):
            self.nonzero[self.poly(atom.base)] = None
        if not isinstance(atom, Inverse):
            self.nonzero[self.variable(atom)] = None

    def poly(self, poly: Poly) -> str:
        if not poly.terms:
            return "0"
        parts = [self.monomial(powers, factor) for powers, factor in poly.terms.items()]
        return parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"

    def monomial(self, powers: Monomial, factor: fmpq) -> str:
        parts = [self._power(atom, Fraction(power)) for atom, power in powers]
        if factor != 1 or not parts:
            parts.insert(0, number(factor))
        return parts[0] if len(parts) == 1 else f"({' * '.join(parts)})"

    def _power(self, atom: Atom, power: Fraction) -> str:
        if isinstance(atom, Inverse):
            base, times = self.poly(atom.base), -power
        else:
            base, times = self.variable(atom), power * self.root(atom)
        if times.denominator != 1:
            raise Rejected("outside", "a root of an inverse")
        if times < 0:
            self.is_not_zero(atom)
        text = base if abs(times) == 1 else f"({base} ^ {abs(times)})"
        return text if times > 0 else f"(/ {text})"

    @property
    def comments(self) -> Iterator[str]:
        for atom, name in self.known.items():
            root = self.root(atom)
            yield f"{name} is {f'the root of order {root} of ' if root > 1 else ''}{atom.write(plain)}"


@dataclass(frozen=True)
class Shown:
    """A part of the author's text: what stands there as long as it is arithmetic, the normal form of what is
    not (a mean, a sum, a norm), and the value of both together."""

    value: Poly
    parts: "tuple[Shown, ...] | None" = None  # None: the normal form itself
    join: str = ""
    exponent: int = 1
    roots: tuple[Root, ...] = ()  # those that met themselves here, and are their base to some power

    def written(self, names: Names) -> str:
        for root in self.roots:
            names.needs_root(root)
        if self.value.constant is not None and not self.join:
            return number(self.value.constant)
        if self.parts is None:
            return names.poly(self.value)
        if self.join:
            return f"({f' {self.join} '.join(part.written(names) for part in self.parts)})"
        (base,) = self.parts
        text, size = base.written(names), abs(self.exponent)
        if self.exponent < 0:
            base.divides(names)
        power = text if size == 1 else f"({text} ^ {size})"
        return power if self.exponent > 0 else f"(/ {power})"

    def divides(self, names: Names) -> None:
        """The text divides by this: no factor of it is 0."""
        if self.parts is not None and self.join != "+":
            for part in self.parts:
                part.divides(names)
        elif len(self.value.terms) == 1:
            for atom in self.value.atoms():
                names.is_not_zero(atom)
        else:
            names.nonzero[self.written(names)] = None

    def polys(self) -> Iterator[Poly]:
        yield self.value
        for part in self.parts or ():
            yield from part.polys()


@dataclass
class Shower:
    """Reads one statement entry by entry, as the kernel does, and keeps the arithmetic as it is written."""

    algebra: ZeroTest
    row: tuple[Dim, ...] = ()
    col: tuple[Dim, ...] = ()

    def over(self, sides: tuple[Node, ...]) -> None:
        """All sides are read at one entry, which is arbitrary."""
        self.row, self.col = positions(self.algebra, sides)

    def node(self, node: Node) -> Shown:
        reader = self.algebra.reader
        term = reader.scalar(node) if node.shape.is_scalar else reader.entry(node, self.row, self.col)
        return self.term(settled(reader, term))

    def term(self, term: T.Term) -> Shown:
        match term:
            case T.Num(value):
                return Shown(constant(value))
            case T.Plus(parts):
                shown = tuple(map(self.term, parts))
                return Shown(total(part.value for part in shown), shown, "+")
            case T.Times(parts):
                return self._product(tuple(map(self.term, parts)))
            case T.Pow(base, T.Num(power)) if power.denominator == 1 and power:
                return self._power(self.term(base), int(power))
        return Shown(self.algebra.normal(term))

    def _product(self, parts: tuple[Shown, ...]) -> Shown:
        """What atoms satisfy is used at once in a normal form. A product in which a root met itself is as it
        is written, with what the root satisfies; where something else happened, it is its normal form."""
        found = free = UNIT
        for part in parts:
            found, free = self.algebra.times(found, part.value), free_product(free, part.value)
        return _as_written(found, free, parts, "*", 1)

    def _power(self, base: Shown, exponent: int) -> Shown:
        found = self.algebra.power(base.value, exponent)
        if exponent < 0 and len(base.value.terms) != 1:
            return Shown(found, (base,), "", exponent)
        free = UNIT
        for _ in range(abs(exponent)):
            free = free_product(free, base.value)
        if exponent < 0:
            ((powers, factor),) = free.terms.items()
            free = Poly({monomial({atom: -power for atom, power in powers}): 1 / factor})
        return _as_written(found, free, (base,), "", exponent)


def _as_written(found: Poly, free: Poly, parts: tuple[Shown, ...], join: str, exponent: int) -> Shown:
    if found == free:
        return Shown(found, parts, join, exponent)
    reduced, roots = without_roots(free)
    return Shown(found, parts, join, exponent, roots) if found == reduced else Shown(found)


def without_roots(poly: Poly) -> tuple[Poly, tuple[Root, ...]]:
    """The polynomial with whole powers of roots as powers of what stands under them, and these roots."""
    parts, roots = [], dict[Root, None]()
    for powers, factor in poly.terms.items():
        term, rest = Poly({(): factor}), dict(powers)
        for atom, power in powers:
            if isinstance(atom, Root) and power >= 1:
                rest[atom] = power - int(power)
                roots[atom] = None
                for _ in range(int(power)):
                    term = free_product(term, atom.base)
        parts.append(free_product(term, Poly({monomial(rest): fmpq(1)})))
    return total(parts), tuple(roots)


def free_product(left: Poly, right: Poly) -> Poly:
    """The product of polynomials in variables of which nothing is known."""
    if not (left.terms and right.terms):
        return NOTHING
    parts = []
    for a, x in left.terms.items():
        for b, y in right.terms.items():
            powers = dict(a)
            for atom, power in b:
                powers[atom] = powers.get(atom, 0) + power
            parts.append((monomial(powers), x * y))
    return gathered(parts)


def minus(left: Poly, right: Poly) -> Poly:
    return total((left, scaled(right, fmpq(-1))))


def cleared(poly: Poly, inverse: Inverse) -> Poly:
    """The polynomial times the base of an inverse, as often as it stands there."""
    most = max(int(dict(powers).get(inverse, 0)) for powers in poly.terms)
    found = []
    for powers, factor in poly.terms.items():
        part = Poly({tuple(item for item in powers if item[0] != inverse): factor})
        for _ in range(most - int(dict(powers).get(inverse, 0))):
            part = free_product(part, inverse.base)
        found.append(part)
    return total(found)


def bounded(text: str) -> str:
    if len(text) > MOST_CHARACTERS:
        raise Rejected("too-large", f"a statement of more than {MOST_CHARACTERS} characters")
    return text
