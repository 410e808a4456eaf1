"""Bounds with a root of a sum, as bounds between squares.

    small <= large     if     small**2 <= large**2     and     large >= 0

The rules read products and sums of magnitudes: sqrt(n + m) is neither, its square is a sum.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.facts.values import Values
from verifier.prove.rules.bound_form import Bound

_TWO = N.Number(Fraction(2))


def of_squares(bound: Bound, values: Values) -> Bound | None:
    """The bound between squares; None where no root of a sum is a factor, or the large side may be < 0."""
    if not (_has_root_of_sum(bound.small) or _has_root_of_sum(bound.large)):
        return None
    if not values(bound.large).is_nonnegative:
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
