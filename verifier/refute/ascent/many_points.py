"""Many thousand points at once, where the relation speaks of one or two numbers and nothing else.

What breaks a bound may be a needle, or the rare place at which several waves meet: no ascent from a few
starts comes there. One batched evaluation shows where to begin.
"""

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from verifier.refute.domain.matrix_families import Scalar
from verifier.timer import worked

if TYPE_CHECKING:
    from verifier.refute.ascent.worst_points import Objective

MOST_NUMBERS = 2
PROBED, POINTS = 2**9, 2**16
SHARE = 0.2  # of the time that is left
KEPT = 24
REACH = (10.0, 1e3, 1e5)
EXPONENTS = 30.0


def promising(objective: "Objective", rng: np.random.Generator, deadline: float) -> Tensor:
    """The worst of many points, as starts for an ascent; none where a point costs much."""
    cell = objective.cell
    scalar = all(isinstance(variable.family, Scalar) for variable in cell.variables)
    if not scalar or not 0 < cell.width <= MOST_NUMBERS:
        return torch.zeros(0, cell.width, dtype=torch.float64)
    start = worked()
    found = _drawn(objective, rng, PROBED)
    if (worked() - start) * POINTS / PROBED < SHARE * (deadline - start):
        found = torch.cat([found, _drawn(objective, rng, POINTS)])
    excess = objective.excess(found)
    return found[torch.argsort(excess, descending=True)[:KEPT]]


def _drawn(objective: "Objective", rng: np.random.Generator, count: int) -> Tensor:
    """Free numbers spread over short and long stretches."""
    columns = []
    for variable in objective.cell.variables:
        family = variable.family
        assert isinstance(family, Scalar)
        spread = rng.uniform(-1.0, 1.0, count)
        if family.is_logarithmic:
            columns.append(EXPONENTS * spread)
        elif np.isfinite(family.low) and np.isfinite(family.high):
            columns.append(np.pi / 2 * spread)
        else:
            columns.append(rng.choice(REACH, count) * spread)
    return torch.from_numpy(np.stack(columns, axis=1))
