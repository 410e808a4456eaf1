"""How close a bound comes at sparse points, thousands at once.

Products of norms are met by matrices of rank one that fit each other, bounds of sums where one term outweighs
the rest. Both are common among matrices with few nonzero entries and numbers of very different sizes: there
a batch finds in no time what an ascent from nowhere does not.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product

import numpy as np
import torch
from torch import Tensor

from verifier.evidence import Tightness
from verifier.expr import symbols as K
from verifier.prove.rules.bound_form import Bound
from verifier.refute.ascent.rational_points import Judge
from verifier.refute.ascent.worst_points import Objective
from verifier.refute.domain.domain_at_sizes import Cell, Variable
from verifier.refute.domain.matrix_families import Scalar
from verifier.refute.domain.space import Domain
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import past

TIGHT = Fraction(1, 100)
CLOSE = Fraction(1, 10**6)
ROUNDING = 1e-9  # above it the excess is one of rounding errors: the bound is known to be true
BATCH, BATCHES = 2048, 8
MOST_CELLS = 4
MOST_NUMBERS = 80
KEPT = 6
SHARES = (0.25, 0.5, 0.75)  # of the entries that are not 0
NUMBERS = (1.0, 1e3, -1e3, 1e-3)
LOGARITHMS = (0.0, 7.0, -7.0)
ANGLES = (0.0, float(np.pi / 2), float(np.pi / 4))


def nearest(
    domain: Domain, bound: Bound, judge: Judge, rng: np.random.Generator, deadline: float
) -> Tightness | None:
    """A sparse point at which a true bound comes within 1% of what it bounds, checked exactly."""
    if bound.is_zero:
        return None
    try:
        for cell in islice(_cells(domain), MOST_CELLS):
            for _ in range(BATCHES if cell.width <= MOST_NUMBERS else 0):
                found = _among(Objective(cell, bound), _points(cell, rng), judge, deadline)
                if found is not None or past(deadline):
                    return found
    except (RefusedError, UndefinedError, OverflowError):
        return None
    return None


def _among(objective: Objective, points: Tensor, judge: Judge, deadline: float) -> Tightness | None:
    excess = objective.excess(points)
    excess = torch.where(excess <= ROUNDING, excess, -torch.inf)
    for at in torch.argsort(excess, descending=True, stable=True)[:KEPT].tolist():
        if not excess[at] >= -float(TIGHT) or not judge.has_time(deadline):
            return None
        design = objective.cell.design(points[at], 1000)
        gap = judge.gap(objective.bound, design)
        if gap is not None and 0 <= gap <= TIGHT:
            words = "the bound is attained" if gap <= CLOSE else "the bound is approached"
            return Tightness(True, Fraction(0), gap, where=judge.values(design), note=words)
    return None


def _cells(domain: Domain) -> Iterator[Cell]:
    """Sizes 2, where tightness begins to count."""
    names = domain.sized(K.Dimension, K.Integer, K.IndexOf)
    kinds = [domain.claim.symbols[name].kind for name in names]
    for sizes in product(*((2,) if isinstance(kind, K.Dimension) else (1, 2) for kind in kinds)):
        cell = domain.cell(dict(zip(names, sizes, strict=True)))
        if cell is not None:
            yield cell


def _points(cell: Cell, rng: np.random.Generator) -> Tensor:
    blocks = [_block(variable, rng) for variable in cell.variables]
    return torch.from_numpy(np.concatenate(blocks, axis=1) if blocks else np.zeros((1, 0)))


def _block(variable: Variable, rng: np.random.Generator) -> np.ndarray:
    shape = BATCH, variable.count
    match variable.family:
        case Scalar() as family:
            bounded = np.isfinite(family.low) and np.isfinite(family.high)
            choices = LOGARITHMS if family.is_logarithmic else ANGLES if bounded else NUMBERS
            return rng.choice(choices, shape)
    kept = rng.random(shape) < rng.choice(SHARES, (BATCH, 1))
    return np.where(kept, rng.choice([1.0, -1.0], shape), 0.0)
