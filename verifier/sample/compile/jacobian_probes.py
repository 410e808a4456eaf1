"""D(Y, X) by autograd: exact Jacobians, and their squared norms by random probes."""

from collections.abc import Callable

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.family_members import member, value_of, with_copy
from verifier.sample.draws.static_integers import integer, position
from verifier.sample.unsupported import RefusedError

Evaluate = Callable[[N.Node, Scope], Tensor]
REVERSE = 4
Rebind = Callable[[Tensor], Scope]


def matrix(of: N.Node, by: N.Node, scope: Scope, evaluate: Evaluate) -> Tensor:
    """The Jacobian of vec_r(of) with respect to vec_r(by); torch's row-major reshape is vec_r."""
    start, rebind = variable(by, scope, evaluate)
    if scope.trace is not None:
        evaluate(of, scope)

    def function(value: Tensor) -> Tensor:
        return evaluate(of, rebind(value)).reshape(-1)

    rows = scope.world.size(of.shape.size)
    transform = torch.func.jacrev if reverse(rows, start.numel()) else torch.func.jacfwd
    jacobian: Tensor = transform(function)(start)
    return jacobian.reshape(rows, start.numel())


def reverse(rows: int, cols: int) -> bool:
    """Row by row, unless there are many more rows than columns: torch's reverse mode is the faster."""
    return rows <= REVERSE * cols


def probed(node: N.Power, scope: Scope, evaluate: Evaluate) -> Tensor:
    """|J|^2 = E |J^T v|^2 over v with independent +-1 entries: one backward pass per probe."""
    derivative = squared_jacobian(node)
    assert derivative is not None
    start, rebind = variable(derivative.by, scope, evaluate)
    if scope.trace is not None:
        evaluate(derivative.of, scope)
    _, pull, *_ = torch.func.vjp(lambda value: evaluate(derivative.of, rebind(value)), start)
    probes = scope.probes[id(node)]
    if probes.shape[0] == 1:
        pulled = pull(probes[0])[0]
    else:
        pulled = torch.func.vmap(lambda probe: pull(probe)[0])(probes)
    squared: Tensor = (pulled * pulled).sum().reshape(1, 1)
    return squared / probes.shape[0]


def squared_jacobian(node: N.Node) -> N.Derivative | None:
    """The D of norm(D(Y, X))**2, if this is one."""
    match node:
        case N.Power(N.Norm(N.Derivative() as derivative, "fro"), N.Number(value)) if value == 2:
            return derivative
    return None


def variable(by: N.Node, scope: Scope, evaluate: Evaluate) -> tuple[Tensor, Rebind]:
    """What is varied: its value here, and the scope in which it has another."""
    match by:
        case N.Symbol(name):
            return value_of(name, scope), lambda value: scope.with_value(name, value)
        case N.Let(name):
            return evaluate(by, scope), lambda value: scope.holding(name, value)
        case N.Member(name, _, index):
            from_one = integer(index, scope)
            return member(scope, name, from_one), lambda value: scope.with_value(
                name, with_copy(scope.values[name], from_one - 1, value)
            )
        case N.Entry(arg, row, col):
            whole, inner = variable(arg, scope, evaluate)
            i, j = position(row, arg.shape.rows, scope), position(col, arg.shape.cols, scope)
            place = torch.zeros(whole.shape, dtype=whole.dtype, device=whole.device)
            place[i, j] = 1
            start = whole[i : i + 1, j : j + 1]
            return start, lambda value: inner(whole + place * (value - start))
    raise RefusedError("a derivative with respect to what is neither a symbol, an entry nor a let name")
