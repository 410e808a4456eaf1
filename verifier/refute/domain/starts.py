"""Where the ascent starts: counterexamples live at the edges.

Each template fills a block of free numbers. Templates are small integers, so that a start that is
already a counterexample is one that can be checked by hand.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from verifier.refute.domain.domain_at_sizes import Cell, Variable
from verifier.refute.domain.matrix_families import Scalar

Template = Callable[[np.random.Generator, int, int], np.ndarray]
SCALES = (1.0, 1.0, 1.0, 0.1, 10.0, 1e-2, 1e2, 1e-4, 1e4, 1e-6, 1e6)
SCALARS = (1.0, 0.0, -1.0, 2.0, 0.5, -0.5, 3.0, -2.0, 10.0, -10.0, 100.0, -100.0, 1e4, -1e4)


def _integers(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return rng.integers(-3, 4, (rows, cols)).astype(float)


def _zeros(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.zeros((rows, cols))


def _ones(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.ones((rows, cols))


def _identity(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.eye(rows, cols)


def _one_hot(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """A single entry."""
    found = np.zeros((rows, cols))
    found[rng.integers(rows), rng.integers(cols)] = rng.choice([1.0, -1.0])
    return found


def _corner(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """The first entry alone: two such matrices are parallel."""
    found = np.zeros((rows, cols))
    found[0, 0] = 1
    return found


def _nilpotent(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """An entry off the diagonal, above or below."""
    found = np.zeros((rows, cols))
    found[(0, -1) if rng.random() < 0.5 else (-1, 0)] = 1
    return found


def _rank_one(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.outer(rng.integers(-3, 4, rows), rng.integers(-3, 4, cols)).astype(float)


def _split(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """Half of the entries 1, half -1, by row or by column."""
    signs = np.where(np.arange(max(rows, cols)) % 2 == 0, 1.0, -1.0)
    return np.tile(signs[:cols], (rows, 1)) if rng.random() < 0.5 else np.tile(signs[:rows, None], (1, cols))


def _two_way(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """The first two of each row, nothing else."""
    found = np.zeros((rows, cols))
    found[:, :2] = 1
    return found


def _equal_rows(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.tile(_integers(rng, 1, cols), (rows, 1))


def _equal_columns(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.tile(_integers(rng, rows, 1), (1, cols))


def _common_shift(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return _integers(rng, rows, cols) + 10


def _diagonal(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    found = np.zeros((rows, cols))
    np.fill_diagonal(found, rng.integers(-3, 4, min(rows, cols)))
    return found


def _signs(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return rng.choice([1.0, -1.0], (rows, cols))


def _permutation(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.eye(max(rows, cols))[rng.permutation(max(rows, cols))][:rows, :cols]


TEMPLATES: tuple[Template, ...] = (
    _zeros, _ones, _identity, _corner, _one_hot, _nilpotent, _integers, _rank_one, _split, _two_way,
    _equal_rows, _equal_columns, _common_shift, _diagonal, _signs, _permutation,
)  # fmt: skip


def structured(cell: Cell, rng: np.random.Generator, count: int) -> Tensor:
    """Small integers only: every variable by the same template, then by templates of its own."""
    rows = []
    for at in range(count):
        shared = TEMPLATES[at % len(TEMPLATES)] if at < 2 * len(TEMPLATES) else None
        parts = [
            _block(variable, rng, shared or TEMPLATES[rng.integers(len(TEMPLATES))], at)
            for variable in cell.variables
        ]
        rows.append(np.concatenate(parts) if parts else np.zeros(0))
    return torch.from_numpy(np.array(rows))


def starts(cell: Cell, rng: np.random.Generator, count: int) -> Tensor:
    """For the ascent: structured ones shaken a little and scaled, and Gaussian ones."""
    base = structured(cell, rng, count).numpy()
    shake = rng.standard_normal(base.shape)
    strength = rng.choice([1e-3, 0.05, 0.3, 1.0], (count, 1))
    found = np.where(rng.random((count, 1)) < 0.3, shake, base + strength * shake)
    start = 0
    for variable in cell.variables:
        if not isinstance(variable.family, Scalar):
            scale = rng.choice(SCALES, (count, 1))
            found[:, start : start + variable.count] *= scale
        start += variable.count
    return torch.from_numpy(found)


def _block(variable: Variable, rng: np.random.Generator, template: Template, at: int) -> np.ndarray:
    if isinstance(variable.family, Scalar):
        return _scalar(variable.family, rng, at)
    copies = [template(rng, variable.rows, variable.cols) for _ in range(variable.copies or 1)]
    return np.concatenate(copies).reshape(-1)


def _scalar(family: Scalar, rng: np.random.Generator, at: int) -> np.ndarray:
    """A free number for a scalar: 1 at first, later anything from tiny to huge."""
    if family.is_logarithmic:
        return np.array(
            [0.0 if at < 16 else rng.choice([0.0, np.log(2), np.log(3), -np.log(2), 3, -3, 8, -8, 16, -16])]
        )
    if np.isfinite(family.low) and np.isfinite(family.high):
        return np.array([rng.choice([np.pi / 2, 0.0, np.pi / 4, np.pi / 6, np.pi / 3])])
    return np.array([1.0 if at < 16 and at % 2 else rng.choice(SCALARS)])
