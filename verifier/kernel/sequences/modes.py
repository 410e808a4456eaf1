"""What a fact says of the gaps Z_i = f(i) - g of a sequence:

surely      P(limit(f(i), i, oo) == g) == 1
sums        sum(size(Z_i), i, a, oo) < oo
vanishes    limit(size(Z_i), i, oo) == 0

where the size is a chance P(|Z_i| > t) or a moment E|Z_i|**p. A chance may be meant for every t > 0: a
quantifier runs over t, or over something that makes t as small as one likes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Dimension, Positive
from verifier.expr.walk import distinct, expand_lets, substitute

ZERO, ONE = N.Number(Fraction(0)), Fraction(1)
PLACE = N.Index("i")  # where the index of a gap stands, whatever it was called
_MIRRORED: dict[str, N.Comparison] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
# What has a value wherever its parts have one.
_TOTAL = (
    N.Symbol | N.Member | N.Index | N.Number | N.Pi | N.Zeros | N.Ones | N.Eye | N.Add | N.Subtract
    | N.Multiply | N.Negate | N.MatMul | N.Transpose | N.Trace | N.Inner | N.Norm | N.Entry | N.Row
)  # fmt: skip
_EVERYWHERE = frozenset(
    ("abs", "exp", "sin", "cos", "tanh", "sigmoid", "relu", "atan", "erf", "Phi", "min", "max")
)


@dataclass(frozen=True)
class Chance:
    """P(|Z_i| > above), or >= where not strict; None: for every above > 0, in whatever norm."""

    gap: N.Node
    above: N.Node | None
    norm: N.NormKind = "fro"
    strict: bool = True


@dataclass(frozen=True)
class Moment:
    """E|Z_i|**power; E(Z_i**power) with its sign, where that may be negative."""

    gap: N.Node
    power: Fraction
    signed: bool = False


@dataclass(frozen=True)
class Surely:
    """Z_i -> 0 with probability 1."""

    gap: N.Node


@dataclass(frozen=True)
class Sums:
    """The sum of the sizes from Z_start on is finite."""

    size: Chance | Moment
    start: int

    @property
    def gap(self) -> N.Node:
        return self.size.gap


@dataclass(frozen=True)
class Vanishes:
    """The sizes tend to 0."""

    size: Chance | Moment

    @property
    def gap(self) -> N.Node:
        return self.size.gap


Mode = Surely | Sums | Vanishes


@dataclass(frozen=True)
class Convergence:
    """f converges to g with probability 1, as the symbol grows."""

    of: N.Node
    to: N.Node
    along: N.Symbol


def convergence(fact: N.Fact) -> Convergence | None:
    """P(limit(f, d, oo) == g) == 1 in one of its spellings."""
    match fact:
        case N.Relation("==", N.Number(value), N.Node() as right) if value == 1:
            return convergence(N.Relation("==", right, fact.left))
        case N.Relation("==" | ">=", left, N.Number(value)) if value == 1:
            while isinstance(left, N.Let):
                left = left.body
            match left:
                case N.Expectation(
                    N.Indicator(N.Relation("==", N.Limit(of, along, N.Infinity()), to)), ()
                ) | N.Expectation(N.Indicator(N.Relation("==", to, N.Limit(of, along, N.Infinity()))), ()):
                    return Convergence(of, to, along)
    return None


@dataclass(frozen=True)
class Reader:
    """Facts as modes. `assumed`: what is in force; `positive` says whether a scalar is, under all of it."""

    symbols: Mapping[str, Declared]
    assumed: tuple[N.Fact, ...]
    positive: Callable[[N.Node], bool]

    def mode(self, fact: N.Fact) -> Mode | None:
        """What the fact says, where it is one of these."""
        inner, over = (fact.fact, fact.over) if isinstance(fact, N.Every) else (fact, ())
        bound = {symbol.name for symbol in over}
        if not isinstance(inner, N.Relation) or (bound and self._is_bounded(fact, bound)):
            return None
        found = self._relation(expand_lets(inner), over)
        # What is said for every value of a symbol must not speak of it any more.
        return None if found is None or names_of(found) & bound else found

    def _is_random(self, node: N.Node) -> bool:
        names = {part.name for part in distinct(node) if isinstance(part, N.Symbol | N.Member)}
        return any(self.symbols[name].is_random for name in names if name in self.symbols)

    def _is_bounded(self, fact: N.Fact, bound: set[str]) -> bool:
        """Whether another assumption leaves these symbols fewer values than they were declared with."""
        others = (other for other in self.assumed if other != fact)
        return any(bound & _free(other) for other in others)

    def _relation(self, fact: N.Relation, over: tuple[N.Symbol, ...]) -> Mode | None:
        stated = convergence(fact)
        if stated is not None:
            gap = self._gap(N.Subtract(stated.of, stated.to), stated.along)
            return None if gap is None or stated.along in distinct(stated.to) else Surely(gap[0])
        match fact:
            case N.Relation("==", N.Number(), N.Limit()):
                return self._relation(N.Relation("==", fact.right, fact.left), over)
            case N.Relation("==", N.Limit(body, along, N.Infinity()), N.Number(value)) if value in (0, 1):
                read = self._size(body, along, over, value == 0)
                return None if read is None else Vanishes(read[0])
            case N.Relation("<", N.Sum(body, (span,), ()), N.Infinity()) if isinstance(span.high, N.Infinity):
                read = self._size(body, N.Index(span.index), over, True)
                start = span.low.value + read[1] if read and isinstance(span.low, N.Number) else -ONE
                return Sums(read[0], int(start)) if read and start >= 0 and start.denominator == 1 else None
        return None

    def _size(
        self, body: N.Node, along: N.Symbol | N.Index, over: tuple[N.Symbol, ...], is_small: bool
    ) -> tuple[Chance | Moment, int] | None:
        """A chance, of a large gap or, where it is not small, of no large one; or a moment. And the shift."""
        match body:
            case N.Expectation(N.Indicator(N.Relation(op, left, right)), ()) if op in _MIRRORED:
                if _length(left) is None:
                    left, right, op = right, left, _MIRRORED[op]
                return self._chance(left, right, op, along, over) if (op in (">", ">=")) == is_small else None
            case N.Expectation(N.Power(base, N.Number(power)), ()) if is_small and power > 0:
                return self._moment(base, power, along)
            case N.Expectation(base, ()) if is_small:
                return self._moment(base, ONE, along)
        return None

    def _chance(
        self, left: N.Node, above: N.Node, op: str, along: N.Symbol | N.Index, over: tuple[N.Symbol, ...]
    ) -> tuple[Chance, int] | None:
        inner = _length(left)
        gap = None if inner is None else self._gap(inner[0], along)
        if inner is None or gap is None or along in distinct(above) or self._is_random(above):
            return None
        if self._reaches_zero(above, over):
            return Chance(gap[0], None), gap[1]
        return Chance(gap[0], above, inner[1], op in (">", "<=")), gap[1]

    def _moment(self, base: N.Node, power: Fraction, along: N.Symbol | N.Index) -> tuple[Moment, int] | None:
        inner = _length(base)
        gap = self._gap(base if inner is None else inner[0], along)
        signed = inner is None and power % 2 != 0
        if gap is None or not base.shape.is_scalar or (signed and power.denominator != 1):
            return None
        return Moment(gap[0], power, signed), gap[1]

    def _reaches_zero(self, above: N.Node, over: tuple[N.Symbol, ...]) -> bool:
        """Whether it is positive, and as small as one likes at some values of these symbols."""
        match above:
            case N.Symbol(name):
                return above in over and isinstance(self.symbols[name].kind, Positive)
            case N.Multiply(left, right):
                pairs = ((left, right), (right, left))
                return any(self._reaches_zero(a, over) and self._is_held(b, over) for a, b in pairs)
            case N.Divide(left, N.Symbol(name) as right) if right in over and self._is_held(left, over):
                return isinstance(self.symbols[name].kind, Positive | Dimension)
            case N.Divide(left, right):
                return self._reaches_zero(left, over) and self._is_held(right, over)
            case N.Power(base, N.Number(power)):
                return power > 0 and self._reaches_zero(base, over)
        return False

    def _is_held(self, node: N.Node, over: tuple[N.Symbol, ...]) -> bool:
        """Positive, and the same for all values of these symbols."""
        return not any(part in over for part in distinct(node)) and self.positive(node)

    def _gap(self, node: N.Node, along: N.Symbol | N.Index) -> tuple[N.Node, int] | None:
        """The gap with its index replaced, up to its sign, and by how much its members are shifted; None for
        what may have no value, does not move along the sequence, or grows in size."""
        parts = list(distinct(node))
        sizes = {name for part in parts for name in part.shape.rows.names | part.shape.cols.names}
        if along not in parts or (isinstance(along, N.Symbol) and along.name in sizes):
            return None
        if not all(isinstance(part, _TOTAL) or _has_a_value(part) for part in parts):
            return None
        places = {
            part.index for part in parts if isinstance(part, N.Member) and along in distinct(part.index)
        }
        moved = substitute(node, dict.fromkeys(places, PLACE)) if len(places) == 1 else node
        shift = _shift(next(iter(places)), along) if len(places) == 1 else None
        if shift is None or along in distinct(moved):
            moved, shift = substitute(node, {along: PLACE}), 0
        return _oriented(moved), shift


def _length(node: N.Node) -> tuple[N.Node, N.NormKind] | None:
    """The X of |X| or norm(X)."""
    match node:
        case N.Apply("abs", (arg,)) if arg.shape.is_scalar:
            return arg, "fro"
        case N.Norm(arg, kind):
            return arg, "fro" if arg.shape.is_scalar else kind
    return None


def _has_a_value(node: N.Node) -> bool:
    match node:
        case N.Apply(function):
            return function in _EVERYWHERE
        case N.Power(_, N.Number(power)):
            return power >= 0 and power.denominator == 1
        case N.Divide(_, N.Number(value)):
            return value != 0
    return False


def _shift(place: N.Node, along: N.Node) -> int | None:
    """c of an index i + c."""
    match place:
        case N.Add(left, N.Number(value)) | N.Add(N.Number(value), left) if left == along:
            return int(value)
        case N.Subtract(left, N.Number(value)) if left == along:
            return -int(value)
    return 0 if place == along else None


def _oriented(gap: N.Node) -> N.Node:
    """Of Z and -Z one: what moves stands first, and 0 is not subtracted."""
    match gap:
        case N.Negate(arg):
            return _oriented(arg)
        case N.Subtract(left, right) if right == ZERO or isinstance(right, N.Zeros):
            return _oriented(left)
        case N.Subtract(left, right) if PLACE not in distinct(left):
            return _oriented(N.Subtract(right, left))
    return gap


def names_of(mode: Mode) -> set[str]:
    """The symbols that it speaks of."""
    return {node.name for tree in _trees(mode) for node in distinct(tree) if isinstance(node, N.Symbol)}


def _free(fact: N.Fact) -> set[str]:
    bound = {symbol.name for symbol in fact.over} if isinstance(fact, N.Every) else set()
    return {node.name for node in distinct(fact) if isinstance(node, N.Symbol)} - bound


def _trees(mode: Mode) -> Iterator[N.Node]:
    yield mode.gap
    if not isinstance(mode, Surely) and isinstance(mode.size, Chance) and mode.size.above is not None:
        yield mode.size.above
