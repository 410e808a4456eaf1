"""Scalar trees put together with what is 0 or 1 left out; a value without end is refused."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.walk import walk

ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
ENDLESS = N.Infinity()


class NoPatternError(Exception):
    """The tree leaves the patterns."""


def plus(*parts: N.Node) -> N.Node:
    total: N.Node = ZERO
    for part in parts:
        refuse_endless(part)
        match total, part:
            case N.Number(a), N.Number(b):
                total = N.Number(a + b)
            case _ if part == ZERO:
                continue
            case _:
                total = part if total == ZERO else N.Add(total, part)
    return total


def minus(left: N.Node, right: N.Node) -> N.Node:
    if left == right:
        return ZERO
    return left if right == ZERO else plus(left, times(N.Number(Fraction(-1)), right))


def times(left: N.Node, right: N.Node) -> N.Node:
    """0*log(0) is 0, as it is in the limit; 0*(1/0) is left as it is, without a value."""
    refuse_endless(left, right)
    match left, right:
        case N.Number(a), N.Number(b):
            return N.Number(a * b)
    if ZERO in (left, right) and not (_has_pole(left) or _has_pole(right)):
        return ZERO
    if left == ONE or right == ONE:
        return right if left == ONE else left
    return N.Multiply(left, right)


def _has_pole(node: N.Node) -> bool:
    """Something is divided by zero, or zero raised to a power that is not positive."""
    for part in walk(node):
        match part:
            case N.Divide(_, right) if right == ZERO:
                return True
            case N.Power(base, N.Number(exponent)) if base == ZERO and exponent <= 0:
                return True
    return False


def over(left: N.Node, right: N.Node) -> N.Node:
    refuse_endless(left, right)
    return left if right == ONE else N.Divide(left, right)


def applied(function: str, *args: N.Node) -> N.Node:
    refuse_endless(*args)
    return N.Apply(function, args)


def root(value: N.Node) -> N.Node:
    return value if value in (ZERO, ONE) else applied("sqrt", value)


def refuse_endless(*values: N.Node) -> None:
    if ENDLESS in values:
        raise NoPatternError("something without end, outside a softmax")


def size(dim: Dim) -> N.Node:
    """n*m + 1 as a tree."""
    total: N.Node = ZERO
    for monomial, coefficient in dim.terms:
        part: N.Node = N.Number(Fraction(coefficient))
        for name, power in monomial:
            for _ in range(power):
                part = times(part, N.Symbol(name))
        total = plus(total, part)
    return total


def tail(dim: Dim) -> N.Node:
    """n - 1, the number of indices after the first."""
    return size(dim - Dim.of(1))
