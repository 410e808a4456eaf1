"""Scalars that assumptions bound by other symbols: all(v[j] <= b), norm(W, 2) <= R, a <= b.

Such a scalar is chosen last, between the ends that the others leave it, and the assumption holds by
construction. An ascent that pays a price for broken assumptions takes several runs, each of them slower."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.numeric import sources
from verifier.numeric.compile import evaluate
from verifier.numeric.constraints import relations
from verifier.numeric.scope import Scope, World
from verifier.search.families import Scalar
from verifier.search.family import Family

Constraint = N.Relation | N.Within | N.ForAll


@final
@dataclass(frozen=True)
class Tie:
    """A scalar and the assumptions that bound it."""

    name: str
    constraints: tuple[Constraint, ...]
    family: Scalar

    def value(self, raw: Tensor, scope: Scope) -> Tensor:
        """low + r**2, high - r**2, or a point between the two."""
        lowest = max(self.family.low, 0.0) if self.family.positive else self.family.low
        lows = [raw.new_tensor(lowest)] if math.isfinite(lowest) else []
        highs = [raw.new_tensor(self.family.high)] if math.isfinite(self.family.high) else []
        for relation, inner in (pair for c in self.constraints for pair in relations(c, scope)):
            end, above = _end(relation, self.name)
            value = evaluate(end, inner).reshape(-1)
            (highs if above else lows).append(value.amin() if above else value.amax())
        part = raw.reshape(1, 1)
        if lows and highs:
            low, high = torch.stack(lows).amax(), torch.stack(highs).amin()
            return low + (high - low) * torch.sin(part) ** 2
        return torch.stack(lows).amax() + part * part if lows else torch.stack(highs).amin() - part * part


def ties(
    families: Mapping[str, Family], constraints: Iterable[Constraint], world: World
) -> tuple[tuple[Tie, ...], list[Constraint]]:
    """The scalars that may be chosen last, in order, and the assumptions that bound none of them."""
    left = list(constraints)
    found: list[Tie] = []
    for name, family in families.items():
        if not isinstance(family, Scalar):
            continue
        mine = [c for c in left if _bounds(c, name, world)]
        # What one scalar is chosen by must not wait for one that is chosen later.
        needed = {other for c in mine for other in sources.names(c, world)} - {name}
        later = {tie.name for tie in found if name in _needed(tie, world)}
        if mine and not needed & later and not needed & world.substituted.keys():
            found.append(Tie(name, tuple(mine), family))
            left = [c for c in left if c not in mine]
    return _ordered(found, world), left


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


def _bounds(constraint: Constraint, name: str, world: World) -> bool:
    """Whether it says name <= f or name >= f, with an f that has values without it."""
    match constraint:
        case N.Relation("<=" | "<" | ">=" | ">", left, right):
            alone = N.Symbol(name)
            other = right if left == alone else left if right == alone else None
            return other is not None and name not in sources.names(other, world)
        case N.ForAll(fact, _, _):
            return _bounds(fact, name, world)
    return False


def _end(relation: N.Relation, name: str) -> tuple[N.Node, bool]:
    """The other side, and whether it lies above."""
    if relation.left == N.Symbol(name):
        return relation.right, relation.op in ("<=", "<")
    return relation.left, relation.op in (">=", ">")
