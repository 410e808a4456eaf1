"""Which trees are whole numbers, seen from their form."""

from collections.abc import Mapping

from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, Dimension, IndexOf, Integer


def is_whole(node: N.Node, symbols: Mapping[str, Declared]) -> bool:
    """Whether it is made of whole numbers by sums and products."""
    match node:
        case N.Number(value):
            return value.denominator == 1
        case N.Index():
            return True
        case N.Symbol(name):
            return name in symbols and isinstance(symbols[name].kind, Dimension | IndexOf | Integer)
        case N.Let(_, body) | N.Negate(body):
            return is_whole(body, symbols)
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right):
            return is_whole(left, symbols) and is_whole(right, symbols)
    return False


def is_even(node: N.Node, symbols: Mapping[str, Declared]) -> bool:
    """2*k for a whole k."""
    match node:
        case N.Multiply(N.Number(times), rest) | N.Multiply(rest, N.Number(times)):
            return times % 2 == 0 and is_whole(rest, symbols)
    return False
