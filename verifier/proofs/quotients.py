"""Inequalities between quotients: multiplied out by denominators that are never negative."""

from collections.abc import Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.kernel.context import Context
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.rules.defined import unfolded

ONE = N.Number(Fraction(1))
Quotient = tuple[N.Node, tuple[N.Node, ...]]  # a numerator, and the factors of the denominator


def cleared(context: Context, small: N.Node, large: N.Node) -> Iterator[tuple[N.Node, N.Node]]:
    """(numerator, denominator) of large - small; the denominator is no number, never negative, and not 0
    where the sides have values."""
    top, below = _quotient(context, unfolded(context, N.Subtract(large, small)))
    if below and top.shape.is_scalar:
        yield top, _product(below)


def _quotient(context: Context, node: N.Node) -> Quotient:
    match node:
        case N.Negate(arg):
            top, below = _quotient(context, arg)
            return N.Negate(top), below
        case N.Add(left, right) | N.Subtract(left, right):
            (a, b), (c, d) = _quotient(context, left), _quotient(context, right)
            shared = _without(b, _without(b, d))
            rest, more = _without(b, shared), _without(d, shared)
            first, second = _times(a, more), _times(c, rest)
            joined = N.Add(first, second) if isinstance(node, N.Add) else N.Subtract(first, second)
            return joined, (*shared, *rest, *more)
        case N.Multiply(left, right):
            (a, b), (c, d) = _quotient(context, left), _quotient(context, right)
            return N.Multiply(a, c), (*b, *d)
        case N.Divide(left, N.Number(value)) if value:
            top, below = _quotient(context, left)
            return N.Multiply(N.Number(1 / value), top), below
        case N.Divide(left, right) if is_nonnegative(context, right):
            (a, b), (c, d) = _quotient(context, left), _quotient(context, right)
            return _times(a, d), (*b, c)
        case N.Power(base, N.Number(value)) if value.denominator == 1 and value > 0:
            top, below = _quotient(context, base)
            return N.Power(top, N.Number(value)), below * int(value)
    return node, ()


def _without(factors: tuple[N.Node, ...], others: tuple[N.Node, ...]) -> tuple[N.Node, ...]:
    left = list(factors)
    for other in others:
        if other in left:
            left.remove(other)
    return tuple(left)


def _times(node: N.Node, factors: tuple[N.Node, ...]) -> N.Node:
    for factor in factors:
        node = N.Multiply(node, factor)
    return node


def _product(factors: tuple[N.Node, ...]) -> N.Node:
    return _times(factors[0], factors[1:])
