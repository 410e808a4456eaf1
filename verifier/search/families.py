"""Classes of values, each reached from free numbers: any numbers in, a member of the class out.

`value` is the differentiable map that the ascent follows. `design` gives numbers that may be
rounded, and `exact` rebuilds a member from rounded ones without floating point, so that a
constraint holds exactly and not merely nearly.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import torch
from flint import fmpq
from torch import Tensor

from verifier.rigorous.closed import HALF, Closed, power

Rows = tuple[tuple[Fraction, ...], ...]
Exact = tuple[tuple[Any, ...], ...]
LARGEST_EXPONENT = 100.0  # a positive scalar lies between exp(-100) and exp(100)


@dataclass(frozen=True)
class Family(ABC):
    """One class of matrices; a scalar is 1-by-1."""

    @abstractmethod
    def value(self, raw: Tensor) -> Tensor: ...

    def design(self, raw: Tensor) -> Tensor:
        """The numbers to round; here the value itself."""
        return self.value(raw)

    def exact(self, design: Rows) -> Exact | None:
        """The member built from exact numbers; None where they build none."""
        return design


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
class Signs(Family):
    """Every entry 1 or -1: no slope, so only the starts move it."""

    def value(self, raw: Tensor) -> Tensor:
        return torch.where(raw < 0, -1.0, 1.0).to(raw.dtype)

    def exact(self, design: Rows) -> Exact | None:
        return tuple(tuple(Fraction(-1 if value < 0 else 1) for value in row) for row in design)


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


def as_float(value: Any) -> float:
    """An exact constant as the nearest double, for the ascent alone."""
    if isinstance(value, Closed):
        return float(value.enclosure().mid())
    return float(value) if isinstance(value, Fraction) else int(value.p) / int(value.q)


def _scaled(value: Fraction, scale: Any) -> Any:
    return fmpq(value.numerator, value.denominator) * scale


def _transpose(rows: Any) -> Any:
    return tuple(zip(*rows, strict=True))


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


BY_CLASS: dict[str, Callable[[], Family]] = {
    "matrix": Plain,
    "vector": Plain,
    "simplex": Simplex,
    "stochastic": Stochastic,
    "symmetric": Symmetric,
    "psd": Psd,
    "orthogonal": Orthogonal,
}
