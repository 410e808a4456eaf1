"""Trees that are affine in a symbol, or in a power of it: slope * x + rest, neither part speaking of x."""

from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.walk import walk

ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))


@dataclass(frozen=True)
class Line:
    """slope * x + rest."""

    slope: N.Node
    rest: N.Node


def affine(node: N.Node, unknown: N.Symbol | N.Power) -> Line | None:
    """The tree as a line in a scalar symbol or one power of it; None where it is seen to be none."""
    if node == unknown:
        return Line(ONE, ZERO)
    symbol = unknown.base if isinstance(unknown, N.Power) else unknown
    if not any(part == symbol for part in walk(node)):
        return Line(ZERO, node)
    match node:
        case N.Negate(arg):
            line = affine(arg, unknown)
            return None if line is None else Line(minus(line.slope), minus(line.rest))
        case N.Add(left, right) | N.Subtract(left, right):
            first, second = affine(left, unknown), affine(right, unknown)
            if first is None or second is None:
                return None
            join = plus if isinstance(node, N.Add) else less
            return Line(join(first.slope, second.slope), join(first.rest, second.rest))
        case N.Multiply(left, right):
            factors = affine(left, unknown), affine(right, unknown)
            for line, other in (factors, factors[::-1]):
                if line is not None and other is not None and other.slope == ZERO:
                    return Line(times(other.rest, line.slope), times(other.rest, line.rest))
        case N.Divide(left, right):
            line, other = affine(left, unknown), affine(right, unknown)
            if line is not None and other is not None and other.slope == ZERO:
                return Line(over(line.slope, other.rest), over(line.rest, other.rest))
    return None


def difference(fact: N.Relation) -> N.Node:
    """left - right."""
    return less(fact.left, fact.right)


def plus(left: N.Node, right: N.Node) -> N.Node:
    """left + right, without a zero, and without a sign after the plus."""
    match left, right:
        case N.Number(a), N.Number(b):
            return N.Number(a + b)
        case (other, N.Negate(arg)) | (N.Negate(arg), other):
            return less(other, arg)
    return right if left == ZERO else left if right == ZERO else N.Add(left, right)


def less(left: N.Node, right: N.Node) -> N.Node:
    """left - right, without a zero."""
    match left, right:
        case N.Number(a), N.Number(b):
            return N.Number(a - b)
        case other, N.Negate(arg):
            return plus(other, arg)
    return minus(right) if left == ZERO else left if right == ZERO else N.Subtract(left, right)


def minus(node: N.Node) -> N.Node:
    """-node, a number or a second sign taken in."""
    match node:
        case N.Number(value):
            return N.Number(-value)
        case N.Negate(arg):
            return arg
        case N.Subtract(left, right):
            return less(right, left)
    return N.Negate(node)


def times(left: N.Node, right: N.Node) -> N.Node:
    """left * right, without a zero or a one."""
    match left, right:
        case N.Number(a), N.Number(b):
            return N.Number(a * b)
    if ZERO in (left, right):
        return ZERO
    return right if left == ONE else left if right == ONE else N.Multiply(left, right)


def over(left: N.Node, right: N.Node) -> N.Node:
    """left / right, without a one."""
    match left, right:
        case N.Number(a), N.Number(b) if b:
            return N.Number(a / b)
        case _, N.Number(b) if b == -1:
            return minus(left)
    if left == ZERO:
        return ZERO
    return left if right == ONE else N.Divide(left, right)
