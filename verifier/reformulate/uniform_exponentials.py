"""Means of exponentials of a uniform number.

    E exp(a + c u) = exp(a) (exp(c high) - exp(c low)) / (c (high - low))

for u uniform on [low, high] with numbers for ends. The right side has no value at c = 0, where the left one
is exp(a): the two are the same for a c that is never 0, and in relations that a limit keeps.
"""

from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Uniform
from verifier.expr.walk import expand_lets, symbols_in, walk

_ZERO, _ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
_BROKEN = N.Indicator | N.Derivative | N.Limit | N.Extreme | N.After


def keeps_limits(fact: N.Relation | N.Within) -> bool:
    """Whether the relation is true at a point next to which it is: it is closed, and its sides are continuous
    wherever they have a value."""
    if isinstance(fact, N.Relation) and fact.op not in ("==", "<=", ">="):
        return False
    return not any(isinstance(part, _BROKEN) for part in walk(fact))


def mean_of_exponential(claim: Claim, body: N.Node, at_limits: bool) -> N.Node | None:
    """E(body) for an exponential of a line in one uniform number and in nothing else that is random; None
    where it is not one. Only `at_limits` may the slope of the line be 0 somewhere."""
    match expand_lets(body):
        case N.Apply("exp", (exponent,)) if exponent.shape.is_scalar:
            places = [part for part in walk(exponent) if _is_uniform_number(claim, part)]
            line = _line(claim, exponent, places[0]) if places else None
            if line is None:
                return None
            shift, slope = line
            never_zero = isinstance(slope, N.Number) and slope.value != 0
            if never_zero or (at_limits and slope != _ZERO and _is_free(claim, slope)):
                return N.Multiply(N.Apply("exp", (shift,)), _average(claim, places[0], slope))
    return None


def _is_free(claim: Claim, slope: N.Node) -> bool:
    """Whether no equation and no given value may make it 0 at every point."""
    equations = [item.fact for item in claim.assumptions if getattr(item.fact, "op", "==") == "=="]
    tied = {part.name for fact in equations for part in walk(fact) if isinstance(part, N.Symbol | N.Member)}
    names = symbols_in(slope)
    return bool(names) and not names & (tied | set(claim.where))


def _average(claim: Claim, place: N.Node, slope: N.Node) -> N.Node:
    """(exp(c high) - exp(c low)) / (c (high - low))"""
    kind = _law(claim, place)
    assert kind is not None
    high, low = (N.Apply("exp", (N.Multiply(slope, end),)) for end in (kind.high, kind.low))
    return N.Divide(N.Subtract(high, low), N.Multiply(slope, N.Subtract(kind.high, kind.low)))


def _law(claim: Claim, place: N.Node) -> Uniform | None:
    """The law of a uniform symbol or entry."""
    symbol = place.arg if isinstance(place, N.Entry) else place
    declared = claim.symbols.get(symbol.name) if isinstance(symbol, N.Symbol) else None
    if declared is None or declared.copies is not None or not isinstance(declared.kind, Uniform):
        return None
    return declared.kind


def _is_uniform_number(claim: Claim, node: N.Node) -> bool:
    """A number whose law is uniform over an interval that is no single point."""
    kind = _law(claim, node) if node.shape.is_scalar else None
    match kind and (_number(kind.low), _number(kind.high)):
        case (Fraction() as low, Fraction() as high):
            return low < high
    return False


def _number(node: N.Node) -> Fraction | None:
    match node:
        case N.Number(value):
            return value
        case N.Negate(N.Number(value)):
            return -value
    return None


def _line(claim: Claim, node: N.Node, place: N.Node) -> tuple[N.Node, N.Node] | None:
    """a and c of a + c u, where neither is random; None where it is no such line."""
    if node == place:
        return _ZERO, _ONE
    if not claim.random_in(node):
        return node, _ZERO
    match node:
        case N.Negate(arg):
            return _line(claim, N.Multiply(N.Number(Fraction(-1)), arg), place)
        case N.Add(left, right) | N.Subtract(left, right):
            first, second = _line(claim, left, place), _line(claim, right, place)
            if first is None or second is None:
                return None
            slope = _sum(type(node), first[1], second[1])
            return None if slope is None else (type(node)(first[0], second[0]), slope)
        case N.Multiply(left, right):
            first, second = _line(claim, left, place), _line(claim, right, place)
            if first is None or second is None or _ZERO not in (first[1], second[1]):
                return None
            (a, c), (factor, _) = (first, second) if second[1] == _ZERO else (second, first)
            return _times(a, factor), _times(c, factor)
        case N.Divide(above, below):
            first, second = _line(claim, above, place), _line(claim, below, place)
            if first is None or second is None or second[1] != _ZERO:
                return None
            return N.Divide(first[0], second[0]), N.Divide(first[1], second[0])
    return None


def _sum(node: type[N.Add] | type[N.Subtract], left: N.Node, right: N.Node) -> N.Node | None:
    """The sum or difference of two slopes; None where it might be 0 at every point."""
    match left, right:
        case N.Number(a), N.Number(b):
            return N.Number(a + b if node is N.Add else a - b)
        case (_, N.Number(value)) if value == 0:
            return left
        case (N.Number(value), _) if value == 0:
            return right if node is N.Add else N.Negate(right)
    return None


def _times(left: N.Node, right: N.Node) -> N.Node:
    match left, right:
        case (N.Number(value), _) if value == 1:
            return right
        case (_, N.Number(value)) if value == 1:
            return left
        case N.Number(a), N.Number(b):
            return N.Number(a * b)
        case (N.Number(value), _) if value == 0:
            return _ZERO
    return N.Multiply(left, right)
