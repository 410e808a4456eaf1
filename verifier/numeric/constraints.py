"""Points that the assumptions allow: tested, and where they fail, moved onto the constraint."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import FixedMatrix, Positive, Real
from verifier.numeric import sources
from verifier.numeric.compile import evaluate
from verifier.numeric.integers import terms
from verifier.numeric.refuse import RefusedError, UndefinedError
from verifier.numeric.scene import Point, prepare
from verifier.numeric.scope import Scope, World

Constraint = N.Relation | N.Within | N.ForAll
TOLERANCE = 1e-11
STEPS = 40


def relevant(claim: Claim, fact: N.Fact) -> tuple[Constraint, ...]:
    """The constraints; refuses one that speaks of the law of what the fact contains."""
    world = World.of(claim, {})
    reached = sources.names(fact, world)
    for constraint in claim.constraints:
        if sources.random_names(constraint, world) and sources.names(constraint, world) & reached:
            raise RefusedError("a way to draw random symbols under a condition on them")
    return tuple(c for c in claim.constraints if not sources.random_names(c, world))


def relations(constraint: Constraint, scope: Scope) -> list[tuple[N.Relation, Scope]]:
    """A constraint as plain relations, each where its indices have values."""
    match constraint:
        case N.Relation():
            return [(constraint, scope)]
        case N.Within(arg, low, high):
            return [(N.Relation("<=", low, arg), scope), (N.Relation("<=", arg, high), scope)]
        case N.ForAll(fact, ranges, conditions):
            return [pair for inner in terms(ranges, conditions, scope) for pair in relations(fact, inner)]


def violation(relation: N.Relation, scope: Scope) -> Tensor:
    """How far a relation is from true, entry by entry: 0 where it holds, to rounding."""
    left, right = evaluate(relation.left, scope), evaluate(relation.right, scope)
    gap = left - right
    slack = TOLERANCE * (1 + torch.maximum(left.abs(), right.abs()))
    match relation.op:
        case "==":
            return torch.where(gap.abs() <= slack, torch.zeros_like(gap), gap)
        case "!=":
            return torch.where(gap.abs() > 1e-6, torch.zeros_like(gap), torch.ones_like(gap))
        case "<=":
            return torch.relu(gap - slack)
        case ">=":
            return torch.relu(-gap - slack)
        case "<":
            return torch.relu(gap + 1e-6 * (1 + right.abs()))
        case ">":
            return torch.relu(-gap + 1e-6 * (1 + right.abs()))


def residual(constraints: tuple[Constraint, ...], scope: Scope) -> Tensor:
    """All violations in one column."""
    parts = [violation(r, inner).reshape(-1) for c in constraints for r, inner in relations(c, scope)]
    return torch.cat([part for part in parts if part.numel()] or [torch.zeros(1, dtype=torch.float64)])


def settle(claim: Claim, constraints: tuple[Constraint, ...], point: Point) -> Point | None:
    """The point itself if it is allowed, else one nearby that is; None if none was found."""
    if not constraints:
        return point
    fact = N.Relation("==", N.Number(0), N.Number(0))  # type: ignore[arg-type]
    try:
        scene = prepare(claim, point, fact)
        if not bool(residual(constraints, scene.bind({})).any()):
            return point
        return _moved(claim, constraints, point)
    except (UndefinedError, RefusedError):
        return None


def _moved(claim: Claim, constraints: tuple[Constraint, ...], point: Point) -> Point | None:
    """Gauss-Newton on the violated constraints; positive symbols move on a logarithmic scale."""
    names = [name for name in sorted(point.values) if _movable(claim, name)]
    if not names:
        return None
    fact = N.Relation("==", N.Number(0), N.Number(0))  # type: ignore[arg-type]
    logarithmic = {name for name in names if isinstance(claim.symbols[name].kind, Positive)}

    def values(flat: Tensor) -> Mapping[str, Tensor]:
        found, start = dict(point.values), 0
        for name in names:
            old = point.values[name]
            part = flat[start : start + old.numel()].reshape(old.shape)
            found[name] = torch.exp(part) if name in logarithmic else part
            start += old.numel()
        return found

    def broken(flat: Tensor) -> Tensor:
        scene = prepare(claim, replace(point, values=values(flat)), fact)
        return residual(constraints, scene.bind({}))

    flat = torch.cat([_coordinate(point.values[name], name in logarithmic).reshape(-1) for name in names])
    for _ in range(STEPS):
        now = broken(flat)
        if not bool(now.any()):
            return replace(point, values=values(flat), exact=False)
        slope = torch.func.jacrev(broken)(flat)
        if not bool(torch.isfinite(slope).all() & torch.isfinite(now).all()):
            return None
        flat = flat - torch.linalg.pinv(slope) @ now
    return None


def _movable(claim: Claim, name: str) -> bool:
    kind = claim.symbols[name].kind
    free = isinstance(kind, FixedMatrix) and kind.family in ("matrix", "vector")
    return free or isinstance(kind, Real | Positive)


def _coordinate(value: Tensor, logarithmic: bool) -> Tensor:
    return torch.log(value) if logarithmic else value
