"""The size of a positive expression up to constants, as sums of monomials in the growing symbols.

    f + g ~ max(f, g),   (f + g)**q ~ f**q + g**q  (q > 0),   f - g ~ f  where g = o(f)

Constants in front are dropped as soon as they are seen to be positive at every allowed value, so a sum
of a thousand terms costs a union of a few exponents and no algebra. What may be negative or may vanish
is refused; the exact engine has other means for it.

An exponent may hold one symbol p = low + q that does not grow: u**(a + b q) is u**a (u**q)**b, a monomial
in u and in u**q, which is at least 1 as u is. An order that holds for all u and u**q >= 1 holds for every p.
Likewise log(u) is a symbol of its own beside u, where the names say so.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import walk
from verifier.prove.growth.exponential_towers import EXP, Monomial, Towers
from verifier.prove.growth.polynomial_orders import Exponents, dominated, escaping_path, leading, vanishing
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span, domain

MAX_TERMS = 400
UNCLEAR = "a side whose sign is not clear"
LOG = "log "  # no symbol of a claim has such a name


@dataclass(frozen=True)
class Size:
    """(sum of monomials `above`) / (sum of monomials `below`), up to constants; zero if `above` is empty."""

    above: frozenset[Exponents]
    below: frozenset[Exponents]

    def plus(self, other: "Size") -> "Size":
        if self.below == other.below:
            return Size(_kept(self.above | other.above), self.below)
        above = product(self.above, other.below) | product(other.above, self.below)
        return Size(_kept(above), product(self.below, other.below))

    def times(self, other: "Size") -> "Size":
        return Size(product(self.above, other.above), product(self.below, other.below))

    def inverse(self) -> "Size":
        if not self.above:
            raise Refused("a division by zero at every point")
        return Size(self.below, self.above)

    def power(self, exponent: Fraction) -> "Size":
        """(sum u**m)**q ~ sum u**(q m) for q > 0."""
        if exponent < 0:
            return self.inverse().power(-exponent)
        above, below = (
            frozenset(tuple(exponent * e for e in m) for m in side) for side in (self.above, self.below)
        )
        return Size(above if exponent or self.above else below, below)

    def vanishes_against(self, other: "Size", count: int | None = None) -> bool:
        """self = o(other) as all growing symbols grow; these are the first `count` exponents."""
        high, low = product(self.above, other.below), product(other.above, self.below)
        return vanishing(high, low, count)

    def is_within(self, other: "Size") -> bool:
        """self = O(other)."""
        return dominated(product(self.above, other.below), product(other.above, self.below))

    def rate(self, speeds: tuple[int, ...]) -> Fraction:
        """The exponent of t along u = t**speeds."""
        above, below = (
            max(sum((Fraction(e) * w for e, w in zip(m, speeds, strict=True)), Fraction(0)) for m in side)
            for side in (self.above, self.below)
        )
        return above - below

    def escape(self, other: "Size") -> tuple[int, ...] | None:
        """Speeds along which self outgrows other."""
        return escaping_path(product(self.above, other.below), product(other.above, self.below))


def size_of(
    claim: Claim,
    node: n.Node,
    growing: tuple[str, ...],
    power: str | None = None,
    atoms: tuple[Monomial, ...] = (),
) -> Size:
    """The size of a closed scalar tree; Refused where a sign is not seen from the form.

    With a `power` p, monomials have two exponents for each growing symbol: its own, and its q-th power's.
    The exponentials of `atoms` are the last of the growing symbols."""
    return _Reader(claim, domain(claim, (node,)), growing, power, atoms).size(node)


def size_everywhere(claim: Claim, node: n.Node, sizes: tuple[str, ...], scales: tuple[str, ...]) -> Size:
    """The size at all values of whole numbers `sizes` >= 1 and of positive reals `scales` at once.

    A real s > 0 is u/v with u, v >= 1: its monomials have the exponents (1, -1) there. Nothing is large
    here, so a difference is refused."""
    if any(isinstance(part, n.Subtract | n.Negate) for part in walk(node)):
        raise Refused(UNCLEAR)
    names = (*sizes, *scales, *(f"1/{name}" for name in scales))
    return _Reader(claim, domain(claim, (node,)), names, None).size(node)


def symbolic_power(claim: Claim, nodes: Iterable[n.Node]) -> str | None:
    """The one integer symbol in exponents that has a lower bound and does not grow; None without any."""
    exponents = [p.exponent for node in nodes for p in walk(node) if isinstance(p, n.Power)]
    names = {part.name for node in exponents for part in walk(node) if isinstance(part, n.Symbol)}
    given = {found[0].name for a in claim.assumptions if (found := a.substitution) is not None}
    if not names:
        return None
    if len(names) > 1 or names & given or names & {symbol.name for symbol in claim.growing}:
        raise Refused("several symbols in exponents")
    return names.pop()


@dataclass(frozen=True)
class _Reader:
    claim: Claim
    spans: Mapping[str, Span]
    growing: tuple[str, ...]
    raised: str | None
    atoms: tuple[Monomial, ...] = ()

    @property
    def one(self) -> Size:
        flat = frozenset([(Fraction(0),) * (len(self.growing) * (1 if self.raised is None else 2))])
        return Size(flat, flat)

    def size(self, node: n.Node) -> Size:
        if not self._grows(node) and self._is_positive(node):
            return self.one
        if self.atoms and (raised := self._exponent(node)) is not None:
            return raised
        match node:
            case n.Number(value) if value >= 0:
                return self.one if value else Size(frozenset(), self.one.below)
            case n.Pi():
                return self.one
            case n.Symbol(name):
                return self._symbol(name)
            case n.Let(_, body):
                return self.size(body)
            case n.Add(left, right):
                return self.size(left).plus(self.size(right))
            case n.Multiply(left, right) | n.MatMul(left, right):
                return self.size(left).times(self.size(right))
            case n.Divide(left, right):
                return self.size(left).times(self.size(right).inverse())
            case n.Subtract(left, right):
                high, low = self.size(left), self.size(right)
                if low.vanishes_against(high, len(self.growing)):
                    return high
            case n.Power(base, n.Number(exponent)):
                return self.size(base).power(exponent)
            case n.Apply("sqrt", (arg,)):
                return self.size(arg).power(Fraction(1, 2))
            case n.Apply("abs", (arg,)) | n.Transpose(arg) | n.Norm(arg) if arg.shape.is_scalar:
                return self.size(arg)
            case n.Apply("max", (left, right)):
                return self.size(left).plus(self.size(right))
            case n.Apply("min", (left, right)):  # 1/min(f, g) ~ 1/f + 1/g
                return self.size(left).inverse().plus(self.size(right).inverse()).inverse()
            case n.Apply("log", (arg,)):
                return self._logarithm(self.size(arg))
        if isinstance(node, n.Power) and self.raised is not None:
            return self._raised(self.size(node.base), node.exponent)
        raise Refused(UNCLEAR)

    def _exponent(self, node: n.Node) -> Size | None:
        """exp(-2*d + n) = E_d**-2 E_n"""
        first = len(self.growing) - len(self.atoms)
        names = tuple(name for name in self.growing[:first] if not name.startswith(LOG))
        terms = Towers(self.claim, names).exponent(node)
        if terms is None:
            return None
        powers = tuple(terms.get(atom, Fraction(0)) for atom in self.atoms)
        return Size(frozenset([(Fraction(0),) * first + powers]), self.one.below)

    def _logarithm(self, arg: Size) -> Size:
        """log of a sum of monomials with exponents >= 0 ~ the sum of log(u) over the symbols u in it.

        log(log(u)) is less than log(u): a logarithm inside needs its symbol beside it."""
        count = sum(not name.startswith((LOG, EXP)) for name in self.growing)
        width = len(self.growing)
        if width - len(self.atoms) != 2 * count or self.raised is not None or arg.below != self.one.below:
            raise Refused(UNCLEAR)
        plain, logs = ({k for k in part if any(m[k] for m in arg.above)} for part in _halves(count))
        towers = any(any(m[2 * count :]) for m in arg.above)
        if towers or not plain or not {k - count for k in logs} <= plain:
            raise Refused(UNCLEAR)
        if any(e < 0 for m in arg.above for e in m):
            raise Refused(UNCLEAR)
        units = [tuple(Fraction(int(j == count + k)) for j in range(width)) for k in plain]
        return Size(frozenset(units), self.one.below)

    def _raised(self, base: Size, exponent: n.Node) -> Size:
        """base**(a + b q), q = p - low >= 0, where a and b have one sign."""
        span = self.spans.get(self.raised or "")
        low = None if span is None else span.low
        if low is None:
            raise Refused(UNCLEAR)
        start, slope = self._line(exponent, low)
        if start <= 0 and slope <= 0 and (start or slope):
            base, start, slope = base.inverse(), -start, -slope
        half = len(self.growing)
        flat = all(not any(m[half:]) for side in (base.above, base.below) for m in side)
        if start < 0 or slope < 0 or not flat or not base.above:
            raise Refused(UNCLEAR)
        sides = [
            frozenset(tuple(start * e for e in m[:half]) + tuple(slope * e for e in m[:half]) for m in side)
            for side in (base.above, base.below)
        ]
        return Size(*map(_kept, sides))

    def _line(self, node: n.Node, low: Fraction) -> tuple[Fraction, Fraction]:
        """a and b of an exponent a + b (p - low)."""
        match node:
            case n.Number(value):
                return value, Fraction(0)
            case n.Symbol(name) if name == self.raised:
                return low, Fraction(1)
            case n.Let(_, body):
                return self._line(body, low)
            case n.Negate(arg):
                a, b = self._line(arg, low)
                return -a, -b
            case n.Add(left, right) | n.Subtract(left, right):
                a, b = self._line(left, low)
                c, d = self._line(right, low)
                return (a + c, b + d) if isinstance(node, n.Add) else (a - c, b - d)
            case n.Multiply(n.Number(value), arg) | n.Multiply(arg, n.Number(value)):
                a, b = self._line(arg, low)
                return value * a, value * b
            case n.Divide(arg, n.Number(value)) if value:
                a, b = self._line(arg, low)
                return a / value, b / value
        raise Refused("an exponent that is not linear")

    def _is_positive(self, node: n.Node) -> bool:
        """A factorial, a power of a positive number: positive whatever its exponent."""
        match node:
            case n.Apply("factorial" | "factorial2" | "exp", _):
                return True
            case n.Power(base, _):
                return self.size(base) == self.one
        return False

    def _symbol(self, name: str) -> Size:
        for assumption in self.claim.assumptions:
            found = assumption.substitution
            if found is not None and found[0].name == name:
                return self.size(found[1])
        if name in self.growing:
            unit = tuple(Fraction(int(name == other) - int(f"1/{name}" == other)) for other in self.growing)
            rest = () if self.raised is None else (Fraction(0),) * len(unit)
            return Size(frozenset([unit + rest]), self.one.below)
        span = self.spans.get(name)
        if span is None or not span.assumptions.get("positive"):
            raise Refused(UNCLEAR)
        return self.one

    def _grows(self, node: n.Node) -> bool:
        """Whether it changes with the sizes: directly, through a substitution, as a matrix of such a size."""
        given = {f[0].name for a in self.claim.assumptions if (f := a.substitution) is not None}
        moving = given.union(self.growing)
        parts = list(walk(node))
        named = {part.name for part in parts if isinstance(part, n.Symbol | n.Member)}
        sizes = {name for part in parts for size in (part.shape.rows, part.shape.cols) for name in size.names}
        return bool(moving & (named | sizes))


def _halves(count: int) -> tuple[range, range]:
    return range(count), range(count, 2 * count)


def product(left: Iterable[Exponents], right: Iterable[Exponents]) -> frozenset[Exponents]:
    right = list(right)
    return _kept(tuple(a + b for a, b in zip(m, r, strict=True)) for m in left for r in right)


def _kept(monomials: Iterable[Exponents]) -> frozenset[Exponents]:
    """Without the monomials that another one dominates."""
    known = frozenset(monomials)
    if len(known) > MAX_TERMS:
        raise Refused("too many terms")
    return known if len(known) < 2 else frozenset(leading(known))
