"""Bounds that hold with equality on a whole open set: there the ascent has no slope, and no reason to stop.

What breaks such a bound begins at the edge of the set, as where a projection onto a ball begins to move its
points. So edges are looked for between points of the set and others, and the ascent starts again beyond them.
"""

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from verifier.search.starts import starts

if TYPE_CHECKING:
    from verifier.search.hunt import Objective

LEVEL = 1e-12  # relative: both sides are equal to rounding
FEWEST = 3  # points at which a single worst one would not be met by chance
HALVINGS = 30
BEYOND = (1e-3, 3e-2, 0.3, 1.0)  # of the way from the edge


def beyond(objective: "Objective", rng: np.random.Generator, count: int) -> Tensor:
    """Starts beyond the edges of the set on which both sides are equal; none where there is no such set."""
    drawn = starts(objective.cell, rng, 2 * count)
    excess = objective.excess(drawn)
    level = excess.abs() <= LEVEL
    inside, outside = drawn[level], drawn[~level & excess.isfinite()]
    if len(inside) < FEWEST or not len(outside):
        return drawn[:0]
    pairs = torch.arange(count)
    first = inside[pairs % len(inside)]
    last = outside[torch.from_numpy(rng.permutation(count)) % len(outside)]
    low, high = torch.zeros(count, 1, dtype=drawn.dtype), torch.ones(count, 1, dtype=drawn.dtype)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        equal = (objective.excess(first + middle * (last - first)).abs() <= LEVEL)[:, None]
        low, high = torch.where(equal, middle, low), torch.where(equal, high, middle)
    step = torch.tensor(BEYOND, dtype=drawn.dtype)[pairs % len(BEYOND), None]
    return first + (high + step * (1 - high)) * (last - first)
