"""Between which numbers a scalar lies, by declarations and assumptions: rational interval arithmetic.

    b in [0, 1/2]  gives  1 - b in [1/2, 1];      rho < 1 assumed  gives  1 - rho in (0, oo)

It says what is impossible (1 - b == 0), and never what is possible: a span may be too wide.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from verifier.claim.model import Assumption
from verifier.expr import nodes as N
from verifier.expr.symbols import (
    Bernoulli,
    Declared,
    Dimension,
    FixedMatrix,
    IndexOf,
    Integer,
    Interval,
    Kind,
    Positive,
    Rademacher,
    Uniform,
)

MOST_STEPS = 2_000
MOST_BITS = 500
MOST_POWER = 16
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


@dataclass(frozen=True, slots=True)
class End:
    """An end of a span; None is infinite, and an open end is not reached."""

    at: Fraction | None = None
    open: bool = False


FREE = End()
ZERO, ONE = End(Fraction(0)), End(Fraction(1))


@dataclass(frozen=True, slots=True)
class Span:
    """The reals between two ends."""

    low: End = FREE
    high: End = FREE

    def __neg__(self) -> "Span":
        return Span(*(End(None if end.at is None else -end.at, end.open) for end in (self.high, self.low)))

    def __add__(self, other: "Span") -> "Span":
        return Span(_plus(self.low, other.low), _plus(self.high, other.high))

    def __mul__(self, other: "Span") -> "Span":
        """Where a factor's sign is known, its ends multiply; else nothing is said."""
        if self.is_below_zero():
            return -(-self * other)
        if other.is_below_zero():
            return -(self * -other)
        if self.is_above_zero() and other.is_above_zero():
            return Span(_times(self.low, other.low), _times(self.high, other.high))
        return Span()

    def is_above_zero(self) -> bool:
        """Whether nothing of it is negative."""
        return self.low.at is not None and self.low.at >= 0

    def is_below_zero(self) -> bool:
        """Whether nothing of it is positive, and not all of it is 0."""
        return self.high.at is not None and self.high.at <= 0 and self.low.at != 0

    def inverse(self) -> "Span":
        """1/x; a span around 0 has none that says anything."""
        if self.is_below_zero():
            return -(-self).inverse()
        if not self.is_above_zero():
            return Span()
        low = End(Fraction(0), True) if self.high.at is None else _inverted(self.high)
        return Span(low, FREE if self.low.at == 0 else _inverted(self.low))

    def meet(self, other: "Span") -> "Span":
        """What lies in both."""
        high = _higher(_mirrored(self.high), _mirrored(other.high))
        return Span(_higher(self.low, other.low), _mirrored(high))

    def misses(self, op: N.Comparison, value: Fraction) -> bool:
        """Whether no number of the span stands in this relation to the value."""
        low, high = self.low, self.high
        all_above = low.at is not None and (low.at > value or (low.at == value and low.open))
        all_below = high.at is not None and (high.at < value or (high.at == value and high.open))
        match op:
            case "==":
                return all_above or all_below
            case "<":
                return all_above or low.at == value
            case "<=":
                return all_above
            case ">":
                return all_below or high.at == value
            case ">=":
                return all_below
        return False


def _plus(one: End, other: End) -> End:
    if one.at is None or other.at is None:
        return FREE
    return _small(End(one.at + other.at, one.open or other.open))


def _times(one: End, other: End) -> End:
    """Of ends that are not negative."""
    if one.at is None or other.at is None:
        return FREE
    shut_zero = (one.at == 0 and not one.open) or (other.at == 0 and not other.open)
    return _small(End(one.at * other.at, (one.open or other.open) and not shut_zero))


def _inverted(end: End) -> End:
    assert end.at
    return End(1 / end.at, end.open)


def _small(end: End) -> End:
    """An end with too many digits is dropped, so that work stays bounded."""
    assert end.at is not None
    return end if max(end.at.numerator.bit_length(), end.at.denominator.bit_length()) < MOST_BITS else FREE


def _mirrored(end: End) -> End:
    return End(None if end.at is None else -end.at, end.open)


def _higher(one: End, other: End) -> End:
    if one.at is None or other.at is None:
        return other if one.at is None else one
    if one.at == other.at:
        return End(one.at, one.open or other.open)
    return max(one, other, key=lambda end: end.at or Fraction(0))


# --- of trees ---------------------------------------------------------------------------------------------


@dataclass
class Spans:
    """The spans of trees. `fallback` is asked for what is not arithmetic."""

    symbols: Mapping[str, Declared]
    assumed: Mapping[N.Node, Span]
    fallback: Callable[[N.Node], Span]
    steps: int = field(default=0, init=False)

    def impossible(self, fact: N.Relation) -> bool:
        """Whether no point of the declared and assumed ones fulfils the condition."""
        if not isinstance(fact.right, N.Number):
            return False
        left, value = fact.left, fact.right.value
        return self.of(left).misses(fact.op, value) or (fact.op == "==" and self._skips(left, value))

    def _skips(self, node: N.Node, value: Fraction) -> bool:
        """Whether the value lies between those that the tree takes: 2*n == 1, s == 0 for a sign s."""
        match node:
            case N.Multiply(N.Number(factor), rest) if factor:
                return self._skips(rest, value / factor)
            case N.Entry(N.Symbol(name), _, _) | N.Symbol(name) if name in self.symbols:
                kind = self.symbols[name].kind
                if isinstance(kind, Rademacher):
                    return abs(value) != 1
                return isinstance(kind, Dimension | IndexOf | Integer) and value.denominator != 1
        return False

    def of(self, node: N.Node) -> Span:
        """The span of a scalar, or of the entries of a matrix."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            return Span()
        found = self.fallback(node).meet(self._arithmetic(node))
        return found.meet(self.assumed[node]) if node in self.assumed else found

    def _arithmetic(self, node: N.Node) -> Span:
        match node:
            case N.Number(value):
                return Span(End(value), End(value))
            case N.Symbol(name) | N.Entry(N.Symbol(name), _, _) if name in self.symbols:
                return declared_span(self.symbols[name].kind)
            case N.Let(_, body):
                return self.of(body)
            case N.Negate(arg):
                return -self.of(arg)
            case N.Add(left, right):
                return self.of(left) + self.of(right)
            case N.Subtract(left, right):
                return self.of(left) + -self.of(right)
            case N.Multiply(left, right):
                return self.of(left) * self.of(right)
            case N.Divide(left, right):
                return self.of(left) * self.of(right).inverse()
            case N.Power(base, N.Number(exponent)) if (
                exponent.denominator == 1 and 0 < exponent <= MOST_POWER
            ):
                return self._power(base, int(exponent))
        return Span()

    def _power(self, base: N.Node, exponent: int) -> Span:
        span = self.of(base)
        if exponent % 2 == 0 and not (span.is_above_zero() or span.is_below_zero()):
            return Span(ZERO, FREE)
        found = span
        for _ in range(exponent - 1):
            found = found * span
        return found


def declared_span(kind: Kind) -> Span:
    """Of a symbol's values, or of its entries."""
    match kind:
        case Dimension() | IndexOf():
            return Span(ONE, FREE)
        case Positive():
            return Span(End(Fraction(0), True), FREE)
        case Interval(low, high) | Uniform(low, high):
            return Span(_number(low), _number(high))
        case FixedMatrix("simplex" | "stochastic") | Bernoulli():
            return Span(ZERO, ONE)
        case FixedMatrix("orthogonal") | Rademacher():
            return Span(End(Fraction(-1)), ONE)
    return Span()


def _number(node: N.Node) -> End:
    return End(node.value) if isinstance(node, N.Number) else FREE


def assumed_spans(assumptions: tuple[Assumption, ...]) -> dict[N.Node, Span]:
    """What is assumed of a tree against a number, and of a difference of two trees against 0."""
    known: dict[N.Node, Span] = {}

    def learn(node: N.Node, op: str, value: Fraction) -> None:
        end = End(value, op in "<>")
        low = end if op in (">", ">=", "==") else FREE
        high = end if op in ("<", "<=", "==") else FREE
        known[node] = known.get(node, Span()).meet(Span(low, high))

    for assumption in assumptions:
        match assumption.constraint:
            case N.Relation(op, left, N.Number(value)) if op in _MIRRORED:
                learn(left, op, value)
            case N.Relation(op, N.Number(value), right) if op in _MIRRORED:
                learn(right, _MIRRORED[op], value)
            case N.Relation(op, left, right) if op in _MIRRORED:
                learn(N.Subtract(left, right), op, Fraction(0))
                learn(N.Subtract(right, left), _MIRRORED[op], Fraction(0))
            case _:
                pass
    return known
