"""Gradients of one scalar in many variables at once: a single backward pass serves them all.

Every D(f, W) of a scalar f that stands in the bodies of a sampler belongs to a group with the others
of the same f. The first that is met pulls 1 back to all variables of the group; the rest are read off.
A `let` name A is varied by an offset: A + e at e = 0 has the derivative in A with the rest held, and
what is made of A moves with it, so that names which build on each other can be varied together.
"""

from collections.abc import Callable, Iterable, Mapping

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.expr.walk import children
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Group, Scope, World
from verifier.sample.draws.family_members import copy_of, value_of
from verifier.sample.draws.static_integers import integer, position

Evaluate = Callable[[N.Node, Scope], Tensor]
Variable = N.Symbol | N.Member | N.Let


def groups_of(bodies: Iterable[N.Node], world: World) -> Mapping[int, Group]:
    """The group of each derivative, by its identity; alone is no group."""
    if world.layers is not None:
        return {}
    found: dict[N.Node, dict[int, N.Derivative]] = {}
    for body in bodies:
        for node in sources.nodes(body):
            if isinstance(node, N.Derivative) and _shareable(node, world):
                found.setdefault(node.of, {})[id(node)] = node
    return {key: group for same in found.values() for group in [_group(same)] for key in same}


def _group(same: Mapping[int, N.Derivative]) -> Group:
    variables = [base for node in same.values() if (base := _base(node.by)) is not None]
    names = dict.fromkeys(item.name for item in variables if not isinstance(item, N.Let))
    lets = {item.name: item for item in variables if isinstance(item, N.Let)}
    return Group(next(iter(same.values())).of, tuple(names), tuple(lets.values()))


def _shareable(node: N.Derivative, world: World) -> bool:
    """A scalar that no index of a sum around it can change, by something that has a value of its own."""
    base = _base(node.by)
    if base is None or not node.of.shape.is_scalar or _sees_index(node.of):
        return False
    return isinstance(base, N.Let) or (base.name not in world.sizes and base.name not in world.substituted)


def _sees_index(node: N.Node) -> bool:
    """`let` bodies stand outside of every sum around their name."""
    if isinstance(node, N.Let):
        return False
    return isinstance(node, N.Index) or any(_sees_index(child) for child in children(node))


def _base(by: N.Node) -> Variable | None:
    """What is varied as a whole: a symbol, a family, a `let` name."""
    match by:
        case N.Symbol() | N.Member() | N.Let():
            return by
        case N.Entry(arg):
            return _base(arg)
    return None


def shared(node: N.Derivative, group: Group, scope: Scope, evaluate: Evaluate) -> Tensor:
    """D(f, by) as a row, from the gradient of f in all variables of its group."""
    base = _base(node.by)
    assert base is not None
    if group.key(base.name) not in scope.memo:
        if scope.trace is not None:
            evaluate(group.of, scope)
        scope.memo.update(_all(group, scope, evaluate))
    return _part(node.by, scope.memo[group.key(base.name)], scope).reshape(1, -1)


def _all(group: Group, scope: Scope, evaluate: Evaluate) -> dict[str, Tensor]:
    world = scope.world
    starts = [value_of(name, scope) for name in group.names]
    offsets = [
        torch.zeros(world.shape(let.shape), dtype=world.dtype, device=world.device) for let in group.lets
    ]

    def function(*moved: Tensor) -> Tensor:
        values = dict(zip(group.names, moved[: len(starts)], strict=True))
        lets = dict(zip((let.name for let in group.lets), moved[len(starts) :], strict=True))
        return evaluate(group.of, scope.moving(values, lets))

    value, pull, *_ = torch.func.vjp(function, *starts, *offsets)
    names = (*group.names, *(let.name for let in group.lets))
    return {group.key(n): found for n, found in zip(names, pull(torch.ones_like(value)), strict=True)}


def _part(by: N.Node, whole: Tensor, scope: Scope) -> Tensor:
    """The gradient in a member or an entry, out of that in the whole."""
    match by:
        case N.Member(index=index):
            return copy_of(whole, by.name, integer(index, scope))
        case N.Entry(arg, row, col):
            i, j = position(row, arg.shape.rows, scope), position(col, arg.shape.cols, scope)
            return _part(arg, whole, scope)[i : i + 1, j : j + 1]
    return whole
