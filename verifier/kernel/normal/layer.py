"""One layer of a network: the state that it makes of the one before, and its derivatives.

Inside of a layer the name of the input is that of the state before, and what the layer draws has one copy.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.nodes import Independent, Relation
from verifier.expr.walk import walk
from verifier.kernel.context import Context, Layers
from verifier.kernel.core.derive import Slope, names_in
from verifier.kernel.core.read import Reader
from verifier.kernel.core.settle import settled
from verifier.kernel.core.states import of_one_layer, renamed, slope_name, state_name
from verifier.kernel.core.terms import ZERO, Call, Mean, Positions, Term, Var, deltas, free
from verifier.kernel.core.terms import walk as walk_term
from verifier.kernel.core.vary import chain_rule, held_slope
from verifier.kernel.rejected import Rejected

Put = Callable[[Positions], Term]


@dataclass
class Layer:
    """Entries of states and of their derivatives, written in those of the state before."""

    reader: Reader
    layers: Layers
    require_values: Callable[[Term], None]

    def __post_init__(self) -> None:
        self.state = state_name(self.layers)
        self.by_input = slope_name(self.layers, self.layers.state.name)
        self.by_draw = {slope_name(self.layers, name): name for name in self.layers.symbols}
        shape = self.layers.state.shape
        self.down = 0 if shape.rows == Dim.of(1) else 1
        self.height = sum(size != Dim.of(1) for size in (shape.rows, shape.cols))
        self.inside = replace(
            self.reader, context=inner_context(self.reader.context, self.layers), indices={}
        )

    def next(self, at: Positions) -> Term:
        """An entry of the next state, as its author wrote it."""
        return self.inside.entry(self.layers.next, at[: self.down], at[self.down :])

    def slope(self, at: Positions, by: str, own: Positions, held: Mapping[str, Put]) -> Term:
        """The derivative of an entry of the next state by an entry of what its layer draws, or by what the
        state before depends on, whose derivative is `held`."""
        inside = self.inside
        slopes = {name: held_slope(inside, name, self.layers.next) for name in inside.context.held}
        for name, put in held.items():
            slopes[name] = lambda _, place, put=put: put(place)  # type: ignore[misc]
        rule = Slope(
            by, own, slopes, inside.close, lambda s, call: chain_rule(inside, s, call), inside.budget
        )
        return rule.of(self.next(at))

    def before(self, term: Term, below: Dim) -> Term:
        """The entry in the state before, at a depth below."""
        found = settled(self.inside, term)
        own = frozenset({self.layers.state.name, *self.layers.symbols})
        for part in walk_term(found):
            if isinstance(part, Call | Mean) and own & (free(part) | getattr(part, "draws", frozenset())):
                raise Rejected("outside", "a mean or an unknown function inside of a layer")
        change: dict[str, Put] = {self.layers.state.name: lambda at: Var(self.state, (below, *at))}
        for name in self.layers.symbols:
            change[name] = _under(of_one_layer(name))
        found = renamed(found, change)
        self.require_values(found)
        return found

    def peeled(self, term: Term, top: Dim, below: Dim) -> Term:
        """The term with states at the top written in those below; what the layer at the top draws has one
        copy."""

        def of_state(at: Positions) -> Term:
            return self.before(self.next(at[1:]), below)

        def of_slope(at: Positions) -> Term:
            place, by = at[1 : 1 + self.height], at[1 + self.height :]
            inner = {self.layers.state.name: lambda q: Var(self.by_input, (below, *q, *by))}
            return self.before(self.slope(place, self.layers.state.name, (), inner), below)

        def of_draw(name: str, drawn: str) -> Put:
            def put(at: Positions) -> Term:
                place, layer, by = at[1 : 1 + self.height], at[1 + self.height], at[2 + self.height :]
                if layer == top:
                    return self.before(
                        self.slope(place, drawn, by, {self.layers.state.name: lambda q: ZERO}), below
                    )
                inner = {self.layers.state.name: lambda q: Var(name, (below, *q, layer, *by))}
                return self.before(self.slope(place, self.layers.state.name, (), inner), below)

            return put

        change: dict[str, Put] = {self.state: of_state, self.by_input: of_slope}
        for name, drawn in self.by_draw.items():
            change[name] = of_draw(name, drawn)
            change[drawn] = _copy(of_one_layer(drawn))
        return renamed(term, {name: _only_at(top, name, put) for name, put in change.items()})

    def at_input(self, term: Term, start: Dim) -> Term:
        """The term with the state before the first layer as the input."""
        change: dict[str, Put] = {
            self.state: lambda at: Var(self.layers.state.name, at[1:]),
            self.by_input: lambda at: deltas(at[1 : 1 + self.height], at[1 + self.height :]),
            **{name: lambda at: ZERO for name in self.by_draw},
        }
        return renamed(term, {name: _only_at(start, name, put) for name, put in change.items()})


def _only_at(depth: Dim, name: str, put: Put) -> Put:
    return lambda at: put(at) if at[0] == depth else Var(name, at)


def _under(name: str) -> Put:
    return lambda at: Var(name, at)


def _copy(name: str) -> Put:
    return lambda at: Var(name, at[1:])


def inner_context(context: Context, layers: Layers) -> Context:
    """What holds inside of a layer, where the name of the input is that of the state before. What is assumed
    of the input is not assumed of that state."""
    own = {layers.state.name, *layers.symbols}
    names = _names_of_layers(layers)
    kept = []
    for fact in context.assumptions:
        if isinstance(fact, Independent):
            raise Rejected("condition", "layers under assumed independence")
        match fact:
            case Relation("==", N.Let(name), _) if name in names:
                kept.append(fact)  # in every layer
            case Relation("==", N.Symbol(name), _) if name == layers.state.name:
                pass
            case Relation("==", N.Symbol() | N.Let(), value):
                if own & names_in(value):
                    raise Rejected("condition", "a value that is assumed in the input")
                kept.append(fact)
            case _:
                spoken = frozenset(p.name for p in walk(fact) if isinstance(p, N.Symbol | N.Member | N.Let))
                if spoken & (names | layers.symbols.keys()) or any(
                    isinstance(p, N.After) for p in walk(fact)
                ):
                    raise Rejected("condition", "an assumption about what the layers make")
    inside = replace(context, assumptions=tuple(kept))
    reach = inside.reach(layers.next)
    shared = {name for name in reach if context.is_random(name)} - {*layers.symbols, layers.state.name}
    if shared or any(context.is_random(other) for name in layers.symbols for other in _law(context, name)):
        raise Rejected("condition", "a draw that all layers share")
    return inside


def _law(context: Context, name: str) -> frozenset[str]:
    values = (value for value in vars(context.symbols[name].kind).values() if isinstance(value, N.Node))
    found = frozenset[str]().union(*(context.reach(value) for value in values))
    layers = context.layers
    assert layers is not None
    if layers.state.name in found:
        raise Rejected("outside", "a law that depends on the state")
    return found


def _names_of_layers(layers: Layers) -> frozenset[str]:
    """The `let` names that depend on the state or on what a layer draws."""
    own = {layers.state.name, *layers.symbols}
    return frozenset(
        node.name for node in walk(layers.next) if isinstance(node, N.Let) and own & names_in(node.body)
    )
