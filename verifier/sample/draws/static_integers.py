"""Whole numbers known before anything is sampled: indices, exponents, depths, the terms of a sum."""

import operator
from collections.abc import Callable, Iterator
from typing import Any

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.unsupported import RefusedError, UndefinedError

MAX_TERMS = 20_000
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def integer(node: N.Node, scope: Scope) -> int:
    """An index, a depth or a size: known before anything is sampled."""
    found = try_integer(node, scope)
    if found is None:
        raise RefusedError("an index or size that is not known before sampling")
    return found


def try_integer(node: N.Node, scope: Scope) -> int | None:
    match node:
        case N.Number(value):
            return int(value) if value.denominator == 1 else None
        case N.Index(name):
            return scope.indices[name]
        case N.Symbol(name):
            return None if name in scope.values else scope.world.sizes.get(name)
        case N.Let(name, body):
            return None if name in scope.held or name in scope.world.assumed else try_integer(body, scope)
        case N.Negate(arg):
            inner = try_integer(arg, scope)
            return None if inner is None else -inner
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right) | N.Divide(left, right):
            a, b = try_integer(left, scope), try_integer(right, scope)
            return None if a is None or b is None else _integer_operation(node, a, b)
    return None


def _integer_operation(node: N.Add | N.Subtract | N.Multiply | N.Divide, a: int, b: int) -> int | None:
    match node:
        case N.Add():
            return a + b
        case N.Subtract():
            return a - b
        case N.Multiply():
            return a * b
        case N.Divide():
            return a // b if b and a % b == 0 else None


def position(node: N.Node, size: Dim, scope: Scope) -> int:
    """A 1-based index as a 0-based one, inside its range."""
    index, limit = integer(node, scope), scope.world.size(size)
    if not 1 <= index <= limit:
        raise UndefinedError(f"the index {index} is not in 1..{limit}")
    return index - 1


def count(ranges: tuple[N.Range, ...], scope: Scope) -> int:
    """About how many terms a sum has: its conditions not counted, later ranges at the first index."""
    total = 1
    for item in ranges:
        low, high = integer(item.low, scope), integer(item.high, scope)
        total *= max(high - low + 1, 0)
        scope = scope.binding({item.index: low})
    return total


def terms(ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...], scope: Scope) -> Iterator[Scope]:
    """The scope of every term of a sum; a later range may use an earlier index."""
    if not ranges:
        if all(COMPARE[c.op](integer(c.left, scope), integer(c.right, scope)) for c in conditions):
            yield scope
        return
    first, *rest = ranges
    low, high = integer(first.low, scope), integer(first.high, scope)
    if high - low >= MAX_TERMS:
        raise RefusedError(f"a sum of more than {MAX_TERMS} terms")
    for value in range(low, high + 1):
        yield from terms(tuple(rest), conditions, scope.binding({first.index: value}))
