"""Where a side of a relation is undefined, as conditions: such points are left out of what is judged.

f/g needs g != 0, log(f) f > 0, sqrt(f) f >= 0, f**-2 f != 0, f**(1/2) f >= 0. What the declarations and the
assumptions exclude by their form is not told: x positive, 1 + y**2, norm(v) where norm(v) == 1 is assumed;
nor what their ranges exclude: 1 - b == 0 for b in [0, 1/2], 2*n == 1.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal, Protocol

from verifier.claim.model import Assumption, Claim, Layers
from verifier.claim.spans import End, Span, Spans, assumed_spans
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Dimension, IndexOf, Interval, Positive
from verifier.expr.text import to_text
from verifier.expr.walk import children, expand_lets, walk

Sign = Literal["+", "0+", "?"]  # positive, not negative, unknown
_POSITIVE = ("exp", "sigmoid", "softplus", "Phi", "phi", "factorial", "factorial2")
_LAWS = N.Expectation | N.Variance | N.Covariance
_ZERO = N.Number(Fraction(0))
_OPAQUE = N.MatPower | N.Limit | N.Extreme | _LAWS | N.After | N.Called
_INNER = ("asin", "acos", "factorial", "factorial2", "binomial")


def left_out(claim: Claim, fact: N.Relation | N.Within) -> tuple[str, ...]:
    """The conditions under which a side has no value, and that nothing excludes."""
    signs = Signs.of(claim)
    random = claim.random
    found = signs.conditions(fact, inside=False)
    told = dict.fromkeys(item for item, inside in found if not (inside and _names(item) & random))
    assumed = assumed_spans(claim.assumptions)
    possible = (item for item in told if not Spans(claim.symbols, assumed, signs.span).impossible(item))
    return tuple(dict.fromkeys(map(to_text, possible)))


def requirements(node: N.Node, names: Collection[str]) -> Iterator[tuple[N.Relation, ...]] | None:
    """What must be true for the tree to have a value, as far as these symbols take part: of each alternative
    one; None where that is not read."""
    trees = [part for part in walk(expand_lets(node)) if _symbols(part) & set(names)]
    if any(map(_is_opaque, trees)):
        return None
    tame = {log for part in trees if (log := _tame(part)) is not None}
    return (needed for part in trees if (needed := _requirement(part, part in tame)))


def _tame(node: N.Node) -> N.Node | None:
    """x*log(x) has the limit 0 at 0."""
    match node:
        case N.Multiply(one, N.Apply("log", (arg,)) as log) | N.Multiply(N.Apply("log", (arg,)) as log, one):
            return log if one == arg else None
    return None


def _symbols(node: N.Node) -> set[str]:
    return {part.name for part in walk(node) if isinstance(part, N.Symbol | N.Member)}


def _is_opaque(node: N.Node) -> bool:
    """Whether it may have no value for reasons that are not told here: a derivative at a kink."""
    match node:
        case N.Apply(function, _):
            return function in _INNER
        case N.RowWise(function, _):
            return function != "softmax"
        case N.Derivative(of, _):
            return any(isinstance(part, N.Norm) or _bends(part) for part in walk(of))
    return isinstance(node, _OPAQUE)


def _bends(node: N.Node) -> bool:
    match node:
        case N.Apply(function, _):
            return function in ("abs", "relu", "min", "max", "sqrt")
        case N.Power(_, exponent):
            return not isinstance(exponent, N.Number) or exponent.value.denominator > 1
    return False


def _requirement(node: N.Node, tame: bool) -> tuple[N.Relation, ...]:
    """f/g: g > 0 or g < 0; f**g with a g that may be anything: f > 0"""
    positive, negative = (partial(N.Relation, op, right=_ZERO) for op in (">", "<"))
    match node:
        case N.Divide(_, below):
            return positive(left=below), negative(left=below)
        case N.Apply("log", (arg,)):
            return (N.Relation(">=", arg, _ZERO) if tame else positive(left=arg),)
        case N.Apply("sqrt", (arg,)):
            return (N.Relation(">=", arg, _ZERO),)
        case N.Power(base, N.Number(exponent)) if exponent.denominator == 1:
            return (positive(left=base), negative(left=base)) if exponent < 0 else ()
        case N.Power(base, N.Number(exponent)) if exponent > 0:
            return (N.Relation(">=", base, _ZERO),)
        case N.Power(base, _):
            return (positive(left=base),)
    return ()


def _names(fact: N.Relation) -> set[str]:
    return {node.name for node in walk(fact) if isinstance(node, N.Symbol | N.Member)}


def _assumed(facts: Iterable[N.Fact]) -> dict[N.Node, Sign]:
    """Nodes that an assumption keeps from 0: x > 0, x != 0 (which says no more than that), norm(v) == 1."""
    known: dict[N.Node, Sign] = {}
    for fact in facts:
        match fact:
            case N.Relation(">", node, N.Number(value)) if value >= 0:
                known[node] = "+"
            case N.Relation(">=" | "==", node, N.Number(value)) if value > 0:
                known[node] = "+"
            case N.Relation("!=", node, N.Number(Fraction(numerator=0))):
                known.setdefault(node, "?")
    return known


class Stated(Protocol):
    """What is known of symbols: the claim, or what is left of it at a point."""

    @property
    def symbols(self) -> Mapping[str, Declared]: ...

    @property
    def assumptions(self) -> tuple[Assumption, ...]: ...

    @property
    def layers(self) -> Layers | None: ...


@dataclass(frozen=True)
class Signs:
    """Signs of nodes from their form."""

    symbols: Mapping[str, Declared]
    assumed: Mapping[N.Node, Sign]

    @classmethod
    def of(cls, stated: "Stated") -> "Signs":
        facts = (assumption.constraint for assumption in stated.assumptions)
        return cls(stated.symbols, _assumed(fact for fact in facts if fact is not None))

    def conditions(self, part: N.Node | N.Fact, inside: bool) -> Iterator[tuple[N.Relation, bool]]:
        """Each condition, and whether it stands inside a mean."""
        if isinstance(part, N.Node):
            needed = self._needed(part)
            if needed is not None:
                yield needed, inside
        for child in children(part):
            if isinstance(child, N.Node | N.Fact):
                yield from self.conditions(child, inside or isinstance(part, _LAWS))

    def _needed(self, node: N.Node) -> N.Relation | None:
        match node:
            case N.Divide(_, below):
                return self._unless_nonzero(below)
            case N.Apply("log", (arg,)) if self.sign(arg) != "+":
                return N.Relation("==" if self.sign(arg) == "0+" else "<=", arg, _ZERO)
            case N.Apply("sqrt", (arg,)) if self.sign(arg) == "?":
                return N.Relation("<", arg, _ZERO)
            case N.Power(base, N.Number(exponent)) if exponent.denominator % 2 == 0:
                op: N.Comparison = "<=" if exponent < 0 else "<"
                if self.sign(base) == "?":
                    return N.Relation(op, base, _ZERO)
                return self._unless_nonzero(base) if exponent < 0 else None
            case N.Power(base, N.Number(exponent)) if exponent < 0:
                return self._unless_nonzero(base)
        return None

    def _unless_nonzero(self, node: N.Node) -> N.Relation | None:
        other = node.arg if isinstance(node, N.Negate) else node
        if other in self.assumed or self.sign(other) == "+":
            return None
        match other:
            case N.Number() | N.Pi() | N.Order():
                return None
            case N.Subtract(left, N.Number() as number):
                return N.Relation("==", left, number)
            case N.Multiply(left, right):
                return self._unless_nonzero(left) or self._unless_nonzero(right)
            case N.Power(base, N.Number(exponent)) if exponent > 0:
                return self._unless_nonzero(base)
            case N.Apply("sqrt" | "abs", (arg,)):
                return self._unless_nonzero(arg)
        return N.Relation("==", other, _ZERO)

    def sign(self, node: N.Node) -> Sign:
        if self.assumed.get(node) == "+":
            return "+"
        match node:
            case N.Number(value):
                return "+" if value > 0 else "0+" if value == 0 else "?"
            case N.Pi() | N.Ones() | N.Index():
                return "+"
            case N.Symbol(name) if name in self.symbols:
                return _declared(self.symbols[name])
            case N.Let(_, body):
                return self.sign(body)
            case N.Norm() | N.Variance() | N.Eye() | N.Zeros() | N.Indicator():
                return "0+"
            case N.Add(left, right):
                signs = {self.sign(left), self.sign(right)}
                return "?" if "?" in signs else "+" if "+" in signs else "0+"
            case N.Multiply(left, right) | N.Divide(left, right):
                signs = {self.sign(left), self.sign(right)}
                return "?" if "?" in signs else "0+" if "0+" in signs else "+"
            case N.Power(base, exponent):
                return self._power(base, exponent)
            case N.Apply(function, args):
                return self._function(function, args)
            case N.RowWise("softmax", _):
                return "+"
            case N.Entry(body, _, _) | N.Row(body, _) | N.Transpose(body):
                return self.sign(body)
            case N.Sum(body, ranges, ()) if all(_is_full(span) for span in ranges):
                return self.sign(body)
            case N.Sum(body, _, _) | N.Product(body, _, _) | N.Expectation(body, _):
                return "0+" if self.sign(body) != "?" else "?"
        return "?"

    def span(self, node: N.Node) -> Span:
        """The sign as a span, of a tree that is no arithmetic: norms, exponentials."""
        if isinstance(node, N.Add | N.Subtract | N.Multiply | N.Divide | N.Negate | N.Let):
            return Span()
        sign = self.sign(node)
        return Span() if sign == "?" else Span(End(Fraction(0), sign == "+"))

    def is_negative(self, node: N.Node) -> bool:
        match node:
            case N.Number(value):
                return value < 0
            case N.Negate(arg):
                return self.sign(arg) == "+"
            case N.Subtract(left, right):
                return self.is_negative(left) and self.sign(right) != "?"
        return False

    def _power(self, base: N.Node, exponent: N.Node) -> Sign:
        if self.sign(base) != "?":
            return self.sign(base)
        even = isinstance(exponent, N.Number) and exponent.value.numerator % 2 == 0
        return "0+" if even else "?"

    def _function(self, function: str, args: tuple[N.Node, ...]) -> Sign:
        signs = [self.sign(arg) for arg in args]
        if function in _POSITIVE:
            return "+"
        if function in ("sqrt", "abs", "relu"):
            return "+" if signs == ["+"] else "0+"
        if function == "max" and "+" in signs:
            return "+"
        return "+" if function == "min" and signs == ["+", "+"] else "?"


def _is_full(span: N.Range) -> bool:
    """1..n, which is not empty."""
    return span.low == N.Number(Fraction(1)) and isinstance(span.high, N.Symbol)


def nowhere(claim: Claim, fact: N.Relation | N.Within) -> str | None:
    """What has no value at all: the logarithm or the root of something negative."""
    reader = Signs.of(claim)
    for node in walk(fact):
        match node:
            case N.Apply("log" | "sqrt", (arg,)) if reader.is_negative(arg):
                return to_text(node)
            case N.Divide(_, N.Number(Fraction(numerator=0))):
                return to_text(node)
    return None


def _declared(declared: Declared) -> Sign:
    match declared.kind:
        case Positive() | Dimension() | IndexOf():
            return "+"
        case Interval(N.Number(low), _):
            return "+" if low > 0 else "0+" if low == 0 else "?"
    return "?"
