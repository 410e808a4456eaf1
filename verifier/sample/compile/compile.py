"""The tree as a torch function of one draw; `torch.func.vmap` makes it a function of many.

Every value is a matrix, a scalar being 1-by-1, so that torch's broadcasting is the language's.
"""

import math
from collections.abc import Callable
from functools import partial, reduce

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.expr.walk import same
from verifier.sample.compile import (
    gradients,
    layers,
)
from verifier.sample.compile import (
    jacobian_probes as jacobian,
)
from verifier.sample.compile import (
    path_norms as chains,
)
from verifier.sample.compile import (
    torch_functions as functions,
)
from verifier.sample.compile.chosen_slopes import SIDED, sided_norm
from verifier.sample.compile.pairing_sums import Arithmetic, check_paired, elementary, hafnian
from verifier.sample.compile.structured_matrices import block_diagonal, broadcast, commutation, kron, norm
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.family_members import member, product
from verifier.sample.draws.static_integers import COMPARE, integer, position, terms, try_integer
from verifier.sample.unsupported import RefusedError


def evaluate(node: N.Node, scope: Scope) -> Tensor:
    """What a node is worth in one draw."""
    value = _value(node, scope)
    if scope.trace is not None and value.numel():
        size = torch.linalg.vector_norm(value.detach(), math.inf)
        # What is written and is a float has no error by itself, however large it is.
        scope.trace.append(
            0 * size if isinstance(node, N.Number) and float(node.value) == node.value else size
        )
    return value


def _value(node: N.Node, scope: Scope) -> Tensor:
    world = scope.world
    match node:
        case N.Number(value):
            return world.number(float(value))
        case N.Pi():
            return world.number(math.pi)
        case N.Infinity():
            return world.number(math.inf)
        case N.Symbol() | N.Member() | N.Index() | N.Let() | N.After():
            return _named(node, scope)
        case N.Add() | N.Subtract() | N.Multiply() | N.Divide() | N.Negate() | N.Power():
            return _arithmetic(node, scope)
        case N.Apply() | N.RowWise():
            return _function(node, scope)
        case N.Indicator(fact):
            return _indicator(fact, scope)
        case N.Derivative() if id(node) in scope.groups:
            return gradients.shared(node, scope.groups[id(node)], scope, evaluate)
        case N.Derivative(of, by):
            return jacobian.matrix(of, by, scope, evaluate)
        case N.Expectation() | N.Variance() | N.Covariance():
            if id(node) in scope.leaves:
                return scope.leaves[id(node)]
            raise RefusedError("an expectation inside a derivative, a condition or another expectation")
        case N.Limit():
            raise RefusedError("a limit, for sampling")
        case N.Extreme(kind):
            raise RefusedError(f"{kind}, for sampling")
        case N.Growth(kind):
            raise RefusedError(f"{kind}(...), for sampling")
        case N.Order():
            raise RefusedError("orders of magnitude, for sampling")
    return _linear(node, scope)


def _indicator(fact: N.Relation | N.Within, scope: Scope) -> Tensor:
    """1 where the relation is true, else 0."""
    match fact:
        case N.Relation(op, left, right):
            true = COMPARE[op](evaluate(left, scope), evaluate(right, scope))
        case N.Within(arg, low, high):
            value = evaluate(arg, scope)
            true = (value >= evaluate(low, scope)) & (value <= evaluate(high, scope))
    return torch.where(true, scope.world.number(1.0), scope.world.number(0.0))


def _named(node: N.Symbol | N.Member | N.Index | N.Let | N.After, scope: Scope) -> Tensor:
    match node:
        case N.Symbol(name):
            if name in scope.values:
                return scope.values[name]
            if name in scope.world.sizes:
                return scope.world.number(scope.world.sizes[name])
            raise RefusedError(f"a value for {name}")
        case N.Member(name, _, index):
            return member(scope, name, integer(index, scope))
        case N.Index(name):
            return scope.world.number(scope.indices[name])
        case N.Let(name):
            if name not in scope.memo:
                value = scope.held[name] if name in scope.held else _let(node, scope)
                scope.memo[name] = value + scope.offsets[name] if name in scope.offsets else value
            return scope.memo[name]
        case N.After(state, depth):
            return layers.after(state, integer(depth, scope), scope, evaluate)


def _let(node: N.Let, scope: Scope) -> Tensor:
    """A `let` name: its body, or the value that an assumption gives it."""
    if node.name not in scope.world.assumed:
        return evaluate(node.body, scope)
    assumed = scope.world.assumed[node.name]
    value = evaluate(assumed, scope).expand(scope.world.shape(node.shape))
    match node.body:
        case N.Apply("relu" | "abs", (arg,)) if same(arg, assumed):
            # On the branch on which they are their argument, of slope 1.
            return evaluate(arg, scope).expand(scope.world.shape(node.shape))
    return impose(node.body, value.detach(), scope) if scope.differentiating else value


def impose(body: N.Node, value: Tensor, scope: Scope) -> Tensor:
    """The assumed value, with the derivative that the function which made it has at that value.

    f(f^-1(value) + m - m.detach()) is worth `value` and has f' there; for a softmax
    f^-1 = log up to a shift of each row, so f' is diag(a) - a a^T of the assumed rows. Where the
    body is no function of one argument its derivative is taken at its own arguments.
    """
    match body:
        case N.Let(_, inner):
            return impose(inner, value, scope)
        case N.RowWise("softmax", arg):
            moved = evaluate(arg, scope)
            return torch.softmax(torch.log(value) + (moved - moved.detach()), dim=-1)
        case N.Apply(function, (arg,)) if function in functions.INVERSE:
            moved = evaluate(arg, scope)
            return functions.UNARY[function](functions.INVERSE[function](value) + (moved - moved.detach()))
        case N.Apply(function):
            raise RefusedError(
                f"the derivative of {function} at an assumed value, which does not determine it"
            )
    made = evaluate(body, scope)
    return value + (made - made.detach())


def _arithmetic(
    node: N.Add | N.Subtract | N.Multiply | N.Divide | N.Negate | N.Power, scope: Scope
) -> Tensor:
    match node:
        case N.Add(left, right):
            return evaluate(left, scope) + evaluate(right, scope)
        case N.Subtract(left, right):
            return evaluate(left, scope) - evaluate(right, scope)
        case N.Multiply(left, right):
            return evaluate(left, scope) * evaluate(right, scope)
        case N.Divide(left, right):
            return evaluate(left, scope) / evaluate(right, scope)
        case N.Negate(arg):
            return -evaluate(arg, scope)
        case N.Power(base, exponent):
            return _power(node, base, exponent, scope)


def _power(node: N.Power, base: N.Node, exponent: N.Node, scope: Scope) -> Tensor:
    if id(node) in scope.probes:
        return jacobian.probed(node, scope, evaluate)
    whole = try_integer(exponent, scope)
    if whole is None:
        return torch.pow(evaluate(base, scope), evaluate(exponent, scope))
    if isinstance(base, N.Norm) and base.kind == "fro" and whole % 2 == 0:
        # |v|^2 is smooth where |v| is not, so its derivative at v = 0 must not go through the root.
        return _squared(base.arg, scope) ** (whole // 2)
    if whole % 2 == 0:
        return _watched(node, "abs", (evaluate(base, scope),), lambda value: value**whole, scope)
    return evaluate(base, scope) ** whole


def _squared(node: N.Node, scope: Scope) -> Tensor:
    """|A|^2."""
    if isinstance(node, N.Derivative) and id(node) in scope.routes:
        return chains.squared_norm(node, scope.routes[id(node)], scope, evaluate)
    value = evaluate(node, scope)
    return (value * value).sum().reshape(1, 1)


def _function(node: N.Apply | N.RowWise, scope: Scope) -> Tensor:
    match node:
        case N.RowWise(function, arg):
            return _watched(node, function, (evaluate(arg, scope),), functions.ROWWISE[function], scope)
        case N.Apply("binomial", (top, bottom)):
            n, k = try_integer(top, scope), try_integer(bottom, scope)
            if n is not None and k is not None and n >= 0 and k >= 0:
                return scope.world.number(math.comb(n, k))
            return functions.BINARY["binomial"](evaluate(top, scope), evaluate(bottom, scope))
        case N.Apply("factorial" | "factorial2" as function, (arg,)):
            whole = try_integer(arg, scope)
            least = 0 if function == "factorial" else -1  # (-1)!! = 1, the empty product
            if whole is not None and least <= whole <= 170:
                return scope.world.number(functions.INTEGER_UNARY[function](whole))
            if function == "factorial2":
                raise RefusedError("factorial2 of what is no small integer")
            return functions.UNARY[function](evaluate(arg, scope))
        case N.Apply(function, (arg,)):
            return _watched(node, function, (evaluate(arg, scope),), _table(function, scope), scope)
        case N.Apply(function, (left, right)):
            both = tuple(broadcast(evaluate(left, scope), evaluate(right, scope)))
            return _watched(node, function, both, _table(function, scope), scope)
    raise RefusedError(f"the function {node.function}")


def _table(function: str, scope: Scope) -> Callable[..., Tensor]:
    """The function of entries, with the slope of one side at its kinks where that is asked for."""
    if scope.side is not None and function in SIDED[scope.side]:
        return SIDED[scope.side][function]
    return functions.UNARY[function] if function in functions.UNARY else functions.BINARY[function]


def _watched(
    node: N.Node, function: str, args: tuple[Tensor, ...], apply: Callable[..., Tensor], scope: Scope
) -> Tensor:
    value = apply(*args)
    if scope.watch is not None:
        scope.watch.note(node, function, args, value)
    return value


def _numbers(scope: Scope) -> Arithmetic[Tensor]:
    return Arithmetic(scope.world.number(0.0), scope.world.number(1.0), torch.add, torch.mul)


def _linear(node: N.Node, scope: Scope) -> Tensor:
    """Linear algebra, indices, sums."""
    world = scope.world
    match node:
        case N.MatMul(left, N.Symbol() | N.Member() as right) if scope.products:
            drawn = product(left, right, scope)
            return evaluate(left, scope) @ evaluate(right, scope) if drawn is None else drawn
        case N.MatMul(left, right):
            return evaluate(left, scope) @ evaluate(right, scope)
        case N.Transpose(arg):
            return evaluate(arg, scope).mT
        case N.MatPower(base, exponent):
            return _matrix_power(evaluate(base, scope), integer(exponent, scope))
        case N.Norm(N.Derivative() as arg, "fro") if id(arg) in scope.routes:
            return torch.sqrt(_squared(arg, scope))
        case N.Norm(arg, "1" | "oo" as kind) if scope.side is not None:
            return sided_norm(evaluate(arg, scope), kind, scope.side)
        case N.Norm(arg, kind):
            return _watched(node, "abs", (evaluate(arg, scope),), partial(norm, kind=kind), scope)
        case N.Trace(arg):
            return torch.diagonal(evaluate(arg, scope)).sum().reshape(1, 1)
        case N.Inner(left, right):
            return (evaluate(left, scope) * evaluate(right, scope)).sum().reshape(1, 1)
        case N.Hafnian(arg):
            check_paired(world.size(arg.shape.rows))
            matrix = evaluate(arg, scope)
            return hafnian(len(matrix), lambda i, j: matrix[i : i + 1, j : j + 1], _numbers(scope))
        case N.SubsetSum(body, index_range, order):
            parts = [evaluate(body, inner) for inner in terms((index_range,), (), scope)]
            return elementary(parts, integer(order, scope), _numbers(scope))
        case N.Called(name):
            raise RefusedError(f"a value of the function {name}")
        case N.Eye(size):
            return torch.eye(world.size(size), dtype=world.dtype, device=world.device)
        case N.Ones(shape):
            return torch.ones(world.shape(shape), dtype=world.dtype, device=world.device)
        case N.Zeros(shape):
            return torch.zeros(world.shape(shape), dtype=world.dtype, device=world.device)
        case N.DiagMatrix(arg):
            return torch.diag_embed(evaluate(arg, scope).reshape(-1))
        case N.DiagPart(arg):
            return torch.diagonal(evaluate(arg, scope)).reshape(-1, 1)
        case N.Kron(left, right):
            return kron(evaluate(left, scope), evaluate(right, scope))
        case N.VecR(arg):
            return evaluate(arg, scope).reshape(-1, 1)
        case N.Commutation(rows, cols):
            return commutation(world.size(rows), world.size(cols)).to(world.device, world.dtype)
        case N.Entry(arg, row, col):
            i, j = position(row, arg.shape.rows, scope), position(col, arg.shape.cols, scope)
            return evaluate(arg, scope)[i : i + 1, j : j + 1]
        case N.Row(arg, row):
            i = position(row, arg.shape.rows, scope)
            return evaluate(arg, scope)[i : i + 1, :]
        case N.BlockDiag(body, index_range):
            return block_diagonal([evaluate(body, inner) for inner in terms((index_range,), (), scope)])
        case N.Sum(body, ranges, conditions):
            parts = [evaluate(body, inner) for inner in terms(ranges, conditions, scope)]
            return reduce(
                torch.add, parts, torch.zeros(world.shape(body.shape), dtype=world.dtype, device=world.device)
            )
        case N.Product(body, ranges, conditions):
            parts = [evaluate(body, inner) for inner in terms(ranges, conditions, scope)]
            return reduce(
                torch.mul, parts, torch.ones(world.shape(body.shape), dtype=world.dtype, device=world.device)
            )
    raise RefusedError(f"{type(node).__name__} nodes")


def _matrix_power(base: Tensor, exponent: int) -> Tensor:
    """The power; of the inverse for a negative exponent, which a singular matrix does not have."""
    if exponent < 0:
        inverse, failed = torch.linalg.inv_ex(base)
        base = torch.where((failed == 0)[..., None, None], inverse, torch.nan)
    power: Tensor = torch.linalg.matrix_power(base, abs(exponent))
    return power
