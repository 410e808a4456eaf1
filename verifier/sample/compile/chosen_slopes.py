"""Functions with a slope chosen at their kinks: where the choice matters, a derivative does not exist.

torch has a slope for everything: 0 for relu at 0, half of each at a tie of two. A derivative is meant almost
everywhere, and a draw at a kink of relu(0 * w) is none of the function itself. So what is differentiated is
evaluated with torch's slopes, with those from above and with those from below, and counts where all agree.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import World

Side = Literal["above", "below"]


def _relu(x: Tensor, kept: Tensor) -> Tensor:
    return torch.where(kept, x, torch.zeros_like(x))


def _abs(x: Tensor, kept: Tensor) -> Tensor:
    return torch.where(kept, x, -x)


SIDED: Mapping[Side, Mapping[str, Callable[..., Tensor]]] = {
    "above": {
        "relu": lambda x: _relu(x, x >= 0),
        "abs": lambda x: _abs(x, x >= 0),
        "max": lambda x, y: torch.where(x >= y, x, y),
        "min": lambda x, y: torch.where(x <= y, x, y),
    },
    "below": {
        "relu": lambda x: _relu(x, x > 0),
        "abs": lambda x: _abs(x, x > 0),
        "max": lambda x, y: torch.where(x > y, x, y),
        "min": lambda x, y: torch.where(x < y, x, y),
    },
}


def sided_norm(value: Tensor, kind: Literal["1", "oo"], side: Side) -> Tensor:
    """Sums and maxima of absolute values, a tie decided by the first or the last entry."""
    sizes = SIDED[side]["abs"](value).reshape(-1)
    if kind == "1":
        return sizes.sum().reshape(1, 1)
    top = (sizes == sizes.amax()).to(torch.int64)
    order = top.cumsum(dim=0) if side == "above" else top.flip(0).cumsum(dim=0).flip(0)
    return torch.where((top == 1) & (order == 1), sizes, torch.zeros_like(sizes)).sum().reshape(1, 1)


def differentiated(bodies: Iterable[N.Node], world: World) -> bool:
    """Whether something with kinks is differentiated."""
    return any(
        _has_kink(node.of, world)
        for body in bodies
        for node in sources.nodes(body)
        if isinstance(node, N.Derivative)
    )


def _has_kink(node: N.Node, world: World) -> bool:
    for part in sources.nodes(node):
        match part:
            case N.Apply("relu" | "abs" | "max" | "min") | N.Norm(_, "1" | "oo"):
                return True
            case N.After() if world.layers is not None and _has_kink(world.layers.next, world):
                return True
    return False
