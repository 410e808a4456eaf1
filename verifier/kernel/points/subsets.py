"""Sums over sets of indices, written out at numbers."""

from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import comb

from verifier.expr import nodes as N
from verifier.expr.walk import rebuild, substitute
from verifier.kernel.rejected import Rejected

MOST_SETS = 1000


def written_out(node: N.Node) -> N.Node:
    """esum(body, i, low, high, p) as a sum of products: 0 where there is no set of so many indices, 1 for the
    empty set."""
    if not isinstance(node, N.SubsetSum):
        return rebuild(node, written_out)
    match node.range.low, node.range.high, node.order:
        case N.Number(low), N.Number(high), N.Number(order):
            pass
        case _:
            raise Rejected("outside", "a sum over sets of indices that are no numbers")
    if any(value.denominator != 1 for value in (low, high, order)) or order < 0:
        raise Rejected("outside", "a sum over sets whose size is no count")
    numbers = range(int(low), int(high) + 1)
    if comb(len(numbers), int(order)) * int(order) > MOST_SETS:
        raise Rejected("too-large", f"more than {MOST_SETS} factors in a sum over sets")
    body, index = written_out(node.body), N.Index(node.range.index)
    factors = [substitute(body, {index: N.Number(Fraction(number))}) for number in numbers]
    zero, one = (_number(value) for value in (0, 1))
    terms = [reduce(N.Multiply, chosen, one) for chosen in combinations(factors, int(order))]
    return reduce(N.Add, terms, zero)


def _number(value: int) -> N.Node:
    return N.Number(Fraction(value))
