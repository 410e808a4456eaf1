"""Bounds that hold with equality on a whole open set: there the ascent has no slope, and no reason to stop.

What breaks such a bound begins at the edge of the set, as where a projection onto a ball begins to move its
points. So edges are looked for between points of the set and others; beyond them many points are tried at
once, and the ascent starts again from the worst. Among them are points in which two variables differ in one
entry alone: what is equal in all others shows what the bound does to it.
"""

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from verifier.refute.domain.domain_at_sizes import Cell
from verifier.refute.domain.starts import starts

if TYPE_CHECKING:
    from verifier.refute.ascent.worst_points import Objective

LEVEL = 1e-12  # relative: both sides are equal to rounding
FEWEST = 3  # points at which a single worst one would not be met by chance
HALVINGS = 30
EDGES = 64
POINTS = 2048
MOST_NUMBERS = 64
STEPS = (1e-3, 1e-2, 0.1, 0.3, 1.0)  # of an edge point's own size


def beyond(objective: "Objective", rng: np.random.Generator, count: int) -> Tensor:
    """The worst of many points beyond the edges of the set on which both sides are equal; none where there is
    no such set."""
    drawn = starts(objective.cell, rng, 2 * EDGES)
    excess = objective.excess(drawn)
    level = excess.abs() <= LEVEL
    inside, outside = drawn[level], drawn[~level & excess.isfinite()]
    if len(inside) < FEWEST or not len(outside) or objective.cell.width > MOST_NUMBERS:
        return drawn[:0]
    edges = _edges(objective, inside, outside, rng)
    found = torch.cat([_shaken(edges, rng), _apart_in_one(objective.cell, edges, rng)])
    excess = objective.excess(found)
    found, excess = found[excess.abs() > LEVEL], excess[excess.abs() > LEVEL]
    return found[torch.argsort(excess, descending=True)[:count]]


def _edges(objective: "Objective", inside: Tensor, outside: Tensor, rng: np.random.Generator) -> Tensor:
    """Just outside, on the way from points of the set to others."""
    first = inside[torch.from_numpy(rng.integers(len(inside), size=EDGES))]
    last = outside[torch.from_numpy(rng.integers(len(outside), size=EDGES))]
    low, high = torch.zeros(EDGES, 1, dtype=first.dtype), torch.ones(EDGES, 1, dtype=first.dtype)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        equal = (objective.excess(first + middle * (last - first)).abs() <= LEVEL)[:, None]
        low, high = torch.where(equal, middle, low), torch.where(equal, high, middle)
    return first + high * (last - first)


def _shaken(edges: Tensor, rng: np.random.Generator) -> Tensor:
    """Moved in all directions, a little or much."""
    chosen = edges[torch.from_numpy(rng.integers(len(edges), size=POINTS // 2))]
    shake = torch.from_numpy(rng.standard_normal(chosen.shape) * rng.choice(STEPS, (len(chosen), 1)))
    return chosen + shake * chosen.abs().amax(dim=1, keepdim=True)


def _apart_in_one(cell: Cell, edges: Tensor, rng: np.random.Generator) -> Tensor:
    """One variable like another, but for one entry."""
    blocks, start = [], 0
    for variable in cell.variables:
        blocks.append((start, variable.count, variable.rows, variable.cols))
        start += variable.count
    pairs = [(a, b) for a in blocks for b in blocks if a[0] != b[0] and a[1:] == b[1:]]
    if not pairs:
        return edges[:0]
    found = edges[torch.from_numpy(rng.integers(len(edges), size=POINTS // 2))].clone()
    for row in found:
        (source, width, *_), (target, *_) = pairs[rng.integers(len(pairs))]
        row[target : target + width] = row[source : source + width]
        size = float(row[source : source + width].abs().max())
        row[target + int(rng.integers(width))] += size * float(rng.choice(STEPS) * rng.standard_normal())
    return found
