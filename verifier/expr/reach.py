"""Where an index points, as far as the sizes alone say: `X[n + 1, 1]` is outside for every n."""

from itertools import product

from verifier.expr import nodes as N
from verifier.expr.dims import ONE, Dim
from verifier.expr.errors import ShapeError
from verifier.expr.scope import Scope
from verifier.expr.symbols import Dimension, IndexOf

MAX_INDICES = 4


def within(scope: Scope, ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...]) -> Scope:
    """The scope inside a sum: every term is there if no condition leaves one out and no range is empty."""
    try:
        return scope.reaching(None if conditions else _every_term(scope, ranges))
    except ShapeError:  # a polynomial beyond all bounds
        return scope.reaching(None)


def _every_term(scope: Scope, ranges: tuple[N.Range, ...]) -> dict[str, tuple[Dim, Dim]] | None:
    if scope.ranges is None:
        return None
    found = dict(scope.ranges)
    for item in ranges:
        low, high = polynomial(item.low, scope), polynomial(item.high, scope)
        if low is None or high is None or (low.names | high.names) & scope.indices:
            return None
        if not at_least(high - low, 0):
            return None
        found[item.index] = (low, high)
    return found


def outside(position: N.Node, size: Dim, scope: Scope) -> str | None:
    """How to say that this position is never one of 1..size: a term that every sum around it has points
    there, whatever the sizes are. None where it may be inside."""
    try:
        return _outside(position, size, scope)
    except ShapeError:  # a polynomial beyond all bounds
        return None


def _outside(position: N.Node, size: Dim, scope: Scope) -> str | None:
    pointed = polynomial(position, scope)
    if pointed is None or scope.ranges is None:
        return None
    bound = sorted(pointed.names & scope.indices)
    if len(bound) > MAX_INDICES or any(name not in scope.ranges for name in bound):
        return None
    for ends in product(*(scope.ranges[name] for name in bound)):
        place = pointed.replace(dict(zip(bound, ends, strict=True)))
        if at_least(place - size, 1) or at_least(Dim(()) - place, 0):
            at = ", ".join(f"{name} = {end}" for name, end in zip(bound, ends, strict=True))
            return f"index {place}" + (f", at {at}," if at else "")
    return None


def at_least(value: Dim, least: int) -> bool:
    """Whether value >= least by its signs alone, for all names from 1 on: with n = 1 + k and k >= 0, no
    coefficient is negative and the constant is large enough."""
    shifted = value.replace({name: Dim.of(name) + ONE for name in value.names}) - Dim.of(least)
    return all(coefficient >= 0 for _, coefficient in shifted.terms)


def polynomial(node: N.Node, scope: Scope) -> Dim | None:
    """The whole number that an index or an end of a range is, in the sizes and indices around it."""
    match node:
        case N.Number(value):
            return Dim.of(int(value)) if value.denominator == 1 else None
        case N.Index(name):
            return Dim.of(name)
        case N.Symbol(name):
            declared = scope.symbols.get(name)
            if declared is None or not isinstance(declared.kind, Dimension | IndexOf):
                return None
            return scope.dims.get(name, Dim.of(name))
        case N.Negate(arg):
            inner = polynomial(arg, scope)
            return None if inner is None else Dim(()) - inner
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right):
            a, b = polynomial(left, scope), polynomial(right, scope)
            if a is None or b is None:
                return None
            return a + b if isinstance(node, N.Add) else a - b if isinstance(node, N.Subtract) else a * b
    return None
