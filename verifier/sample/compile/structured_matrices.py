"""Norms and structured matrices."""

import torch
from torch import Tensor

from verifier.expr.nodes import NormKind


def broadcast(*values: Tensor) -> list[Tensor]:
    """All of one shape."""
    found: list[Tensor] = list(torch.broadcast_tensors(*values))  # type: ignore[no-untyped-call]
    return found


def block_diagonal(blocks: list[Tensor]) -> Tensor:
    """The blocks down the diagonal, zeros elsewhere."""
    cols = sum(block.shape[1] for block in blocks)
    rows, before = [], 0
    for block in blocks:
        after = cols - before - block.shape[1]
        rows.append(torch.nn.functional.pad(block, (before, after)))
        before += block.shape[1]
    return torch.cat(rows)


def norm(value: Tensor, kind: NormKind) -> Tensor:
    """Frobenius, spectral, or the 1- and max-norm of a vector."""
    match kind:
        case "fro":
            return torch.sqrt((value * value).sum()).reshape(1, 1)
        case "2":
            return spectral_norm(value).reshape(1, 1)
        case "1":
            return value.abs().sum().reshape(1, 1)
        case "oo":
            return value.abs().amax().reshape(1, 1)


SVD_SIZE = 512  # beyond, the iteration is the faster
LANCZOS = 64
TINY = 1e-37  # in single precision too


def spectral_norm(value: Tensor) -> Tensor:
    """The largest singular value; by iteration where an SVD per draw is dear."""
    # The SVD raises on what is not finite; a point where a side is undefined is NaN like any other.
    finite = torch.isfinite(value)
    usable = torch.where(finite, value, 0.0)
    if min(value.shape[-2:]) <= SVD_SIZE:
        largest: Tensor = torch.linalg.matrix_norm(usable, 2)
    else:
        largest = by_iteration(usable)
    return torch.where(finite.all(), largest, torch.nan)


def by_iteration(value: Tensor) -> Tensor:
    """The root of the largest eigenvalue of A A^T or A^T A, whichever is smaller."""
    size = value.abs().amax().clamp(min=TINY)
    scaled = value / size
    wide = value.shape[-2] <= value.shape[-1]
    return size * _largest_eigenvalue(scaled @ scaled.mT if wide else scaled.mT @ scaled).clamp(min=0).sqrt()


def _largest_eigenvalue(matrix: Tensor) -> Tensor:
    """Lanczos: a symmetric matrix on the space of v, A v, A^2 v, ..., in an orthonormal basis of it.

    Where that space is smaller than the number of steps the further vectors are 0 and add eigenvalues 0.
    """
    size = matrix.shape[-1]
    start = matrix.sum(dim=-1) + torch.linspace(1, 2, size, dtype=matrix.dtype, device=matrix.device)
    basis = [_unit(start)]
    for _ in range(LANCZOS - 1):
        known = torch.stack(basis)
        moved = matrix @ basis[-1]
        for _ in range(2):  # once leaves what rounding made of nearly parallel vectors
            moved = moved - (moved @ known.mT) @ known
        small = (moved * moved).sum() <= 1e-24 * (matrix * matrix).sum()
        basis.append(torch.where(small, 0.0, _unit(moved)))
    known = torch.stack(basis)
    within: Tensor = torch.linalg.eigvalsh(known @ matrix @ known.mT)
    return within[-1]


def _unit(vector: Tensor) -> Tensor:
    return vector / (vector * vector).sum().clamp(min=TINY).sqrt()


def kron(left: Tensor, right: Tensor) -> Tensor:
    rows, cols = left.shape[0] * right.shape[0], left.shape[1] * right.shape[1]
    return torch.einsum("ij,kl->ikjl", left, right).reshape(rows, cols)


def commutation(rows: int, cols: int) -> Tensor:
    """K with K vec_r(B^T) = vec_r(B) for B rows-by-cols: vec_r(B)[i cols + j] = vec_r(B^T)[j rows + i]."""
    source = torch.arange(rows * cols).reshape(cols, rows).mT.reshape(-1)
    return torch.eye(rows * cols)[source]
