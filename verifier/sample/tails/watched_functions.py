"""What draws show of functions that look alike on a part of their domain.

relu(x - 2000) is 0 wherever x is small, and tanh(50 + x**2) is 1 to rounding everywhere: sides that agree
on such draws alone need not be equal. So while a relation is evaluated, it is noted for every kink on
which side of it the draw lies, and for every function that has a limit whether it has reached it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.facts.values import Values

FLAT = 1e-6  # so close to its limit a function says nothing of its argument

Kink = Callable[..., Tensor]
Limit = Callable[[Tensor, Tensor], Tensor]

KINKS: Mapping[str, Kink] = {
    "relu": lambda x: x,
    "abs": lambda x: x,
    "max": lambda x, y: x - y,
    "min": lambda x, y: x - y,
}
LIMITS: Mapping[str, Limit] = {
    "exp": lambda x, y: y < FLAT,
    "phi": lambda x, y: y < FLAT,
    "tanh": lambda x, y: 1 - y.abs() < FLAT,
    "erf": lambda x, y: 1 - y.abs() < FLAT,
    "sigmoid": lambda x, y: torch.minimum(y, 1 - y) < FLAT,
    "Phi": lambda x, y: torch.minimum(y, 1 - y) < FLAT,
    "gelu": lambda x, y: torch.minimum(y.abs(), (x - y).abs()) < FLAT * x.abs(),
    "silu": lambda x, y: torch.minimum(y.abs(), (x - y).abs()) < FLAT * x.abs(),
    "softplus": lambda x, y: torch.minimum(y.abs(), (x - y).abs()) < FLAT * x.abs(),
    "softmax": lambda x, y: 1 - y.amax(dim=-1, keepdim=True) < FLAT,
}


@dataclass(frozen=True)
class Watch:
    """One draw. kinks: by the node's identity, whether some argument was above, below and at the kink.

    flat: for each function with a limit, whether all of its entries have reached it.
    """

    kinks: dict[int, Tensor] = field(default_factory=dict)
    flat: list[Tensor] = field(default_factory=list)

    def note(self, node: N.Node, function: str, args: tuple[Tensor, ...], value: Tensor) -> None:
        if function in KINKS:
            offset = KINKS[function](*args)
            seen = torch.stack([(offset > 0).any(), (offset < 0).any(), (offset == 0).any()])
            self.kinks[id(node)] = self.kinks[id(node)] | seen if id(node) in self.kinks else seen
        if function in LIMITS and (function != "softmax" or value.shape[-1] > 1):
            self.flat.append(LIMITS[function](args[0], value).all())

    def is_flat(self, like: Tensor) -> Tensor:
        """Some function shows nothing but its limit."""
        return torch.stack(self.flat).any() if self.flat else torch.zeros_like(like, dtype=torch.bool)


def has_sides(node: N.Node, values: Values) -> bool:
    """A kink whose argument may lie on either side of it, as far as its form tells."""
    match node:
        case N.Apply("max" | "min"):
            return True
        case N.Apply("relu" | "abs", (arg,)) | N.Norm(arg, "1" | "oo"):
            return not values(arg).is_nonnegative
        case N.Norm(arg, _) if arg.shape.is_scalar:
            return not values(arg).is_nonnegative
    return False


def folds(node: N.Node, values: Values) -> Iterator[N.Node]:
    """The squares inside of a root or a logarithm: sqrt(x**2) is an absolute value, log(x**2) twice a log of
    one. A product of something with itself is not watched, and stands for itself."""
    match node:
        case N.Apply("sqrt" | "log", (arg,)):
            inside = arg
        case N.Power(base, N.Number(exponent)) if exponent.denominator > 1:
            inside = base
        case _:
            return
    for part in walk(inside):
        match part:
            case N.Power(base, N.Number(k)) if k % 2 == 0 and not values(base).is_nonnegative:
                yield part
            case N.Multiply(left, right) if left == right and not values(left).is_nonnegative:
                yield part
