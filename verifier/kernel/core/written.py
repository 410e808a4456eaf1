"""Short sums and products of the text, written out term by term."""

from fractions import Fraction
from functools import reduce
from operator import eq, ge, gt, le, lt, ne

from verifier.expr import nodes as N
from verifier.expr.walk import rebuild, substitute
from verifier.kernel.context import Context
from verifier.kernel.core.indexing import Indexing
from verifier.kernel.rejected import Rejected

MOST_TERMS = 16
COMPARED = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
Numbers = dict[N.Node, N.Node]


def written_out(node: N.Node) -> N.Node:
    """The tree with the terms of its sums in their place, where their indices run over few numbers. A sum
    over no number stays as it is."""
    if isinstance(node, N.Sum | N.Product):
        found = numbers(node.ranges, node.conditions)
        if found and len(found) <= MOST_TERMS:
            terms = (written_out(substitute(node.body, at)) for at in found)
            return reduce(N.Add if isinstance(node, N.Sum) else N.Multiply, terms)
    return rebuild(node, written_out)


def numbers(ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...]) -> list[Numbers] | None:
    """The numbers that indices run over; None where an end is no number, or where they are many."""
    found: list[Numbers] = [{}]
    for ranged in ranges:
        longer: list[Numbers] = []
        for at in found:
            low, high = (_whole(end, at) for end in (ranged.low, ranged.high))
            if low is None or high is None or len(longer) + high - low >= MOST_TERMS**2:
                return None
            index = N.Index(ranged.index)
            longer += [{**at, index: N.Number(Fraction(k))} for k in range(low, high + 1)]
        found = longer
    passing = []
    for at in found:
        for condition in conditions:
            left, right = _whole(condition.left, at), _whole(condition.right, at)
            if left is None or right is None:
                return None
            if not COMPARED[condition.op](left, right):
                break
        else:
            passing.append(at)
    return passing


def _whole(node: N.Node, at: Numbers) -> int | None:
    try:
        return Indexing(Context()).position(substitute(node, at)).constant
    except (Rejected, KeyError):
        return None
