"""What a few sizes cannot show: (n - 30)**2 is far from 0 at all of them, and sin(n) comes near to 0 late.

A number that is added to a size turns something where the size is as large as the number; a wave of a
size is at its ends where nobody looks.
"""

from collections.abc import Iterator, Mapping, Set
from itertools import count
from math import prod

from verifier.expr import nodes as N
from verifier.expr.sizes import float_or_inf
from verifier.expr.walk import children, expand_lets

WAVES = ("sin", "cos")


def hidden(fact: N.Relation | N.Within, searched: Mapping[str, Set[int]]) -> str | None:
    """Why the sizes that were searched say little of others; None where no reason is seen."""
    for node in _nodes(expand_lets(fact)):
        sizes = {part.name for part in _nodes(node) if isinstance(part, N.Symbol) and part.name in searched}
        if not sizes:
            continue
        match node:
            case N.Apply(function) if function in WAVES:
                return f"{function} of {', '.join(sorted(sizes))} comes to its ends at sizes nobody looked at"
            case N.Add() | N.Subtract() if node.shape.is_scalar and _reach(node) >= min(
                _left_out(searched[name]) for name in sizes
            ):
                return f"a number beside {', '.join(sorted(sizes))} is as large as sizes nobody looked at"
    return None


def _left_out(sizes: Set[int]) -> int:
    """The first size beyond 2 that is not among these."""
    return next(size for size in count(3) if size not in sizes)


def _nodes(part: N.Node | N.Fact) -> Iterator[N.Node]:
    """Every node below, but for exponents and the ends of sums."""
    if isinstance(part, N.Node):
        yield part
    match part:
        case N.Power(base, _):
            inside: tuple[N.Node, ...] = (base,)
        case N.Sum(body) | N.Product(body):
            inside = (body,)
        case _:
            inside = tuple(children(part))
    for child in inside:
        yield from _nodes(child)


def _reach(node: N.Node) -> float:
    """How large or how small the product of the numbers in it could be."""
    sizes = (abs(part.value) for part in _nodes(node) if isinstance(part, N.Number))
    return prod(float_or_inf(max(size, 1 / size)) for size in sizes if size)
