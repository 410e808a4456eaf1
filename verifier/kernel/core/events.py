"""Events: 1 where a relation between numbers is true, else 0."""

from collections.abc import Callable

from verifier.expr import nodes as N
from verifier.kernel.core.terms import UNIT, Fn, Term, minus, times


def indicator(read: Callable[[N.Node], Term], op: str, left: N.Node, right: N.Node) -> Term:
    """By `above`, which is 1 for positive numbers and 0 for all others. Of a size, by both of its ends."""
    if op in (">", ">="):
        left, right, op = right, left, "<" if op == ">" else "<="
    match left, right:
        case N.Apply("abs", (arg,)), _:
            return times(indicator(read, op, N.Negate(right), arg), indicator(read, op, arg, right))
        case _, N.Apply("abs"):
            return minus(UNIT, indicator(read, "<=" if op == "<" else "<", right, left))
    if op == "<":
        return Fn("above", (minus(read(right), read(left)),))
    return minus(UNIT, Fn("above", (minus(read(left), read(right)),)))
