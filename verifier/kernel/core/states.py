"""The states of a network of symbolic depth: entries of families that are numbered by the layer.

`X@`[k, i, j] is an entry of the state after k layers, `X@'W`[k, i, j, l, p, q] its derivative by what layer l
draws, `X@'X`[k, i, j, p, q] that by the input. What one layer draws has a name of its own, `W@`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import final

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Declared, RandomKind
from verifier.kernel.context import Context, Layers
from verifier.kernel.core.terms import Positions, Term, Var, rebuilt
from verifier.kernel.rejected import Rejected


@final
@dataclass(frozen=True)
class State(RandomKind):
    """What the layers make of their input, or its derivative."""


def state_name(layers: Layers) -> str:
    return f"{layers.state.name}@"


def slope_name(layers: Layers, by: str) -> str:
    return f"{state_name(layers)}'{by}"


def of_one_layer(name: str) -> str:
    return f"{name}@"


def is_state(context: Context, name: str) -> bool:
    return name in context.symbols and isinstance(context.symbols[name].kind, State)


def with_states(context: Context) -> Context:
    """The context in which states and what layers draw are symbols. A name of the layers that is one of the
    theorem too means something else inside than outside, and then nothing is said of them."""
    layers = context.layers
    if layers is None or layers.symbols.keys() & context.symbols.keys():
        return context
    if any(symbol.copies is not None for symbol in layers.symbols.values()):
        return context
    families = {
        name: replace(drawn, copies=Dim.of(layers.depth.name)) for name, drawn in layers.symbols.items()
    }
    single = {
        of_one_layer(name): replace(drawn, name=of_one_layer(name)) for name, drawn in layers.symbols.items()
    }
    names = (state_name(layers), *(slope_name(layers, by) for by in (layers.state.name, *layers.symbols)))
    states = {name: Declared(name, State(), layers.state.shape) for name in names}
    return replace(context, symbols={**context.symbols, **families, **single, **states})


def reached(context: Context, layers: Layers) -> frozenset[str]:
    """What a state depends on: all states, and what any layer draws."""
    if not is_state(context, state_name(layers)):
        raise Rejected("outside", "layers whose names are taken")
    names = (state_name(layers), *(slope_name(layers, by) for by in (layers.state.name, *layers.symbols)))
    return frozenset({*names, *layers.symbols})


def slope_of_state(context: Context, by: str) -> Callable[[Positions, Positions], Term]:
    """The derivative of an entry of a state by one of the input or of what a layer draws."""
    layers = context.layers
    assert layers is not None
    known = by == layers.state.name or by in layers.symbols

    def slope(state: Positions, at: Positions) -> Term:
        if not known:
            raise Rejected("outside", f"the derivative of a state by {by}")
        return Var(slope_name(layers, by), (*state, *at))

    return slope


def renamed(term: Term, change: Mapping[str, Callable[[Positions], Term]]) -> Term:
    """The term with the entries of some symbols put elsewhere."""
    if isinstance(term, Var):
        return change[term.name](term.at) if term.name in change else term
    return rebuilt(term, lambda part: renamed(part, change))


def state_at(context: Context, node: N.After) -> str:
    layers = context.layers
    if layers is None or node.state != layers.state:
        raise Rejected("outside", "a state of other layers")
    reached(context, layers)
    return state_name(layers)
