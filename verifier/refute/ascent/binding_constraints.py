"""The last steps of an ascent where assumptions bind: Newton's method for the conditions of Lagrange.

A price on broken assumptions leads near the worst point, and there it creeps. What binds there is known by
then, and at a worst point the slope of the excess is a sum of multiples of the slopes of what binds. From
that point the way leads inwards by small steps, so that a point that is rounded keeps the assumptions.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from verifier.timer import past

if TYPE_CHECKING:
    from verifier.refute.ascent.worst_points import Objective

MOST_NUMBERS = 24
MOST_BINDING = 48
STARTS = 3
STEPS = 12
ROUNDS = 3
BINDS = 0.05  # relative: what the ascent has left so close to equality
REACH = 0.5  # of the point's own size: the longest step
SETTLED = 1e-14
WRONG = -1e-9  # a multiplier that says: away from here
INWARDS = (0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4)


def finished(objective: "Objective", points: Tensor, deadline: float) -> Tensor:
    """The best worst point that Newton's method reaches from these, and points just inside of it."""
    cell = objective.cell
    if not cell.penalties or not 0 < cell.width <= MOST_NUMBERS:
        return points[:0]
    reached: list[tuple[float, Tensor, Tensor]] = []
    for start in points[:STARTS]:
        if past(deadline):
            break
        found = _Finish(objective, deadline).run(start)
        if found is not None:
            reached.append((float(objective.excess(found[0][None])), *found))
    if not reached:
        return points[:0]
    _, point, binding = max(reached, key=lambda item: item[0])
    return torch.stack([_moved(objective, point, binding, by) for by in INWARDS])


@dataclass(frozen=True)
class _Finish:
    objective: "Objective"
    deadline: float

    def run(self, start: Tensor) -> tuple[Tensor, Tensor] | None:
        """The point, and which of the margins bind there; None where slopes or room are missing."""
        with torch.no_grad():
            margins, equations = self.objective.margins(start)
        binding = equations | (margins > -BINDS)
        point = start
        for _ in range(ROUNDS):
            if not 0 < int(binding.sum()) <= MOST_BINDING:
                return None
            found = self._newton(point, binding)
            if found is None:
                return None
            point, multipliers = found
            with torch.no_grad():
                margins, _ = self.objective.margins(point)
            kept = binding.clone()
            kept[binding] = (multipliers > WRONG) | equations[binding]
            kept |= margins > SETTLED  # broken on the way: it binds too
            if bool((kept == binding).all()):
                return point, binding
            binding = kept
        return None

    def _newton(self, point: Tensor, binding: Tensor) -> tuple[Tensor, Tensor] | None:
        """Steps of Newton's method for slope == multipliers @ slopes of what binds, and what binds == 0."""
        count = int(binding.sum())

        def excess(at: Tensor) -> Tensor:
            return self.objective.excess_at(at)

        def bound(at: Tensor) -> Tensor:
            return self.objective.margins(at)[0][binding]

        multipliers = torch.zeros(count, dtype=point.dtype)
        for step in range(STEPS):
            if past(self.deadline):
                return None
            at = point.detach().requires_grad_(True)
            margins = bound(at)
            slope, slopes = _slopes(excess(at)[None], at, again=True)[0], _slopes(margins, at, again=True)
            if step == 0:
                multipliers = torch.linalg.lstsq(slopes.detach().T, slope.detach()[:, None]).solution[:, 0]
            curvature = _slopes(slope - multipliers @ slopes, at)
            slope, slopes, margins = slope.detach(), slopes.detach(), margins.detach()
            zeros = torch.zeros(count, count, dtype=point.dtype)
            matrix = torch.cat([torch.cat([curvature, -slopes.T], 1), torch.cat([slopes, zeros], 1)])
            right = torch.cat([-slope, -margins])
            if not bool(matrix.isfinite().all() & right.isfinite().all()):
                return None
            solution = torch.linalg.pinv(matrix, rtol=1e-12) @ right
            move, multipliers = solution[: len(point)], solution[len(point) :]
            reach = REACH * (1 + float(point.norm()))
            point = point + move * min(1.0, reach / max(float(move.norm()), 1e-300))
            if float(move.norm()) <= SETTLED * (1 + float(point.norm())):
                break
        return (point, multipliers) if bool(point.isfinite().all()) else None


def _moved(objective: "Objective", point: Tensor, binding: Tensor, by: float) -> Tensor:
    """Where what binds has this much room, equations apart."""
    with torch.no_grad():
        _, equations = objective.margins(point)
    room = torch.where(equations[binding], 0.0, by).to(point.dtype)

    def left(at: Tensor) -> Tensor:
        return objective.margins(at)[0][binding] + room

    for _ in range(3 if by else 0):
        at = point.detach().requires_grad_(True)
        now = left(at)
        point = point - torch.linalg.pinv(_slopes(now, at)) @ now.detach()
    return point


def _slopes(values: Tensor, at: Tensor, again: bool = False) -> Tensor:
    """The slope of each value, row by row; `again`, so that they have slopes themselves."""
    rows = []
    for value in values:
        if not value.requires_grad:
            rows.append(torch.zeros_like(at))
            continue
        (row,) = torch.autograd.grad(value, at, retain_graph=True, create_graph=again, allow_unused=True)
        rows.append(torch.zeros_like(at) if row is None else row)
    return torch.stack(rows)
