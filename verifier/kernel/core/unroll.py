"""Layers written out at numbers: the state after k layers as a tree.

x_0 = X,   x_l = next(x_{l-1}, W[l]),   after(X, k) = x_k

Each layer draws its symbols afresh: what layer l draws is the l-th copy of a family. What is assumed of a
layer's names is assumed in every layer.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.walk import Part, T, bound_ranges, children, rebuild, substitute, walk
from verifier.kernel.context import Context, Layers
from verifier.kernel.rejected import Rejected

MOST_LAYERS = 32
MOST_NODES = 50_000  # of a tree with its shared parts written out


def unrolled(context: Context, fact: T, depth: int | None = None) -> tuple[Context, T]:
    """The fact, whose depths and layers are numbers, and its context without layers; `depth` is the number of
    layers that there are: assumptions are made of them all, and of those that the fact reaches."""
    layers = context.layers
    if layers is None:
        return context, fact
    for name, symbol in layers.symbols.items():
        if symbol.copies is not None or name in context.symbols:
            raise Rejected("outside", f"{name}, a family in each layer or a name of the theorem too")
    if not _concerns(fact, layers) and not any(_concerns(item, layers) for item in context.assumptions):
        return _without(context, layers, context.assumptions, 1), fact
    fact = rebuild(fact, lambda node: _term_by_term(node, layers))
    deepest = max([*map(_whole, _places(fact, layers)), depth or 0, 1])
    if deepest > MOST_LAYERS:
        raise Rejected("too-large", f"more than {MOST_LAYERS} layers")
    writer = _Writer(layers)
    assumptions = tuple(
        copy for item in context.assumptions for copy in _assumed(writer, item, range(1, deepest + 1))
    )
    made = rebuild(fact, writer.outside)
    return _without(context, layers, assumptions, deepest), made


def _without(context: Context, layers: Layers, assumptions: tuple[N.Fact, ...], copies: int) -> Context:
    families = {name: replace(symbol, copies=Dim.of(copies)) for name, symbol in layers.symbols.items()}
    symbols = {**context.symbols, **families}
    return replace(context, symbols=symbols, assumptions=assumptions, layers=None)


def _concerns(part: Part, layers: Layers) -> bool:
    """Whether it speaks of a state, or of what a layer draws or names."""
    own = {*layers.symbols, *_own_lets(layers)}
    return any(
        isinstance(node, N.After) or (isinstance(node, N.Symbol | N.Member | N.Let) and node.name in own)
        for node in walk(part)
    )


def _own_lets(layers: Layers) -> set[str]:
    """The `let` names of a layer: those that depend on its state or its symbols."""
    inner = {layers.state.name, *layers.symbols}
    return {
        node.name
        for node in walk(layers.next)
        if isinstance(node, N.Let)
        and any(isinstance(part, N.Symbol) and part.name in inner for part in walk(node))
    }


def _places(part: Part, layers: Layers) -> Iterator[N.Node]:
    """The depths of states and the places of layers."""
    for node in walk(part):
        match node:
            case N.After(_, depth):
                yield depth
            case N.Member(name, _, index) if name in layers.symbols:
                yield index


def _whole(node: N.Node) -> int:
    match node:
        case N.Number(value) if value.denominator == 1:
            return int(value)
        case N.Add(left, right):
            return _whole(left) + _whole(right)
        case N.Subtract(left, right):
            return _whole(left) - _whole(right)
        case N.Multiply(left, right):
            return _whole(left) * _whole(right)
    raise Rejected("outside", "a depth or a layer that is no number")


def _term_by_term(node: N.Node, layers: Layers) -> N.Node:
    """Sums and products over depths or layers, written out."""
    bound = {N.Index(span.index) for span in bound_ranges(node)}
    counts = bool(bound) and any(index in bound for place in _places(node, layers) for index in walk(place))
    if not counts:
        return rebuild(node, lambda child: _term_by_term(child, layers))
    if not isinstance(node, N.Sum | N.Product) or node.conditions or len(node.ranges) != 1:
        raise Rejected("outside", "a sum over layers with conditions or several indices")
    (span,) = node.ranges
    numbers = range(_whole(span.low), _whole(span.high) + 1)
    if not numbers or len(numbers) > MOST_LAYERS:
        raise Rejected("outside", "a sum over no layer, or over very many")
    terms = [
        _term_by_term(substitute(node.body, {N.Index(span.index): N.Number(Fraction(k))}), layers)
        for k in numbers
    ]
    return reduce(N.Add if isinstance(node, N.Sum) else N.Multiply, terms)


def _assumed(writer: "_Writer", fact: N.Fact, layers: range) -> Iterator[N.Fact]:
    """What is assumed of a layer's names holds in every layer."""
    own = {*writer.layers.symbols, *_own_lets(writer.layers)}
    inside = any(isinstance(node, N.Symbol | N.Let) and node.name in own for node in walk(fact))
    if not inside:
        yield rebuild(rebuild(fact, lambda node: _term_by_term(node, writer.layers)), writer.outside)
        return
    for layer in layers:
        yield rebuild(fact, lambda node, layer=layer: writer.inside(node, layer))  # type: ignore[misc]


@dataclass
class _Writer:
    """The states x_0, x_1, ... as trees."""

    layers: Layers
    states: list[N.Node] = field(default_factory=list)

    def state(self, depth: int) -> N.Node:
        if depth < 0:
            raise Rejected("undefined", "a state before the first layer")
        self.states = self.states or [self.layers.state]
        while len(self.states) <= depth:
            made = self.inside(self.layers.next, len(self.states))
            if _size(made, {}) > MOST_NODES:
                raise Rejected("too-large", "layers that are too large to be written out")
            self.states.append(made)
        return self.states[depth]

    def outside(self, node: N.Node) -> N.Node:
        """after(X, k) is the k-th state; X itself is the input."""
        if isinstance(node, N.After):
            if node.state != self.layers.state:
                raise Rejected("outside", "a state of other layers")
            return self.state(_whole(node.depth))
        return rebuild(node, self.outside)

    def inside(self, node: N.Node, layer: int) -> N.Node:
        """A tree of the layer: its state is the one before, its symbols and names are its own."""
        if node == self.layers.state:
            return self.state(layer - 1)
        match node:
            case N.After():
                raise Rejected("outside", "a state inside of a layer")
            case N.Symbol(name, shape) if name in self.layers.symbols:
                return N.Member(name, shape, N.Number(Fraction(layer)))
            case N.Let(name, body):
                made = self.inside(body, layer)
                return node if made is body else N.Let(f"{name}@{layer}", made)
        return rebuild(node, lambda child: self.inside(child, layer))


def _size(node: N.Node, known: dict[int, int]) -> int:
    """How many nodes a tree has, with its shared parts written out."""
    if id(node) not in known:
        known[id(node)] = 1 + sum(_size(child, known) for child in children(node))
    return known[id(node)]
