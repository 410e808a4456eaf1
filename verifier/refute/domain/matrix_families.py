"""The classes of the declarations, and scalars and entries between ends."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import torch
from torch import Tensor

from verifier.refute.domain.family import Exact, Family, Rows
from verifier.refute.domain.orthogonal import Orthogonal

LARGEST_EXPONENT = 100.0  # a positive scalar lies between exp(-100) and exp(100)


@final
@dataclass(frozen=True)
class Plain(Family):
    """Any matrix."""

    def value(self, raw: Tensor) -> Tensor:
        return raw


@final
@dataclass(frozen=True, eq=False)
class Fixed(Family):
    """One matrix, whatever the free numbers are."""

    member: Tensor

    def value(self, raw: Tensor) -> Tensor:
        return self.member


@final
@dataclass(frozen=True)
class Stochastic(Family):
    """Rows on the simplex, w_j / sum_k w_k: squares in the ascent, so that a face is reached."""

    def value(self, raw: Tensor) -> Tensor:
        squares = raw * raw + 1e-300
        return squares / squares.sum(dim=-1, keepdim=True)

    def exact(self, design: Rows) -> Exact | None:
        rows = []
        for row in design:
            weights = [abs(weight) for weight in row]
            total = sum(weights)
            if total == 0:
                return None
            rows.append(tuple(weight / total for weight in weights))
        return tuple(rows)


@final
@dataclass(frozen=True)
class Simplex(Family):
    """One probability vector, a column."""

    def value(self, raw: Tensor) -> Tensor:
        return Stochastic().value(raw.mT).mT

    def exact(self, design: Rows) -> Exact | None:
        found = Stochastic().exact(_transpose(design))
        return None if found is None else _transpose(found)


@final
@dataclass(frozen=True)
class Symmetric(Family):
    """(R + R.T)/2."""

    def value(self, raw: Tensor) -> Tensor:
        return (raw + raw.mT) / 2

    def exact(self, design: Rows) -> Exact | None:
        size = range(len(design))
        return tuple(tuple((design[i][j] + design[j][i]) / 2 for j in size) for i in size)


@final
@dataclass(frozen=True)
class Psd(Family):
    """R @ R.T."""

    def value(self, raw: Tensor) -> Tensor:
        return raw @ raw.mT

    def design(self, raw: Tensor) -> Tensor:
        return raw

    def exact(self, design: Rows) -> Exact | None:
        return tuple(
            tuple(sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in design)
            for x in design
        )


@final
@dataclass(frozen=True)
class Scalar(Family):
    """A real between two ends; a positive one moves on a logarithmic scale."""

    low: float = -math.inf
    high: float = math.inf
    positive: bool = False

    @property
    def is_logarithmic(self) -> bool:
        return self.positive and math.isinf(self.high)

    def value(self, raw: Tensor) -> Tensor:
        if self.is_logarithmic:
            return torch.exp(raw.clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT)) + max(self.low, 0.0)
        low = max(self.low, 0.0) if self.positive else self.low
        if math.isfinite(low) and math.isfinite(self.high):
            return low + (self.high - low) * torch.sin(raw) ** 2
        if math.isfinite(low):
            return low + raw * raw
        if math.isfinite(self.high):
            return self.high - raw * raw
        return raw

    def exact(self, design: Rows) -> Exact | None:
        (value,) = design[0]
        inside = self.low <= value <= self.high and not (self.positive and value <= 0)
        return design if inside else None


@final
@dataclass(frozen=True)
class Box(Family):
    """Every entry between two ends."""

    low: float
    high: float

    def value(self, raw: Tensor) -> Tensor:
        return Scalar(self.low, self.high).value(raw)

    def exact(self, design: Rows) -> Exact | None:
        inside = all(self.low <= value <= self.high for row in design for value in row)
        return design if inside else None


@final
@dataclass(frozen=True)
class Entries(Family):
    """Every entry between ends of its own."""

    lows: tuple[tuple[float, ...], ...]
    highs: tuple[tuple[float, ...], ...]

    def value(self, raw: Tensor) -> Tensor:
        low, high = raw.new_tensor(self.lows), raw.new_tensor(self.highs)
        below, above = low.isfinite(), high.isfinite()
        low, high = low.nan_to_num(0.0, 0.0, 0.0), high.nan_to_num(0.0, 0.0, 0.0)
        half = torch.where(below, low + raw * raw, torch.where(above, high - raw * raw, raw))
        return torch.where(below & above, low + (high - low) * torch.sin(raw) ** 2, half)

    def exact(self, design: Rows) -> Exact | None:
        for row, lows, highs in zip(design, self.lows, self.highs, strict=True):
            if any(not a <= value <= b for value, a, b in zip(row, lows, highs, strict=True)):
                return None
        return design


@final
@dataclass(frozen=True)
class Signs(Family):
    """Every entry 1 or -1: no slope, so only the starts move it."""

    def value(self, raw: Tensor) -> Tensor:
        return torch.where(raw < 0, -1.0, 1.0).to(raw.dtype)

    def exact(self, design: Rows) -> Exact | None:
        return tuple(tuple(Fraction(-1 if value < 0 else 1) for value in row) for row in design)


def _transpose(rows: Any) -> Any:
    return tuple(zip(*rows, strict=True))


BY_CLASS: dict[str, Callable[[], Family]] = {
    "matrix": Plain,
    "vector": Plain,
    "simplex": Simplex,
    "stochastic": Stochastic,
    "symmetric": Symmetric,
    "psd": Psd,
    "orthogonal": Orthogonal,
}
