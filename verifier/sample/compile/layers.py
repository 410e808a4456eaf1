"""after(X, L): real random networks, layer by layer."""

from collections.abc import Callable

from torch import Tensor

from verifier.expr import nodes as N
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.unsupported import RefusedError, UndefinedError


def after(state: N.Symbol, depth: int, scope: Scope, evaluate: Callable[[N.Node, Scope], Tensor]) -> Tensor:
    """x_0 = X, x_(l+1) = next(x_l, the layer's own draws); all depths in one draw share their layers."""
    layers = scope.world.layers
    if layers is None:
        raise RefusedError("layers")
    if depth < 0:
        raise UndefinedError(f"depth {depth}")
    value = scope.values[state.name]
    for layer in range(depth):
        drawn = {name: family[layer] for name, family in scope.layer_values.items()}
        value = evaluate(layers.next, scope.in_layer({**drawn, state.name: value}))
    return value
