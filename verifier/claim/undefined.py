"""Where a side of a relation is undefined, as conditions: such points are left out of what is judged.

f/g needs g != 0, log(f) f > 0, sqrt(f) f >= 0, f**-2 f != 0, f**(1/2) f >= 0. What the declarations and the
assumptions exclude by their form is not told: x positive, 1 + y**2, norm(v) where norm(v) == 1 is assumed;
nor what their ranges exclude: 1 - b == 0 for b in [0, 1/2], 2*n == 1.
"""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Protocol

from verifier.claim.model import Assumption, Claim, Layers
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Dimension, IndexOf, Integer, Rademacher
from verifier.expr.text import to_text
from verifier.expr.walk import Part, bound_ranges, children, expand_lets, symbols_in, walk
from verifier.facts.roots import Parabola, parabola
from verifier.facts.values import Values
from verifier.facts.whole import is_whole

_LAWS = N.Expectation | N.Variance | N.Covariance
_ZERO = N.Number(Fraction(0))
_OPAQUE = N.MatPower | N.Limit | N.Extreme | _LAWS | N.After | N.Called
_INNER = ("asin", "acos", "factorial", "factorial2", "binomial")


def left_out(claim: Claim, fact: N.Relation | N.Within) -> tuple[str, ...]:
    """The conditions under which a side has no value, and that nothing excludes."""
    found = _conditions(fact, claim.values, inside=False)
    told = (item for item, inside in found if not (inside and symbols_in(item) & claim.random))
    return tuple(dict.fromkeys(map(to_text, told)))


def requirements(node: N.Node, names: Collection[str]) -> Iterator[tuple[N.Relation, ...]] | None:
    """What must be true for the tree to have a value, as far as these symbols take part: of each alternative
    one; None where that is not read."""
    trees = [part for part in walk(expand_lets(node)) if symbols_in(part) & set(names)]
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


class Stated(Protocol):
    """What is known of symbols: the claim, or what is left of it at a point."""

    @property
    def symbols(self) -> Mapping[str, Declared]: ...

    @property
    def assumptions(self) -> tuple[Assumption, ...]: ...

    @property
    def layers(self) -> Layers | None: ...


def _conditions(part: Part, values: Values, inside: bool) -> Iterator[tuple[N.Relation, bool]]:
    """Each condition that is not excluded, and whether it stands inside a mean."""
    needed = _needed(part, values) if isinstance(part, N.Node) else None
    if needed is not None and not _is_impossible(needed, values):
        yield needed, inside
    under = values.within(bound_ranges(part)) if isinstance(part, N.Node) else values
    for child in children(part):
        yield from _conditions(child, under, inside or isinstance(part, _LAWS))


def _needed(node: N.Node, values: Values) -> N.Relation | None:
    match node:
        case N.Divide(_, below):
            return _unless_nonzero(below, values)
        case N.Apply("log", (arg,)) if not values(arg).is_positive:
            return N.Relation("==" if values(arg).is_nonnegative else "<=", arg, _ZERO)
        case N.Apply("sqrt", (arg,)) if not values(arg).is_nonnegative:
            return N.Relation("<", arg, _ZERO)
        case N.Power(base, N.Number(exponent)) if exponent.denominator % 2 == 0:
            op: N.Comparison = "<=" if exponent < 0 else "<"
            if not values(base).is_nonnegative:
                return N.Relation(op, base, _ZERO)
            return _unless_nonzero(base, values) if exponent < 0 else None
        case N.Power(base, N.Number(exponent)) if exponent < 0:
            return _unless_nonzero(base, values)
    return None


def _unless_nonzero(node: N.Node, values: Values) -> N.Relation | None:
    other = node.arg if isinstance(node, N.Negate) else node
    if values(other).is_nonzero:
        return None
    match other:
        case N.Number():
            return None
        case N.Subtract(left, N.Number() as number):
            return N.Relation("==", left, number)
        case N.Multiply(left, right):
            return _unless_nonzero(left, values) or _unless_nonzero(right, values)
        case N.Power(base, N.Number(exponent)) if exponent > 0:
            return _unless_nonzero(base, values)
        case N.Apply("sqrt" | "abs", (arg,)):
            return _unless_nonzero(arg, values)
    return N.Relation("==", other, _ZERO)


def _is_impossible(fact: N.Relation, values: Values) -> bool:
    """Whether no point of the declared and assumed ones fulfils the condition."""
    if not isinstance(fact.right, N.Number):
        return False
    left, value = fact.left, fact.right.value
    if values(left).misses(fact.op, value) or (fact.op == "==" and _skips(left, value, values.symbols)):
        return True
    found = parabola(N.Subtract(left, fact.right))
    return found is not None and (found.never(fact.op) or (fact.op == "==" and _has_no_root(found, values)))


def _has_no_root(found: Parabola, values: Values) -> bool:
    """Whether each root is a number that its symbol is not."""
    symbol, roots = N.Symbol(found.name), found.roots
    if roots is None:
        return not found.is_zero and is_whole(symbol, values.symbols)  # no root is a whole number
    return all(values(symbol).misses("==", root) or _skips(symbol, root, values.symbols) for root in roots)


def _skips(node: N.Node, value: Fraction, symbols: Mapping[str, Declared]) -> bool:
    """Whether the value lies between those that the tree takes: 2*n == 1, s == 0 for a sign s."""
    match node:
        case N.Multiply(N.Number(factor), rest) if factor:
            return _skips(rest, value / factor, symbols)
        case N.Entry(N.Symbol(name), _, _) | N.Symbol(name) if name in symbols:
            kind = symbols[name].kind
            if isinstance(kind, Rademacher):
                return abs(value) != 1
            return isinstance(kind, Dimension | IndexOf | Integer) and value.denominator != 1
    return False


def nowhere(claim: Claim, fact: N.Relation | N.Within) -> str | None:
    """What has no value at all: the logarithm or the root of something negative."""
    for node in walk(fact):
        match node:
            case N.Apply("log" | "sqrt", (arg,)) if claim.values(arg).is_negative:
                return to_text(node)
            case N.Divide(_, N.Number(Fraction(numerator=0))):
                return to_text(node)
    return None
