"""Batched quasi-Newton ascent: many starts climb at once, each with its own curvature.

L-BFGS with the batch as one more axis. The line search needs no loop: several step lengths are
tried in one evaluation of the batch, and the best is taken. A row that no step improves starts
again from its gradient, and rests when that fails too. The ascent ends early when several rows
have met at the best value and it no longer moves.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from verifier.timer import past

Score = Callable[[Tensor], Tensor]  # (batch, width) -> (batch,), differentiable
STEPS = (4.0, 1.0, 0.3, 0.05, 1e-3)
MEMORY = 6
MEETING = 3
PATIENCE = 5


@dataclass
class _History:
    """The last steps and changes of slope, newest last; a useless pair has weight 0."""

    steps: list[Tensor] = field(default_factory=list)
    changes: list[Tensor] = field(default_factory=list)
    weights: list[Tensor] = field(default_factory=list)

    def add(self, step: Tensor, change: Tensor) -> None:
        curvature = (step * change).sum(-1)
        useful = curvature > 1e-14 * step.norm(dim=-1) * change.norm(dim=-1)
        self.steps.append(step)
        self.changes.append(change)
        self.weights.append(
            torch.where(useful, 1 / torch.where(useful, curvature, torch.ones_like(curvature)), 0.0)
        )
        for kept in (self.steps, self.changes, self.weights):
            del kept[:-MEMORY]

    def forget(self, rows: Tensor) -> None:
        """Rows that start again from their gradient."""
        self.weights[:] = [torch.where(rows, 0.0, weight) for weight in self.weights]

    def direction(self, slope: Tensor) -> Tensor:
        """The two-loop recursion: an approximate Newton direction, upwards."""
        direction, scale = slope.clone(), torch.zeros(len(slope), dtype=slope.dtype)
        projections = []
        for s, y, w in reversed(list(zip(self.steps, self.changes, self.weights, strict=True))):
            along = w * (s * direction).sum(-1)
            direction = direction - along[:, None] * y
            projections.append(along)
            square = (y * y).sum(-1)
            fresh = (scale == 0) & (w > 0) & (square > 0)
            scale = torch.where(fresh, 1 / (w * square).clamp(min=1e-300), scale)
        known = scale > 0
        direction = direction * torch.where(known, scale, torch.ones_like(scale))[:, None]
        for (s, y, w), along in zip(
            zip(self.steps, self.changes, self.weights, strict=True), reversed(projections), strict=True
        ):
            back = w * (y * direction).sum(-1)
            direction = direction + (along - back)[:, None] * s
        return torch.where(known[:, None], direction, torch.zeros_like(direction))


def climb(score: Score, start: Tensor, iterations: int, deadline: float) -> tuple[Tensor, Tensor]:
    """The points reached and their scores; points without a finite score stay where they are."""
    if start.shape[1] == 0 or len(start) == 0:
        return start, _values(score, start)
    x = start.clone()
    value, slope = _slopes(score, x)
    history, resting = _History(), torch.zeros(len(x), dtype=torch.bool)
    tops = [float(value.max())]
    for _ in range(iterations):
        if past(deadline) or bool(resting.all()) or _met(tops, value):
            break
        newton = history.direction(slope) if history.steps else torch.zeros_like(slope)
        upwards = (newton * slope).sum(-1) > 0
        direction = torch.where(upwards[:, None], newton, _cautious(x, slope))
        best, reached = _line_search(score, x, value, direction)
        improved = reached > value
        resting = ~improved & ~upwards  # not even the gradient helps
        history.forget(~improved)
        fresh, turned = _slopes(score, best)
        history.add(best - x, slope - turned)
        x, slope = best, turned
        value = torch.maximum(value, fresh)
        tops.append(float(value.max()))
    return x, value


def _met(tops: list[float], value: Tensor) -> bool:
    """The best value has stood still for a while, and several rows have climbed to it. What some had to begin
    with is no summit: a bound may hold with equality on a whole set."""
    if len(tops) <= PATIENCE or tops[-1] - tops[-1 - PATIENCE] > 1e-9 or tops[-1] - tops[0] <= 1e-9:
        return False
    return int((value >= tops[-1] - 1e-7).sum()) >= min(MEETING, len(value))


def _cautious(x: Tensor, slope: Tensor) -> Tensor:
    """Along the gradient, by about a tenth of the point's own size."""
    size = slope.norm(dim=-1, keepdim=True)
    reach = 0.1 * (x.norm(dim=-1, keepdim=True) + 1e-3)
    return torch.where(size > 0, slope / size.clamp(min=1e-300) * reach, torch.zeros_like(slope))


def _line_search(score: Score, x: Tensor, value: Tensor, direction: Tensor) -> tuple[Tensor, Tensor]:
    lengths = torch.tensor(STEPS, dtype=x.dtype)
    trials = x + lengths[:, None, None] * direction
    scores = _values(score, trials.reshape(-1, x.shape[1])).reshape(len(STEPS), -1)
    best, at = scores.max(dim=0)
    moved = trials[at, torch.arange(len(x))]
    improved = best > value
    return torch.where(improved[:, None], moved, x), torch.where(improved, best, value)


def _values(score: Score, points: Tensor) -> Tensor:
    with torch.no_grad():
        return torch.nan_to_num(score(points), nan=-torch.inf)


def _slopes(score: Score, points: Tensor) -> tuple[Tensor, Tensor]:
    moving = points.detach().requires_grad_(True)
    values = score(moving)
    (slope,) = (
        torch.autograd.grad(values.sum(), moving) if values.requires_grad else (torch.zeros_like(points),)
    )
    slope = torch.nan_to_num(slope, nan=0.0, posinf=0.0, neginf=0.0)
    return torch.nan_to_num(values.detach(), nan=-torch.inf), slope
