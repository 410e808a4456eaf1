"""Fixed matrices worth looking at: counterexamples live at the edges.

All entries are small dyadic rationals wherever the class allows, so that a counterexample found here can be
checked again in exact arithmetic.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from verifier.expr.symbols import MatrixClass

Make = Callable[[np.random.Generator, int, int], np.ndarray]


def _integers(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    found = rng.integers(-3, 4, (rows, cols)).astype(float)
    found[0, 0] = found[0, 0] or 1.0
    return found


def _real(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.asarray(np.round(rng.standard_normal((rows, cols)) * 64) / 64)


def _collapsed(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """All rows equal."""
    return np.repeat(_integers(rng, 1, cols), rows, axis=0)


def _nearly_collapsed(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return _collapsed(rng, rows, cols) + _integers(rng, rows, cols) / 64


def _centred(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """Columns that add up to zero."""
    found = _integers(rng, rows, cols)
    return np.asarray(rows * found - found.sum(axis=0, keepdims=True))


def _rank_one(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return np.asarray(_integers(rng, rows, 1) @ _integers(rng, 1, cols))


def _badly_scaled(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """One row 64 times as large as the others."""
    found = _integers(rng, rows, cols)
    found[rng.integers(rows)] *= 64
    return found


def _shifted(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return _integers(rng, rows, cols) + 8


def _small(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    return _real(rng, rows, cols) / 16


STRUCTURES: dict[str, Make] = {
    "integers": _integers,
    "real": _real,
    "collapsed": _collapsed,
    "nearly collapsed": _nearly_collapsed,
    "centred": _centred,
    "rank one": _rank_one,
    "badly scaled": _badly_scaled,
    "common shift": _shifted,
    "small": _small,
}
NAMES = tuple(STRUCTURES)


def build(
    family: MatrixClass, structure: str, rng: np.random.Generator, rows: int, cols: int
) -> tuple[Tensor, bool]:
    """A matrix of the class, and whether its entries are exact."""
    make = STRUCTURES[structure]
    match family:
        case "matrix" | "vector":
            return torch.from_numpy(make(rng, rows, cols)), True
        case "simplex":
            return _stochastic(rng, structure, 1, rows).mT.contiguous(), True
        case "stochastic":
            return _stochastic(rng, structure, rows, cols), True
        case "symmetric":
            half = torch.from_numpy(make(rng, rows, rows))
            return half + half.mT, True
        case "psd":
            half = torch.from_numpy(make(rng, rows, rows))
            return half @ half.mT, True
        case "orthogonal":
            return _orthogonal(rng, structure, rows)


def _stochastic(rng: np.random.Generator, structure: str, rows: int, cols: int) -> Tensor:
    """Rows of 64ths that add up to one, exactly: spread out, at a corner, near one, or equal."""
    match structure:
        case "rank one":
            weights = np.zeros((rows, cols))
            weights[np.arange(rows), rng.integers(cols, size=rows)] = 1
        case "badly scaled":
            weights = np.tile(np.full(cols, 1 / 1024), (rows, 1))
            weights[:, 0] = 1 - (cols - 1) / 1024
        case "collapsed":
            weights = np.repeat(rng.multinomial(64, np.full(cols, 1 / cols), size=1) / 64, rows, axis=0)
        case _:
            weights = rng.multinomial(64, rng.dirichlet(np.ones(cols)), size=rows) / 64
    return torch.from_numpy(np.asarray(weights, dtype=float))


def _orthogonal(rng: np.random.Generator, structure: str, size: int) -> tuple[Tensor, bool]:
    """Signed permutations, exactly; otherwise the Q of a random matrix."""
    if structure in ("integers", "rank one", "collapsed"):
        signs = rng.integers(0, 2, size) * 2.0 - 1
        return torch.from_numpy(np.eye(size)[rng.permutation(size)] * signs), True
    q, _ = np.linalg.qr(rng.standard_normal((size, size)))
    return torch.from_numpy(q), False
