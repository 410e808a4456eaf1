"""|D(Y, W)|^2 in closed form where W reaches Y along one path.

The differential of Y is then, up to a transpose and a scale,

    dY = R f'[P dW Q] U

with f' the slope of a function of each row: f'[Z]_i = Z_i F_i, F_i = diag(a_i) + sum_r u_ir v_ir^T. So

    |D(Y, W)|^2 = sum_il (R^T R)_il (P P^T)_il tr(F_i^T Q^T Q F_l U U^T),

where only i = l counts if R or P is the identity. With G = Q^T Q and H = U U^T each part of the trace is
a product of thin matrices:

    diag(a), diag(b)     a^T (G * H) b
    diag(a), u v^T       sum_j a_j (G u)_j (H v)_j
    u v^T, s t^T         (u^T G s) (v^T H t)
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.sample.compile import torch_functions as functions
from verifier.sample.compile.jacobian_probes import variable
from verifier.sample.compile.route_steps import (
    Entries,
    Left,
    Right,
    Route,
    Rows,
    Scaled,
    Shifted,
    Step,
    Turned,
)
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.draws.family_members import product

Evaluate = Callable[[N.Node, Scope], Tensor]


@dataclass(frozen=True)
class Slope:
    """F_i = diag(a_i) + sum_r u_ir v_ir^T for each row i: a, u and v are rows by columns."""

    diagonal: Tensor
    pairs: tuple[tuple[Tensor, Tensor], ...] = ()

    def then(self, other: "Slope") -> "Slope":
        """F_i F'_i."""
        a, b = self.diagonal, other.diagonal
        first = [(u, v * b) for u, v in self.pairs]
        second = [(a * s, t) for s, t in other.pairs]
        both = [(u * (v * s).sum(dim=-1, keepdim=True), t) for u, v in self.pairs for s, t in other.pairs]
        return Slope(a * b, (*first, *second, *both))


@dataclass(frozen=True)
class Chain:
    """dY = scale * R f'[P dW Q] U, or its transpose; None stands for the identity.

    rows, cols: those of dW, itself transposed where that is what the path does first.
    """

    rows: int
    cols: int
    scale: Tensor
    first: tuple[Tensor | None, Tensor | None] = (None, None)
    slope: Slope | None = None
    last: tuple[Tensor | None, Tensor | None] = (None, None)
    turned: bool = False

    def left(self, by: Tensor) -> "Chain":
        if self.slope is None:
            return replace(self, first=(_product(by, self.first[0]), self.first[1]))
        if self.turned:
            return replace(self, last=(self.last[0], _product(self.last[1], by.mT)))
        return replace(self, last=(_product(by, self.last[0]), self.last[1]))

    def turn(self) -> "Chain":
        """(P dW Q)^T = Q^T dW^T P^T."""
        if self.slope is not None:
            return replace(self, turned=not self.turned)
        left, right = (None if item is None else item.mT for item in self.first)
        return replace(self, rows=self.cols, cols=self.rows, first=(right, left))

    def curved(self, slope: Slope) -> "Chain":
        return replace(self, slope=slope if self.slope is None else self.slope.then(slope))

    def squared(self, trace: list[Tensor] | None = None) -> Tensor:
        """The squared norm of the Jacobian; `trace` collects the largest number met."""
        (left, right), scale = self.first, self.scale
        if self.slope is None:
            rows = self.rows if left is None else left.square().sum()
            cols = self.cols if right is None else right.square().sum()
            return scale * scale * rows * cols
        before, after = left, self.last[0]
        if before is None or after is None:
            weights = _squares(before, dim=1) * _squares(after, dim=0)
            parts = _inner(self.slope, right, self.last[1], lambda a, b: (a * b).sum(dim=-1))
        else:
            weights = (before @ before.mT) * (after.mT @ after)
            parts = _inner(self.slope, right, self.last[1], lambda a, b: a @ b.mT)
        if trace is not None:
            met = [(weights * part * scale * scale).detach().abs().sum() for part in parts]
            trace.append(torch.stack(met).amax())
        return (weights * sum(parts[1:], parts[0])).sum().reshape(1, 1) * scale * scale


def _product(left: Tensor | None, right: Tensor | None) -> Tensor | None:
    if left is None or right is None:
        return right if left is None else left
    return left @ right


def _squares(value: Tensor | None, dim: int) -> Tensor | float:
    """Squared norms of the rows (dim = 1) or columns (dim = 0)."""
    return 1.0 if value is None else value.square().sum(dim=dim)


def _inner(
    slope: Slope, right: Tensor | None, last: Tensor | None, meet: Callable[[Tensor, Tensor], Tensor]
) -> list[Tensor]:
    """The parts of tr(F_i^T G F_l H), by rows i alone or by pairs of rows, as `meet` pairs them.

    The two mixed parts are transposes of each other and the weights symmetric: one counts twice.
    """
    gram = None if right is None else right.mT @ right
    other = None if last is None else last @ last.mT
    a, moved = slope.diagonal, _weighted(slope.diagonal, gram, other)
    pairs = [(u, v, _through(u, gram), _through(v, other)) for u, v in slope.pairs]
    mixed = [2 * meet(a, gu * hv) for _, _, gu, hv in pairs]
    low = [meet(gu, s) * meet(hv, t) for _, _, gu, hv in pairs for s, t, _, _ in pairs]
    return [meet(moved, a), *mixed, *low]


def _weighted(a: Tensor, gram: Tensor | None, other: Tensor | None) -> Tensor:
    """a (G * H), row by row."""
    if gram is not None and other is not None:
        return a @ (gram * other)
    given = gram if gram is not None else other
    return a if given is None else a * torch.diagonal(given)


def _through(rows: Tensor, gram: Tensor | None) -> Tensor:
    return rows if gram is None else rows @ gram


def squared_norm(node: N.Derivative, route: Route, scope: Scope, evaluate: Evaluate) -> Tensor:
    """|D(Y, W)|^2 along the route: values and the differential are carried forward together."""
    if scope.trace is not None:
        evaluate(node.of, scope)
    rows, cols = scope.world.shape(node.by.shape)
    value, chain, route = _start(node.by, Chain(rows, cols, scope.world.number(1.0)), route, scope, evaluate)
    curves = [position for position, step in enumerate(route) if isinstance(step, Entries | Rows)]
    for position, step in enumerate(route):
        wanted = bool(curves) and position <= curves[-1]
        value, chain = _forward(step, value, chain, scope, evaluate, wanted)
    return chain.squared(scope.trace)


def _start(
    by: N.Node, chain: Chain, route: Route, scope: Scope, evaluate: Evaluate
) -> tuple[Tensor, Chain, Route]:
    """Where the path begins: at the variable, or at its product with a fixed matrix if that was drawn."""
    match by, route:
        case N.Symbol() | N.Member(), (Left(factor), *rest):
            drawn = product(factor, by, scope)
            if drawn is not None:
                return drawn, chain.left(evaluate(factor, scope)), tuple(rest)
    return variable(by, scope, evaluate)[0], chain, route


def _forward(
    step: Step, value: Tensor, chain: Chain, scope: Scope, evaluate: Evaluate, wanted: bool
) -> tuple[Tensor, Chain]:
    """One step: what the path is worth there, if that is still wanted, and its differential."""
    match step:
        case Left(by):
            factor = evaluate(by, scope)
            return factor @ value if wanted else value, chain.left(factor)
        case Right(by):
            factor = evaluate(by, scope)
            moved = chain.turn().left(factor.mT).turn()
            return value @ factor if wanted else value, moved
        case Turned():
            return value.mT, chain.turn()
        case Scaled(by, divides):
            number = evaluate(by, scope)
            factor = 1 / number if divides else number
            return value * factor if wanted else value, replace(chain, scale=chain.scale * factor)
        case Shifted(by):
            return value + evaluate(by, scope) if wanted else value, chain
        case Entries():
            made, slope = _entry_slope(step, value, scope, evaluate)
            return made, chain.curved(Slope(slope.mT if chain.turned else slope))
        case Rows(name, assumed):
            if assumed is None:
                made = functions.ROWWISE[name](value)
            else:
                made = evaluate(assumed, scope).expand(value.shape)
            return made, chain.curved(_row_slope(name, value, made))


def _entry_slope(step: Entries, value: Tensor, scope: Scope, evaluate: Evaluate) -> tuple[Tensor, Tensor]:
    """g(z) and g'(z), entry by entry: the gradient of sum_ij g_ij(z_ij)."""

    def function(z: Tensor) -> Tensor:
        held = {**scope.held, step.hole.name: z}
        return evaluate(step.of, replace(scope, held=held, trace=None, memo=dict(scope.memo)))

    made, pull, *_ = torch.func.vjp(function, value)
    return made, pull(torch.ones_like(made))[0]


def _row_slope(function: str, value: Tensor, made: Tensor) -> Slope:
    """The slope of a row-wise function that turns z into y.

    softmax     diag(y) - y y^T
    rmsnorm     (I - y y^T / c) / |z|,               |z| the root mean square
    layernorm   (I - 1 1^T / c - y y^T / c) / |z - mean z|
    """
    cols = value.shape[-1]
    match function:
        case "softmax":
            return Slope(made, ((-made, made),))
        case "rmsnorm":
            over = 1 / torch.sqrt(torch.mean(value * value, dim=-1, keepdim=True))
            flat = over.expand(value.shape)
            return Slope(flat, ((-flat * made / cols, made),))
        case "layernorm":
            centred = value - torch.mean(value, dim=-1, keepdim=True)
            over = 1 / torch.sqrt(torch.mean(centred * centred, dim=-1, keepdim=True))
            flat = over.expand(value.shape)
            return Slope(flat, ((-flat / cols, torch.ones_like(made)), (-flat * made / cols, made)))
    raise AssertionError(function)
