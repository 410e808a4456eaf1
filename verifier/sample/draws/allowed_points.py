"""Points that the assumptions allow: tested, and where they fail, moved onto the constraint."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import torch
from torch import Tensor

from verifier.claim.model import Claim, Constraint
from verifier.expr import nodes as N
from verifier.expr.symbols import FixedMatrix, Positive, Real
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.draws.scene import Point, prepare
from verifier.sample.draws.static_integers import integer, terms
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import past

TOLERANCE = 1e-11
ROUNDING = 1e-14
STEPS = 30
PATIENCE = 6
MAX_COORDINATES = 400
# A residual of 1e-11 leaves the point this far off where a constraint is flat to second, to fourth order.
RESCALED_MARGIN = 1e-5
MOVED_MARGIN = 0.02
NOTHING = N.Relation("==", N.Number(Fraction(0)), N.Number(Fraction(0)))


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
        case N.Relation(op, arg, N.Order(low, high)):
            # A number is in an order when its exponent, rounded, is in the span.
            least, most = (
                N.Number(Fraction(10.0 ** (end + half))) for end, half in ((low, -0.5), (high, 0.5))
            )
            found = [N.Relation(">=", arg, least)] if op in ("==", ">=") else []
            found += [N.Relation("<=", arg, most)] if op in ("==", "<=") else []
            return [(relation, scope) for relation in found]
        case N.Relation():
            return [(constraint, scope)]
        case N.Within(arg, low, high):
            return [(N.Relation("<=", low, arg), scope), (N.Relation("<=", arg, high), scope)]
        case N.ForAll(fact, ranges, conditions):
            return [pair for inner in terms(ranges, conditions, scope) for pair in relations(fact, inner)]
        case N.Every():
            raise RefusedError("a condition for every value of a symbol")


def violation(relation: N.Relation, scope: Scope) -> Tensor:
    """How far a relation is from true, entry by entry: 0 where it holds, to rounding."""
    trace: list[Tensor] = []
    tracing = replace(scope, trace=trace, memo={})
    left, right = evaluate(relation.left, tracing), evaluate(relation.right, tracing)
    gap = left - right
    # Relative to the sides and to what cancelled in them: an absolute slack would pass all that is near 0.
    slack = TOLERANCE * torch.maximum(left.abs(), right.abs()).detach() + ROUNDING * torch.stack(trace).amax()
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


def settle(claim: Claim, constraints: tuple[Constraint, ...], point: Point, deadline: float) -> Point | None:
    """The point itself if it is allowed, else one nearby that is; None if none was found."""
    if not constraints:
        return point
    try:
        for candidate in (point, _rescaled(claim, constraints, point)):
            if not bool(residual(constraints, prepare(claim, candidate, NOTHING).bind({})).any()):
                return candidate
        return _moved(claim, constraints, candidate, deadline)
    except (UndefinedError, RefusedError):
        return None


def _rescaled(claim: Claim, constraints: tuple[Constraint, ...], point: Point) -> Point:
    """norm(W, 2) <= c, norm(x) == c, all(norm(X[i]) == c, ...): divide by the norm."""
    values = dict(point.values)
    for constraint in constraints:
        scope = prepare(claim, replace(point, values=values), NOTHING).bind({})
        for relation, inner in relations(constraint, scope):
            match relation:
                case N.Relation("==" | "<=" | "<", N.Norm(N.Symbol(name)), bound) if name in values:
                    values[name] = values[name] * _factor(relation, bound, inner)
                case N.Relation("==" | "<=" | "<", N.Norm(N.Row(N.Symbol(name), row)), bound) if (
                    name in values
                ):
                    factors = torch.ones(values[name].shape[0], 1, dtype=torch.float64)
                    factors[integer(row, inner) - 1] = _factor(relation, bound, inner)
                    values[name] = values[name] * factors
    return replace(point, values=values, exact=False, margin=RESCALED_MARGIN)


def _factor(relation: N.Relation, bound: N.Node, scope: Scope) -> float:
    size, limit = float(evaluate(relation.left, scope)), float(evaluate(bound, scope))
    if size == 0 or (relation.op != "==" and size <= limit):
        return 1.0
    return limit / size * (1.0 if relation.op == "==" else 1 - 1e-12 if relation.op == "<=" else 0.99)


def _moved(claim: Claim, constraints: tuple[Constraint, ...], point: Point, deadline: float) -> Point | None:
    """Gauss-Newton on the violated constraints, in coordinates that keep each symbol in its class."""
    charts = {name: chart for name in point.values if (chart := _chart(claim, name))}
    if not charts or sum(point.values[name].numel() for name in charts) > MAX_COORDINATES:
        return None

    def values(flat: Tensor) -> Mapping[str, Tensor]:
        found, start = dict(point.values), 0
        for name, (_, inward) in charts.items():
            old = point.values[name]
            found[name] = inward(flat[start : start + old.numel()].reshape(old.shape))
            start += old.numel()
        return found

    def broken(flat: Tensor) -> Tensor:
        scene = prepare(claim, replace(point, values=values(flat)), NOTHING)
        return residual(constraints, scene.bind({}))

    flat = torch.cat([outward(point.values[name]).reshape(-1) for name, (outward, _) in charts.items()])
    best = math.inf
    for step in range(STEPS):
        now = broken(flat)
        if step % PATIENCE == PATIENCE - 1 and float(now.abs().max()) > best / 2:
            return None
        best = min(best, float(now.abs().max()))
        if not bool(now.any()):
            return replace(point, values=values(flat), exact=False, margin=MOVED_MARGIN)
        if past(deadline):
            return None
        slope = torch.func.jacrev(broken)(flat)
        if not bool(torch.isfinite(slope).all() & torch.isfinite(now).all()):
            return None
        flat = flat - torch.linalg.pinv(slope) @ now
    return None


Chart = tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]


def _chart(claim: Claim, name: str) -> Chart | None:
    """Free coordinates for a symbol: from its value, and back into its class."""
    kind = claim.symbols[name].kind
    match kind:
        case Real() | FixedMatrix("matrix" | "vector"):
            return (lambda value: value), (lambda flat: flat)
        case Positive():
            return torch.log, torch.exp
        case FixedMatrix("simplex"):
            return _log_weights, lambda flat: torch.softmax(flat, dim=-2)
        case FixedMatrix("stochastic"):
            return _log_weights, lambda flat: torch.softmax(flat, dim=-1)
    return None


def _log_weights(value: Tensor) -> Tensor:
    """A corner of the simplex lies at infinity: start near it."""
    return torch.log(value.clamp(min=1e-4))
