"""Where a claim's scalar symbols range: kind, bounds that assumptions add, bounds that roots imply."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.walk import expand_lets, walk

MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=", "==": "=="}


@dataclass(frozen=True)
class Span:
    """low <= value <= high, ends open where strict; `integer` values only; 0 left out."""

    integer: bool = False
    low: Fraction | None = None
    high: Fraction | None = None
    open_low: bool = False
    open_high: bool = False
    nonzero: bool = False

    def above(self, low: Fraction, strict: bool) -> "Span":
        """This span cut at a lower end; for integers x > 1 is x >= 2."""
        if self.integer:
            low = Fraction(-((-low.numerator) // low.denominator)) if low.denominator > 1 else low + strict
            strict = False
        if self.low is not None and (self.low > low or (self.low == low and self.open_low)):
            return self
        return replace(self, low=low, open_low=strict)

    def below(self, high: Fraction, strict: bool) -> "Span":
        """This span cut at an upper end."""
        mirrored = Span(self.integer, None if self.high is None else -self.high, open_low=self.open_high)
        cut = mirrored.above(-high, strict)
        assert cut.low is not None
        return replace(self, high=-cut.low, open_high=cut.open_low)

    def holds(self, value: Fraction) -> bool:
        if (self.integer and value.denominator != 1) or (self.nonzero and value == 0):
            return False
        if self.low is not None and (value < self.low or (self.open_low and value == self.low)):
            return False
        return self.high is None or value < self.high or (not self.open_high and value == self.high)

    @property
    def assumptions(self) -> dict[str, bool]:
        """What SymPy may know of the symbol."""
        known = {"real": True}
        if self.integer:
            known["integer"] = True
        if self.low is not None and self.low >= 0:
            positive = self.low > 0 or self.open_low or self.nonzero
            known["positive" if positive else "nonnegative"] = True
        elif self.high is not None and self.high <= 0:
            negative = self.high < 0 or self.open_high or self.nonzero
            known["negative" if negative else "nonpositive"] = True
        elif self.nonzero:
            known["nonzero"] = True
        return known


def domain(claim: Claim, parts: Iterable[n.Node] = ()) -> Mapping[str, Span]:
    """The span of every fixed scalar symbol, cut by the assumptions and by roots in `parts`.

    A point where a side is undefined is left out, so sqrt(a/L) anywhere makes a >= 0."""
    spans = {name: _of_kind(symbol) for name, symbol in claim.symbols.items() if _is_scalar(symbol)}
    for fact in claim.constraints:
        if isinstance(fact, n.Relation):
            _cut(spans, fact)
        elif isinstance(fact, n.Within):
            _cut(spans, n.Relation(">=", fact.arg, fact.low))
            _cut(spans, n.Relation("<=", fact.arg, fact.high))
    values = [found[1] for a in claim.assumptions if (found := a.substitution) is not None]
    for part in [*parts, *values]:
        for node in walk(part):
            _cut_root(spans, node)
    return spans


def _is_scalar(symbol: kinds.Declared) -> bool:
    return symbol.shape.is_scalar and not symbol.is_random and symbol.copies is None


def _of_kind(symbol: kinds.Declared) -> Span:
    match symbol.kind:
        case kinds.Dimension() | kinds.IndexOf():
            return Span(integer=True, low=Fraction(1))
        case kinds.Integer():
            return Span(integer=True)
        case kinds.Positive():
            return Span(low=Fraction(0), open_low=True)
        case kinds.Interval(low, high):
            ends = rational(low), rational(high)
            return Span(low=ends[0], high=ends[1])
        case kinds.FixedKind():
            return Span()
    raise AssertionError(f"a random symbol is not a free one: {symbol.name}")


def rational(node: n.Node) -> Fraction | None:
    """The exact rational that a constant tree is."""
    match node:
        case n.Number(value):
            return value
        case n.Negate(arg):
            inner = rational(arg)
            return None if inner is None else -inner
        case n.Let(_, body):
            return rational(body)
        case n.Divide(left, right):
            over, under = rational(left), rational(right)
            return None if over is None or not under else over / under
    return None


def _cut(spans: dict[str, Span], fact: n.Relation) -> None:
    """x < c, c >= x, x != 0, abs(x) <= c."""
    for op, side, other in ((fact.op, fact.left, fact.right), (MIRROR[fact.op], fact.right, fact.left)):
        value = rational(other)
        match side:
            case n.Symbol(name) if name in spans and value is not None:
                spans[name] = _bounded(spans[name], op, value)
            case n.Apply("abs", (n.Symbol(name),)) if (
                name in spans and value is not None and op in ("<", "<=")
            ):
                spans[name] = _bounded(_bounded(spans[name], op, value), MIRROR[op], -value)


def _bounded(span: Span, op: str, value: Fraction) -> Span:
    match op:
        case "<" | "<=":
            return span.below(value, op == "<")
        case ">" | ">=":
            return span.above(value, op == ">")
        case "!=" if value == 0:
            return replace(span, nonzero=True)
    return span


def _cut_root(spans: dict[str, Span], node: n.Node) -> None:
    match node:
        case n.Apply("sqrt", (arg,)):
            strict = False
        case n.Apply("log", (arg,)):
            strict = True
        case n.Power(arg, n.Number(exponent)) if exponent.denominator % 2 == 0:
            strict = False
        case _:
            return
    name = _scaled(expand_lets(arg), spans)
    if name is not None:
        spans[name] = spans[name].above(Fraction(0), strict and not spans[name].integer)


def _scaled(node: n.Node, spans: Mapping[str, Span]) -> str | None:
    """x, or x times and over positive quantities: the one name whose sign decides."""
    unsure: list[str] = []

    def positive(part: n.Node) -> bool:
        match part:
            case n.Number(value):
                return value > 0
            case n.Pi():
                return True
            case n.Symbol(name) if name in spans:
                low = spans[name].low
                if low is None or low < 0 or (low == 0 and not spans[name].open_low):
                    unsure.append(name)
                return True
            case n.Multiply(left, right) | n.Divide(left, right):
                return positive(left) and positive(right)
        return False

    return unsure[0] if positive(node) and len(unsure) == 1 else None


def symbol(name: str, span: Span) -> sp.Symbol:
    return sp.Symbol(name, **span.assumptions)
