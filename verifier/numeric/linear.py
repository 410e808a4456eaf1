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


SVD_SIZE = 48
ITERATIONS = 200


def spectral_norm(value: Tensor) -> Tensor:
    """The largest singular value; by power iteration on A A^T where an SVD per draw is dear."""
    if min(value.shape[-2:]) <= SVD_SIZE:
        # The SVD raises on what is not finite; a point where a side is undefined is NaN like any other.
        finite = torch.isfinite(value)
        largest: Tensor = torch.linalg.matrix_norm(torch.where(finite, value, 0.0), 2)
        return torch.where(finite.all(), largest, torch.nan)
    gram = value @ value.mT if value.shape[-2] <= value.shape[-1] else value.mT @ value
    vector = gram.sum(dim=-1) + torch.linspace(1, 2, gram.shape[-1], dtype=gram.dtype, device=gram.device)
    for _ in range(ITERATIONS):
        vector = gram @ (vector / (vector * vector).sum().sqrt())
    return (vector * vector).sum() ** 0.25


def kron(left: Tensor, right: Tensor) -> Tensor:
    rows, cols = left.shape[0] * right.shape[0], left.shape[1] * right.shape[1]
    return torch.einsum("ij,kl->ikjl", left, right).reshape(rows, cols)


def commutation(rows: int, cols: int) -> Tensor:
    """K with K vec_r(B^T) = vec_r(B) for B rows-by-cols: vec_r(B)[i cols + j] = vec_r(B^T)[j rows + i]."""
    source = torch.arange(rows * cols).reshape(cols, rows).mT.reshape(-1)
    return torch.eye(rows * cols)[source]
