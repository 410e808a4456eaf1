"""Sums and products without end, as limits of those that end:

sum(f(i), i, a, oo)  =  limit(sum(f(i), i, a, N), N, oo)

with a new size N. What has no limit equals nothing, and is not finite.
"""

from dataclasses import replace

from verifier.claim.model import Claim, Step
from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR
from verifier.expr.symbols import Declared, Dimension
from verifier.expr.walk import T, distinct, rebuild

_REPEATED = N.Sum | N.Product


def with_partial_sums(claim: Claim, step: Step) -> tuple[Claim, Step]:
    """The claim and the relation with a limit in the place of every sum or product without end."""
    facts = (step.fact, *(item.fact for item in claim.assumptions))
    if not any(_is_endless(node) for fact in facts for node in distinct(fact)):
        return claim, step
    writing = _Writing(set(claim.symbols) | {let.name for let in claim.lets})
    assumptions = tuple(replace(item, fact=writing.fact(item.fact)) for item in claim.assumptions)
    steps = tuple(replace(item, fact=writing.fact(item.fact)) for item in claim.steps)
    lets = tuple(writing.let(let) for let in claim.lets)
    step = replace(step, fact=writing.fact(step.fact))
    sizes = {name: Declared(name, Dimension(), SCALAR) for name in writing.sizes.values()}
    changed = replace(claim, assumptions=assumptions, steps=steps, lets=lets)
    return replace(changed, symbols={**claim.symbols, **sizes}), step


def _is_endless(node: N.Node) -> bool:
    return isinstance(node, _REPEATED) and isinstance(node.ranges[0].high, N.Infinity)


class _Writing:
    """One new size for each sum or product without end."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.sizes: dict[N.Node, str] = {}

    def fact(self, fact: T) -> T:
        return rebuild(fact, self.node)

    def let(self, let: N.Let) -> N.Let:
        return rebuild(let, self.node)

    def node(self, node: N.Node) -> N.Node:
        node = rebuild(node, self.node)
        if not isinstance(node, _REPEATED) or not _is_endless(node):
            return node
        first, *rest = node.ranges
        size = N.Symbol(self._size(node, first.index))
        ended = replace(node, ranges=(replace(first, high=size), *rest))
        return N.Limit(ended, size, N.Infinity())

    def _size(self, node: N.Node, index: str) -> str:
        if node not in self.sizes:
            name = f"N_{index}"
            while name in self.taken:
                name += "_"
            self.taken.add(name)
            self.sizes[node] = name
        return self.sizes[node]
