"""Quotients by a norm that lie between two numbers: |f(A)| <= c |A|^k for all A bounds f(A) / |A|^k.

    |A_ij|, |A|_2, |A|_oo, |A| <= |A|        |tr A| <= sqrt(n) |A|        |A|_1 <= sqrt(m) |A|, m entries
    |A B|, |A * B|, |<A, B>| <= |A| |B|      |A + B| <= |A| + |B|         and abs, relu and powers of such

with | | the Frobenius norm. So entries of unit vectors, cosines and the like have proven intervals.
"""

import math
from dataclasses import dataclass
from functools import reduce

from verifier.expr import nodes as N
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.static_integers import count, terms, try_integer

ROUNDING = 1 + 1e-9
MAX_TERMS = 500
SMALLER = ("abs", "relu", "sin", "tanh", "gelu", "silu")  # |f(x)| <= |x|


Powers = dict[N.Node, float]
Bound = tuple[float, Powers]  # |f| <= number * the product of |A|^power


def quotient_bound(node: N.Divide, over: frozenset[str], scope: Scope) -> float | None:
    """c with |f / (s |A|^k)| <= c wherever it is defined, s fixed; None where no such bound is seen."""
    dividend: N.Node = node.left
    divisor: N.Node = node.right
    while isinstance(dividend, N.Divide):
        divisor = N.Multiply(dividend.right, divisor)
        dividend = dividend.left
    bottom = _norms(divisor, over, scope)
    if bottom is None or any(isinstance(part, N.Index) for key in bottom[1] for part in sources.nodes(key)):
        return None
    scale, powers = bottom
    top = _Reader(tuple(powers), over).bound(dividend, scope)
    if top is None or top[1] != powers or scale == 0:
        return None
    return top[0] / scale * ROUNDING


def _norms(node: N.Node, over: frozenset[str], scope: Scope) -> Bound | None:
    """A fixed number times powers of norms: the number, and the power of each matrix."""
    if not sources.random_names(node, scope.world) & over:
        value = evaluate(node, scope)
        return (float(value.abs().max()), {}) if value.numel() == 1 else None
    match node:
        case N.Let(name, body):
            return _norms(scope.world.assumed.get(name, body), over, scope)
        case N.Norm(arg, "fro"):
            return 1.0, {arg: 1.0}
        case N.Power(base, exponent):
            inner, whole = _norms(base, over, scope), try_integer(exponent, scope)
            if inner is None or whole is None or whole < 1:
                return None
            return inner[0] ** whole, {key: whole * power for key, power in inner[1].items()}
        case N.Apply("sqrt", (arg,)):
            inner = _norms(arg, over, scope)
            return None if inner is None else (math.sqrt(inner[0]), {k: p / 2 for k, p in inner[1].items()})
        case N.Multiply(left, right):
            first, second = _norms(left, over, scope), _norms(right, over, scope)
            if first is None or second is None:
                return None
            return first[0] * second[0], _sum(first[1], second[1])
    return None


def _sum(first: Powers, second: Powers) -> Powers:
    return {key: first.get(key, 0.0) + second.get(key, 0.0) for key in (*first, *second)}


def _times(bound: Bound | None, factor: float) -> Bound | None:
    return None if bound is None else (factor * bound[0], bound[1])


def _raised(bound: Bound | None, power: float) -> Bound | None:
    return None if bound is None else (bound[0] ** power, {k: power * p for k, p in bound[1].items()})


def _product(first: Bound | None, second: Bound | None) -> Bound | None:
    if first is None or second is None:
        return None
    return first[0] * second[0], _sum(first[1], second[1])


def _added(first: Bound | None, second: Bound | None) -> Bound | None:
    """Of the same powers only: what grows more slowly than the divisor is not bounded near 0."""
    if first is None or second is None or first[1] != second[1]:
        return None
    return first[0] + second[0], first[1]


@dataclass(frozen=True)
class _Reader:
    """Bounds |f| <= c prod |A|^k in the matrices that a divisor has the norms of."""

    matrices: tuple[N.Node, ...]
    over: frozenset[str]

    def bound(self, node: N.Node, scope: Scope) -> Bound | None:
        if node in self.matrices:
            return 1.0, {node: 1.0}
        if not sources.random_names(node, scope.world) & self.over:
            return float(evaluate(node, scope).norm()) * ROUNDING, {}
        match node:
            case N.Let(name, body):
                return self.bound(scope.world.assumed.get(name, body), scope)
            case N.Negate(arg) | N.Transpose(arg) | N.Entry(arg) | N.Row(arg) | N.VecR(arg):
                return self.bound(arg, scope)
            case N.DiagPart(arg) | N.DiagMatrix(arg) | N.Norm(arg, "fro" | "2" | "oo"):
                return self.bound(arg, scope)
            case N.Norm(arg, "1"):
                return _times(self.bound(arg, scope), math.sqrt(scope.world.size(arg.shape.size)))
            case N.Trace(arg):
                return _times(self.bound(arg, scope), math.sqrt(scope.world.size(arg.shape.rows)))
            case N.Apply(function, (arg,)) if function in SMALLER:
                return self.bound(arg, scope)
            case N.Apply("sqrt", (arg,)):
                # Entry by entry |sqrt f|^2 sums to the sum of |f|, which is |f| for a scalar.
                return _raised(self.bound(arg, scope), 0.5) if arg.shape.is_scalar else None
            case N.Power(base, exponent):
                whole = try_integer(exponent, scope)
                return _raised(self.bound(base, scope), whole) if whole is not None and whole >= 1 else None
            case N.MatMul(left, right) | N.Inner(left, right) | N.Multiply(left, right):
                return _product(self.bound(left, scope), self.bound(right, scope))
            case N.Divide(left, right) if not sources.random_names(right, scope.world) & self.over:
                least = float(evaluate(right, scope).abs().min())
                return _times(self.bound(left, scope), 1 / least) if least > 0 else None
            case N.Add(left, right) | N.Subtract(left, right) if left.shape == right.shape:
                return _added(self.bound(left, scope), self.bound(right, scope))
            case N.Sum(body, ranges, conditions) if count(ranges, scope) <= MAX_TERMS:
                parts = [self.bound(body, inner) for inner in terms(ranges, conditions, scope)]
                return reduce(_added, parts) if parts else None
        return None
