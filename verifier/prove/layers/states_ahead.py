"""States of several depths: those behind the shallowest one are what a few more layers make of it.

after(X, T + k) = next(... next(after(X, T), W_1) ..., W_k),     W_1, ..., W_k drawn afresh
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from verifier.claim.model import Assumption, Claim, Layers
from verifier.expr import nodes as n
from verifier.expr.symbols import Declared
from verifier.expr.text import to_text
from verifier.expr.walk import rebuild, walk
from verifier.prove.scalars.bound_indices import at_least
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import domain
from verifier.prove.scalars.tree_to_sympy import Translator

MOST = 3  # layers behind the shallowest state
Fresh = Callable[[str], str]


@dataclass(frozen=True)
class Depths:
    """The depth T of the shallowest state, and how many layers each depth is behind it."""

    least: n.Node
    behind: Mapping[n.Node, int]


def depths(claim: Claim, node: n.Node) -> Depths | None:
    """The depths of the states in a tree; None where there are no states."""
    found = list(dict.fromkeys(part.depth for part in walk(node) if isinstance(part, n.After)))
    if len(found) < 2:
        return Depths(found[0], {found[0]: 0}) if found else None
    translator = Translator(claim, domain(claim))
    read = {depth: translator.read(depth) for depth in found}
    first = read[found[0]]
    apart = {depth: (value - first).expand() for depth, value in read.items()}
    if not all(step.is_Integer for step in apart.values()):
        raise Refused("states of different depths in one expectation")
    least = min(found, key=lambda depth: int(apart[depth]))
    behind = {depth: int(step - apart[least]) for depth, step in apart.items()}
    if max(behind.values()) > MOST or not at_least(read[least], 0, translator.spans):
        raise Refused("states of depths that are far apart")
    return Depths(least, behind)


@dataclass(frozen=True)
class Ahead:
    """The state and what one, two, ... more layers make of it, with what these layers draw and assume."""

    states: tuple[n.Node, ...]
    symbols: tuple[Declared, ...]
    assumptions: tuple[Assumption, ...]


def ahead(one: Claim, layers: Layers, state: n.Node, count: int, fresh: Fresh) -> Ahead:
    """`count` more layers behind the state; `one` is a layer as a claim of its own."""
    states, symbols, assumptions = [state], list[Declared](), list[Assumption]()
    for layer in range(1, count + 1):
        writer = _Writer(layers, states[-1], f"ahead_{layer}", fresh)
        states.append(writer.write(layers.next))
        symbols += [replace(symbol, name=writer.names[symbol.name]) for symbol in layers.symbols]
        assumptions += writer.assumptions(one)
    return Ahead(tuple(states), tuple(symbols), tuple(assumptions))


class _Writer:
    """One layer behind a state, in names of its own."""

    def __init__(self, layers: Layers, before: n.Node, place: str, fresh: Fresh) -> None:
        self.layers, self.before, self.place = layers, before, place
        own = [symbol.name for symbol in layers.symbols] + [let.name for let in layers.lets]
        self.names = {name: fresh(f"{name}_{place}") for name in own}

    def write(self, node: n.Node) -> n.Node:
        if node == self.layers.state:
            return self.before
        match node:
            case n.Symbol(name, shape) if name in self.names:
                return n.Symbol(self.names[name], shape)
            case n.Let(name, body) if name in self.names:
                return n.Let(self.names[name], self.write(body))
        return rebuild(node, self.write)

    def assumptions(self, one: Claim) -> Iterator[Assumption]:
        """What is assumed of a layer's names holds in every layer."""
        for item in one.assumptions:
            if any(isinstance(x, n.Let | n.Symbol) and x.name in self.names for x in walk(item.fact)):
                fact = rebuild(item.fact, self.write)
                yield replace(item, name=f"{item.name}, {self.place}", fact=fact, text=to_text(fact))
