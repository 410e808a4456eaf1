"""Sums of too many terms to add one by one, where the summand is a polynomial in the index.

sum_{k=0}^{N-1} f(low + k) = sum_{j=0}^{p} binomial(N, j + 1) * (forward difference of order j of f at low)

for a polynomial f of degree p: p + 1 values of f are enough, whatever N is.
"""

import math
from collections.abc import Callable
from operator import add, sub

from flint import fmpq

from verifier.exact.numbers import value_matrices as mx
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.value_matrices import Matrix
from verifier.exact.values.point_environment import MOST_TERMS, Environment
from verifier.expr import nodes as n
from verifier.expr.walk import walk

MOST_VALUES = 64


def long_sum(place: Environment, node: n.Sum) -> Matrix | None:
    """The sum, where its first index runs far; None where it does not, and terms can be added one by one."""
    first, *rest = node.ranges
    low, high = place.integer(first.low), place.integer(first.high)
    if high - low < MOST_TERMS:
        return None
    body = n.Sum(node.body, tuple(rest)) if rest else node.body
    degree = None if node.conditions else degree_in(body, first.index)
    if degree is None or degree >= MOST_VALUES:
        raise Unsupported(f"a sum of more than {MOST_TERMS:,} terms, one by one")
    differences = [place.at_index(first.index, low + k).value(body) for k in range(degree + 1)]
    count, total = high - low + 1, None
    for j in range(degree + 1):
        part = mx.entrywise(differences[0], _times(fmpq(math.comb(count, j + 1))))
        total = part if total is None else mx.paired(total, part, add)
        pairs = zip(differences[1:], differences, strict=False)
        differences = [mx.paired(above, below, sub) for above, below in pairs]
    assert total is not None
    return total


def _times(weight: fmpq) -> Callable[[Value], Value]:
    return lambda x: x * weight


def degree_in(node: n.Node, index: str) -> int | None:
    """A degree that the tree, as a polynomial in the index, does not exceed; None where it may be none."""
    if not any(isinstance(part, n.Index) and part.name == index for part in walk(node)):
        return 0
    match node:
        case n.Index():
            return 1
        case n.Add(left, right) | n.Subtract(left, right):
            return _joined(max, degree_in(left, index), degree_in(right, index))
        case n.Multiply(left, right) | n.MatMul(left, right):
            return _joined(add, degree_in(left, index), degree_in(right, index))
        case n.Divide(left, right):
            return degree_in(left, index) if degree_in(right, index) == 0 else None
        case n.Negate(arg) | n.Transpose(arg) | n.Trace(arg):
            return degree_in(arg, index)
        case n.Power(base, n.Number(exponent)) if exponent.denominator == 1 and exponent >= 0:
            inner = degree_in(base, index)
            return None if inner is None else inner * int(exponent)
        case n.Sum(body, ranges, ()) if not any(_speaks_of(span, index) for span in ranges):
            return degree_in(body, index)
    return None


def _joined(rule: Callable[[int, int], int], left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else rule(left, right)


def _speaks_of(span: n.Range, index: str) -> bool:
    """Whether the ends depend on the index, or the name means another one inside."""
    return span.index == index or degree_in(span.low, index) != 0 or degree_in(span.high, index) != 0
