"""What moves from layer to layer, apart from the input, which stays.

    state        x_0 = X,         x_(l+1) = next(x_l)
    derivative   J_0 = eye,       J_(l+1) = D(next, x_l) @ J_l,      D(f(x_L), X) = D(f, x_L) @ J_L
    by W[l]      J_l = D(next, W), and onward in the same way

A function of the state and of its derivative by the input is a function of (x, J), and so is what one
layer makes of it. Where a kink of a layer leaves D(next, x) open, as relu at a state of zeros, the state
does not move with the input: J is zero there, and so is the product.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from verifier.claim.model import Assumption, Claim, Layers
from verifier.expr import nodes as n
from verifier.expr.symbols import Declared, FixedMatrix
from verifier.expr.walk import rebuild, substitute, walk
from verifier.prove.layers.states_ahead import ahead
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.reformulate.unrolled_layers import shared_draws


@dataclass(frozen=True)
class Course:
    """One layer as a claim of its own, in which what moves is any fixed matrix.

    body: what is asked, of what moves; onward: by one layer; start: at the input, or, for a derivative by
    what one layer drew, behind that layer.
    """

    claim: Claim
    state: n.Node
    body: n.Node
    onward: Mapping[n.Node, n.Node]
    start: Mapping[n.Node, n.Node]


def course(
    claim: Claim, layers: Layers, body: n.Node, behind: Mapping[n.Node, int], by: n.Member | None = None
) -> Course:
    """The body as a function of what moves; `by` is what derivatives are taken by, if not the input.

    behind: how many layers each depth is behind the state that moves."""
    _require_independent_layers(claim, layers)
    shape = layers.state.shape
    state = n.Symbol(_unused(claim, layers, "state"), shape)
    by_what = layers.state if by is None else by
    slope = n.Symbol(_unused(claim, layers, "slope"), n.Derivative(state, by_what).shape)
    one = layer_claim(claim, layers)
    later = ahead(one, layers, state, max(behind.values()), partial(_unused, claim, layers))
    states = {depth: later.states[layer] for depth, layer in behind.items()}
    asked = _moving(body, layers, by_what, states, state, slope)
    there: dict[n.Node, n.Node] = {layers.state: state}
    following = substitute(layers.next, there)
    onward: dict[n.Node, n.Node] = {state: following}
    start: dict[n.Node, n.Node] = {state: layers.state}
    if slope in walk(asked):
        onward[slope] = n.MatMul(n.Derivative(following, state), slope)
        start[slope] = n.Eye(shape.size)
    if by is not None:
        start = {state: following, slope: n.Derivative(following, n.Symbol(by.name, by.shape))}
    symbols = {
        x.name: Declared(x.name, FixedMatrix("matrix"), x.shape) for x in (state, slope) if x in onward
    }
    symbols |= {symbol.name: symbol for symbol in later.symbols}
    assumptions = (*(_of_the_state(a, there) for a in one.assumptions), *later.assumptions)
    return Course(
        replace(one, symbols={**one.symbols, **symbols}, assumptions=assumptions), state, asked, onward, start
    )


def _unused(claim: Claim, layers: Layers, name: str) -> str:
    """A name like this one that means nothing yet."""
    taken = claim.symbols.keys() | {x.name for x in layers.symbols}
    taken |= {x.name for x in claim.lets + layers.lets}
    while name in taken:
        name += "_"
    return name


def _of_the_state(assumption: Assumption, there: Mapping[n.Node, n.Node]) -> Assumption:
    """A value assumed inside the layer is one for each state."""
    return replace(assumption, fact=substitute(assumption.fact, there))


def _moving(
    body: n.Node,
    layers: Layers,
    by_what: n.Node,
    states: Mapping[n.Node, n.Node],
    state: n.Symbol,
    slope: n.Symbol,
) -> n.Node:
    """after(X, L) is the state, D(f(after(X, L)), X) is D(f, state) @ slope.

    D by what stands in no layer holds the state."""
    moved = set(walk(layers.next)) | {layers.state}

    def change(node: n.Node) -> n.Node:
        match node:
            case n.After(_, depth):
                return states[depth]
            case n.Derivative(of, by) if has_state(of):
                inner = change(of)
                if isinstance(by, n.Symbol) and by not in moved and slope not in walk(inner):
                    return n.Derivative(inner, by)
                if by != by_what or {by, slope} & set(walk(inner)):
                    raise Refused("this derivative of a state after many layers")
                return slope if inner == state else n.MatMul(n.Derivative(inner, state), slope)
            case n.Extreme() if has_state(node):
                raise Refused("an extreme of a state after many layers")
        return rebuild(node, change)

    made = change(body)
    own = {symbol.name for symbol in layers.symbols}
    if any(isinstance(part, n.Member) and part.name in own for part in walk(made)):
        raise Refused("what one layer drew beside the state")
    return made


def has_state(node: n.Node) -> bool:
    """Whether a state after many layers is in the tree."""
    return any(isinstance(part, n.After) for part in walk(node))


def _require_independent_layers(claim: Claim, layers: Layers) -> None:
    """What the claim draws is drawn once: layers that share it are not independent."""
    shared = shared_draws(replace(claim, layers=layers))
    if shared:
        raise Refused(f"layers that share {' and '.join(sorted(shared))}")


def layer_claim(claim: Claim, layers: Layers) -> Claim:
    """One layer as a claim of its own: the state is any fixed matrix.

    What is assumed of the input is not known of later states, so it must not enter here; values
    assumed inside the layer hold in every layer."""

    def holds_in_every_layer(assumption: Assumption) -> bool:
        found = assumption.assumed_value
        if found is not None:
            return True
        return layers.state not in walk(assumption.fact)

    symbols = {**claim.symbols, **{symbol.name: symbol for symbol in layers.symbols}}
    state = symbols[layers.state.name]
    symbols[state.name] = replace(state, kind=FixedMatrix("matrix"))
    return replace(
        claim,
        symbols=symbols,
        lets=claim.lets + layers.lets,
        layers=None,
        assumptions=tuple(filter(holds_in_every_layer, claim.assumptions)),
    )
