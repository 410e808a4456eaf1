"""Matrices of a given norm, and of one that is at most given, as wholes and row by row."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import torch
from flint import fmpq
from torch import Tensor

from verifier.exact.numbers.constants import HALF, Closed, power
from verifier.refute.domain.family import Exact, Family, Rows


@final
@dataclass(frozen=True)
class Sphere(Family):
    """norm(x) == radius: x radius/|x|, exactly too, for a root of a rational is a closed form."""

    radius: Any  # an exact constant: fmpq or Closed

    def value(self, raw: Tensor) -> Tensor:
        return raw * (as_float(self.radius) / torch.sqrt((raw * raw).sum() + 1e-300))

    def exact(self, design: Rows) -> Exact | None:
        square = sum((value * value for row in design for value in row), Fraction(0))
        if square == 0:
            return None
        scale = power(fmpq(square.numerator, square.denominator), -HALF) * self.radius
        return tuple(tuple(_scaled(value, scale) for value in row) for row in design)


@final
@dataclass(frozen=True)
class Ball(Family):
    """norm(x) <= radius, or norm(x, 2) <= radius: what lies outside is pulled back to the boundary."""

    radius: Any
    spectral: bool = False

    def value(self, raw: Tensor) -> Tensor:
        radius = as_float(self.radius)
        size = self._size(raw)
        return raw * (radius / torch.maximum(size, torch.full_like(size, radius)))

    def exact(self, design: Rows) -> Exact | None:
        radius = as_float(self.radius)
        size = float(
            self._size(torch.tensor([[float(x) for x in row] for row in design], dtype=torch.float64))
        )
        if size <= radius * (1 + 1e-12):
            return design  # on the boundary to rounding: the assumption itself is checked exactly later
        shrink = Fraction(math.floor(radius / size * (1 - 1e-9) * 10**6), 10**6)  # never outwards
        return tuple(tuple(value * shrink for value in row) for row in design)

    def _size(self, raw: Tensor) -> Tensor:
        if self.spectral:
            largest: Tensor = torch.linalg.matrix_norm(raw, 2)
            return largest
        return torch.sqrt((raw * raw).sum() + 1e-300)


@final
@dataclass(frozen=True)
class RowSpheres(Family):
    """norm(X[i]) == radius for every row."""

    radius: Any

    def value(self, raw: Tensor) -> Tensor:
        lengths = torch.sqrt((raw * raw).sum(dim=-1, keepdim=True) + 1e-300)
        return raw * (as_float(self.radius) / lengths)

    def exact(self, design: Rows) -> Exact | None:
        rows = [Sphere(self.radius).exact((row,)) for row in design]
        return None if any(row is None for row in rows) else tuple(row[0] for row in rows if row is not None)


@final
@dataclass(frozen=True)
class RowBalls(Family):
    """norm(X[i]) <= radius for every row."""

    radius: Any

    def value(self, raw: Tensor) -> Tensor:
        radius = as_float(self.radius)
        lengths = torch.sqrt((raw * raw).sum(dim=-1, keepdim=True) + 1e-300)
        return raw * (radius / torch.maximum(lengths, torch.full_like(lengths, radius)))

    def exact(self, design: Rows) -> Exact | None:
        rows = [Ball(self.radius).exact((row,)) for row in design]
        return None if any(row is None for row in rows) else tuple(row[0] for row in rows if row is not None)


def as_float(value: Any) -> float:
    """An exact constant as the nearest double, for the ascent alone."""
    if isinstance(value, Closed):
        return float(value.enclosure().mid())
    return float(value) if isinstance(value, Fraction) else int(value.p) / int(value.q)


def _scaled(value: Fraction, scale: Any) -> Any:
    return fmpq(value.numerator, value.denominator) * scale
