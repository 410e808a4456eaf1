"""Orthogonal matrices, in floating point by QR and exactly by Cayley's formula."""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

import torch
from torch import Tensor

from verifier.refute.domain.family import Exact, Family, Rows


@final
@dataclass(frozen=True)
class Orthogonal(Family):
    """The Q of a QR decomposition; exactly, Cayley's (I - S)(I + S)^-1 diag(signs) with S skew.

    The design is S strictly above the diagonal, and the signs on it."""

    def value(self, raw: Tensor) -> Tensor:
        q, r = torch.linalg.qr(raw)
        signs = torch.sign(torch.diagonal(r, dim1=-2, dim2=-1) + 1e-300)
        turned: Tensor = q * signs.unsqueeze(-2)
        return turned

    def design(self, raw: Tensor) -> Tensor:
        q = self.value(raw)
        eye = torch.eye(len(q), dtype=q.dtype)
        best = _signs(q)
        skew = torch.linalg.solve(eye + q * best, eye - q * best)
        return torch.triu(skew, 1) + torch.diag(best)

    def exact(self, design: Rows) -> Exact | None:
        size = len(design)
        if any(abs(design[i][i]) != 1 for i in range(size)):
            return None
        skew = [[_above(design, i, j) for j in range(size)] for i in range(size)]
        cayley = _solve(
            [[(i == j) + skew[i][j] for j in range(size)] for i in range(size)],
            [[(i == j) - skew[i][j] for j in range(size)] for i in range(size)],
        )
        return tuple(tuple(cayley[i][j] * design[j][j] for j in range(size)) for i in range(size))


def _above(design: Rows, i: int, j: int) -> Fraction:
    if i == j:
        return Fraction(0)
    return design[i][j] if i < j else -design[j][i]


def _signs(q: Tensor) -> Tensor:
    """Signs d for which diag(d) + Q is far from singular: each pivot of its elimination is at least 1."""
    rest, signs = q.clone(), []
    for at in range(len(q)):
        sign = 1.0 if float(rest[at, at]) >= 0 else -1.0
        signs.append(sign)
        pivot = rest[at, at] + sign
        rest = rest - torch.outer(rest[:, at], rest[at, :]) / pivot
    return torch.tensor(signs, dtype=q.dtype)


def _solve(left: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]]:
    """left^-1 right by elimination; I + S with S skew is never singular."""
    size = len(left)
    rows = [[Fraction(x) for x in left[i] + right[i]] for i in range(size)]
    for at in range(size):
        pivot = next(i for i in range(at, size) if rows[i][at] != 0)
        rows[at], rows[pivot] = rows[pivot], rows[at]
        scale = rows[at][at]
        rows[at] = [x / scale for x in rows[at]]
        for i in range(size):
            if i != at and rows[i][at] != 0:
                factor = rows[i][at]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[at], strict=True)]
    return [row[size:] for row in rows]
