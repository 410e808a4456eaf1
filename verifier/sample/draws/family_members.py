"""Values of symbols and of the copies in a family."""

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.static_integers import integer
from verifier.sample.unsupported import RefusedError, UndefinedError


def value_of(name: str, scope: Scope) -> Tensor:
    """A symbol's value as a tensor that can be varied: sizes have none."""
    if name not in scope.values:
        raise RefusedError(f"a derivative with respect to {name}, which is an integer")
    return scope.values[name]


def member(scope: Scope, name: str, index: int) -> Tensor:
    """W[h], h = 1..copies. All copies are taken apart at once: the way back is then one stack."""
    if name not in scope.values:
        raise RefusedError(f"a value for the family {name}")
    family = scope.values[name]
    _check(family, name, index)
    if f"{name}[{index}]" not in scope.memo:
        copies = enumerate(torch.unbind(family), start=1)
        scope.memo.update({f"{name}[{h}]": copy for h, copy in copies})
    return scope.memo[f"{name}[{index}]"]


def copy_of(family: Tensor, name: str, index: int) -> Tensor:
    """The copy at a 1-based index, which must be one."""
    _check(family, name, index)
    return family[index - 1]


def product(left: N.Node, right: N.Symbol | N.Member, scope: Scope) -> Tensor | None:
    """left @ right, if that is what was drawn."""
    drawn = scope.products.get((left, right.name))
    if drawn is None or isinstance(right, N.Symbol):
        return drawn
    return copy_of(drawn, right.name, integer(right.index, scope))


def _check(family: Tensor, name: str, index: int) -> None:
    if not 1 <= index <= family.shape[0]:
        raise UndefinedError(f"the index {index} of {name} is not in 1..{family.shape[0]}")


def with_copy(family: Tensor, position: int, value: Tensor) -> Tensor:
    """The family with another copy at a 0-based position."""
    return torch.stack([value if h == position else family[h] for h in range(family.shape[0])])
