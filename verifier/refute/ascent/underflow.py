"""Points at which floating point has no word: both sides vanish in it, or leave its range.

Such a point is no evidence, for or against. Where nothing is free but numbers, a few of them are decided in
exact and interval arithmetic, which has no smallest number.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from verifier.refute.ascent.rational_points import finest
from verifier.refute.ascent.worst_points import FEASIBLE, Objective, Worst
from verifier.refute.domain.domain_at_sizes import Cell, Design
from verifier.refute.domain.family import Family
from verifier.refute.domain.matrix_families import Scalar

MOST_NUMBERS = 3
MOST_POINTS = 12
PLACES = (20.0, 40.0, 60.0, 100.0, 1e3, 1e4, 1e6)


def unseen(worst: Worst) -> Iterator[Design]:
    """Allowed points far out of which floating point says nothing, nearest first."""
    objective = worst.objective
    cell = objective.cell
    scalar = all(isinstance(variable.family, Scalar) for variable in cell.variables)
    if not scalar or not 0 < cell.width <= MOST_NUMBERS or cell.ties:
        return
    found = 0
    for point in _far(cell, worst):
        if found < MOST_POINTS and _is_lost(objective, point):
            found += 1
            yield finest(cell, point)


def _far(cell: Cell, worst: Worst) -> Iterator[Tensor]:
    """The worst point with one number far out, or all of them."""
    base = worst.points[0] if len(worst.points) else torch.zeros(cell.width, dtype=torch.float64)
    families = [variable.family for variable in cell.variables]
    chosen = [{at} for at in range(cell.width)] + ([set(range(cell.width))] if cell.width > 1 else [])
    for place in PLACES:
        for moved in chosen:
            for sign in (1.0, -1.0):
                numbers = [
                    _raw(families[at], sign * place) if at in moved else None for at in range(cell.width)
                ]
                pairs = zip(numbers, base.tolist(), strict=True)
                yield base.new_tensor([old if new is None else new for new, old in pairs])


def _raw(family: Family, place: float) -> float | None:
    """The free number of a scalar that lies there, or as close to its end; None where both ends are near."""
    assert isinstance(family, Scalar)
    if family.is_logarithmic:
        return math.copysign(math.log(abs(place)), place)
    if math.isfinite(family.low) and math.isfinite(family.high):
        return None
    return math.sqrt(abs(place)) if math.isfinite(family.low) or math.isfinite(family.high) else place


def _is_lost(objective: Objective, point: Tensor) -> bool:
    """The assumptions allow it, and a side has no value or vanishes with what it is compared to."""
    with torch.no_grad():
        allowed = float(objective.broken(point[None])[0]) <= FEASIBLE
    return allowed and not math.isfinite(float(objective.excess(point[None])[0]))
