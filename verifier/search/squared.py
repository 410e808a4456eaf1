"""Bounds with a root of a sum, as bounds between squares.

    small <= large     if     small**2 <= large**2     and     large >= 0

The rules read products and sums of magnitudes: sqrt(n + m) is neither, its square is a sum.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Dimension, Positive
from verifier.search.bounds import Bound

_TWO = N.Number(Fraction(2))
Symbols = Mapping[str, Declared]


def of_squares(bound: Bound, symbols: Symbols) -> Bound | None:
    """The bound between squares; None where no root of a sum is a factor, or the large side may be < 0."""
    if not (_has_root_of_sum(bound.small) or _has_root_of_sum(bound.large)):
        return None
    if not _is_never_negative(bound.large, symbols):
        return None
    return replace(bound, small=_square(bound.small), large=_square(bound.large))


def _has_root_of_sum(node: N.Node) -> bool:
    match node:
        case N.Multiply(left, right) | N.Divide(left, right):
            return _has_root_of_sum(left) or _has_root_of_sum(right)
        case N.Apply("sqrt", (N.Add() | N.Subtract(),)):
            return True
    return False


def _square(node: N.Node) -> N.Node:
    match node:
        case N.Multiply(left, right) | N.Divide(left, right):
            return type(node)(_square(left), _square(right))
        case N.Apply("sqrt", (inside,)):
            return inside
    return N.Power(node, _TWO)


def _is_never_negative(node: N.Node, symbols: Symbols) -> bool:
    """Seen from its form."""
    match node:
        case N.Multiply(left, right) | N.Divide(left, right):
            return _is_never_negative(left, symbols) and _is_never_negative(right, symbols)
        case N.Number(value):
            return value >= 0
        case N.Symbol(name):
            return name in symbols and isinstance(symbols[name].kind, Positive | Dimension)
        case N.Norm() | N.Apply("sqrt" | "abs" | "exp", _):
            return node.shape.is_scalar
        case N.Power(_, N.Number(exponent)):
            return exponent.denominator == 1 and exponent.numerator % 2 == 0
        case N.Expectation(body):
            return _is_never_negative(body, symbols)
    return False
