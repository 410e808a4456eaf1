"""Scalars that assumptions bound by other symbols: all(v[j] <= b), norm(W, 2) <= R, a <= b.

Such a scalar is chosen last, beyond the ends that the others leave it, and the assumption holds by
construction. An ascent that pays a price for broken assumptions takes several runs, each of them slower."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

import torch
from torch import Tensor

from verifier.claim.model import Constraint
from verifier.expr import nodes as N
from verifier.refute.domain.family import Family
from verifier.refute.domain.matrix_families import Scalar
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.allowed_points import relations
from verifier.sample.draws.draw_scope import Scope, World


@final
@dataclass(frozen=True)
class Tie:
    """A scalar without an end on one side, and the assumptions that bound it on the other."""

    name: str
    constraints: tuple[Constraint, ...]
    family: Scalar
    above: bool  # whether they bound it from above

    def value(self, raw: Tensor, scope: Scope) -> Tensor:
        """The largest lower end + r**2, or the least upper end - r**2."""
        lowest = max(self.family.low, 0.0) if self.family.positive else self.family.low
        ends = [raw.new_tensor(lowest)] if math.isfinite(lowest) else []
        for relation, inner in (pair for c in self.constraints for pair in relations(c, scope)):
            end = relation.right if relation.left == N.Symbol(self.name) else relation.left
            value = evaluate(end, inner).reshape(-1)
            ends.append(value.amin() if self.above else value.amax())
        square = (raw * raw).reshape(1, 1)
        return torch.stack(ends).amin() - square if self.above else torch.stack(ends).amax() + square


def ties(
    families: Mapping[str, Family], constraints: Iterable[Constraint], world: World
) -> tuple[tuple[Tie, ...], list[Constraint]]:
    """The scalars that may be chosen last, in order, and the assumptions that bound none of them."""
    left = list(constraints)
    found: list[Tie] = []
    for name, family in families.items():
        for above in _open_sides(family):
            mine = [c for c in left if _side(c, name, world) is above]
            # What one scalar is chosen by must not wait for one that is chosen later.
            needed = {other for c in mine for other in sources.names(c, world)} - {name}
            later = {tie.name for tie in found if name in _needed(tie, world)}
            if mine and isinstance(family, Scalar) and not needed & (later | world.substituted.keys()):
                found.append(Tie(name, tuple(mine), family, above))
                left = [c for c in left if c not in mine]
                break
    return _ordered(found, world), left


def _open_sides(family: Family) -> list[bool]:
    """The sides on which an assumption may bound the scalar and always leave it a value."""
    if not isinstance(family, Scalar):
        return []
    below = [False] if math.isinf(family.high) else []
    return below + ([True] if math.isinf(family.low) and not family.positive else [])


def _needed(tie: Tie, world: World) -> set[str]:
    return {name for c in tie.constraints for name in sources.names(c, world)} - {tie.name}


def _ordered(found: list[Tie], world: World) -> tuple[Tie, ...]:
    waiting, order = list(found), []
    while waiting:
        names = {tie.name for tie in waiting}
        ready = [tie for tie in waiting if not _needed(tie, world) & names]
        assert ready, "no two scalars wait for each other"
        order += ready
        waiting = [tie for tie in waiting if tie not in ready]
    return tuple(order)


def _side(constraint: Constraint, name: str, world: World) -> bool | None:
    """Whether it bounds the scalar from above, by something that has a value without it; None if neither."""
    match constraint:
        case N.Relation("<=" | "<" | ">=" | ">" as op, left, right):
            alone = N.Symbol(name)
            other = right if left == alone else left if right == alone else None
            if other is None or name in sources.names(other, world):
                return None
            return (op in ("<=", "<")) == (left == alone)
        case N.ForAll(fact, _, _):
            return _side(fact, name, world)
    return None
