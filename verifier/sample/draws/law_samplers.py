"""Samplers: what one random symbol looks like, `count` times, in float64 on the CPU.

A law of which only some moments are stated is sampled through representatives, laws that have
those moments. What they disagree about depends on a moment that is not stated.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.expr.symbols import AnyLaw, Bernoulli, Declared, Iid, Normal, Rademacher, RandomKind, Uniform
from verifier.sample.unsupported import RefusedError, UndefinedError

Base = Literal["gaussian", "sign", "uniform", "mask", "skewed", "shared"]
Read = Callable[[N.Node], Tensor]

REPRESENTATIVES: tuple[Base, ...] = ("gaussian", "sign", "uniform", "skewed")
MEANS: Mapping[Base, float] = {"gaussian": 0.0, "sign": 0.5, "uniform": -1.0, "skewed": 1.5}
VARIANCES: Mapping[Base, float] = {"gaussian": 1.0, "sign": 2.25, "uniform": 0.25, "skewed": 4.0}


@dataclass(frozen=True)
class Law:
    """W = mean + scale * (mix @ Z), Z with independent standard entries of the base law.

    `copies` and `depth` are the leading sizes of a family and of a layer's symbol.
    """

    base: Base
    shape: tuple[int, ...]
    mean: Tensor
    scale: Tensor
    mix: Tensor | None = None
    chance: float = 1.0  # of a mask: its entries are 1 or 0, with mean 0 and scale 1 here

    @property
    def elements(self) -> int:
        return math.prod(self.shape)

    @property
    def bounded(self) -> tuple[float, float] | None:
        """Every entry lies between these."""
        if self.base == "mask":
            return 0.0, 1.0
        limit = {"sign": 1.0, "uniform": math.sqrt(3.0)}.get(self.base)
        if limit is None or self.mix is not None:
            return None
        reach = limit * self.scale.abs()
        return float((self.mean - reach).min()), float((self.mean + reach).max())

    @property
    def full_support(self) -> bool:
        """Every matrix of this shape is a possible value."""
        return self.base == "gaussian" and self.mix is None and bool((self.scale > 0).all())

    def draw(self, generator: np.random.Generator, count: int) -> Tensor:
        found = torch.empty(count, *self.shape, dtype=torch.float64)
        self.fill(generator, found)
        return found

    def fill(self, generator: np.random.Generator, out: Tensor) -> None:
        """Draws written in place, `out` being contiguous float64 on the CPU."""
        if self.base == "gaussian":
            generator.standard_normal(out=out.numpy())
        elif self.base == "mask":
            out.copy_(torch.from_numpy(generator.random(tuple(out.shape)) < self.chance))
        else:
            out.copy_(torch.from_numpy(BASES[self.base](generator, tuple(out.shape))))
        if self.mix is not None:
            out.copy_(self.mix @ out)
        if bool((self.scale != 1).any()):
            out.mul_(self.scale)
        if bool((self.mean != 0).any()):
            out.add_(self.mean)


def _signs(generator: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    total = math.prod(shape)
    bits = np.unpackbits(generator.integers(0, 256, -(-total // 8), dtype=np.uint8))[:total]
    return (bits.astype(np.float64) * 2 - 1).reshape(shape)


def _uniform(generator: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Uniform on [-sqrt 3, sqrt 3]: variance 1."""
    return (generator.random(shape) * 2 - 1) * math.sqrt(3)


def _skewed(generator: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """(sqrt(3) g + (g**2 - 1)/sqrt(2)) / 2: mean 0, variance 1, skewness 1.9, a quadratic in g."""
    normal = generator.standard_normal(shape)
    return np.asarray((math.sqrt(3) * normal + (normal * normal - 1) / math.sqrt(2)) / 2)


def _shared(generator: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """All entries of one copy equal."""
    normal = generator.standard_normal((*shape[:-2], 1, 1))
    return np.broadcast_to(normal, shape).copy()


BASES: dict[Base, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "sign": _signs,
    "uniform": _uniform,
    "skewed": _skewed,
    "shared": _shared,
}


def law_of(symbol: Declared, shape: tuple[int, ...], read: Read, representative: Base) -> Law:
    """The symbol's law at one point; `read` evaluates its parameters there."""
    kind = symbol.kind
    one, zero = torch.ones(1, 1, dtype=torch.float64), torch.zeros(1, 1, dtype=torch.float64)
    match kind:
        case Normal(mean, std, row_corr, cov):
            scale = one if cov is not None else _nonnegative(read(std), f"std of {symbol.name}")
            return Law("gaussian", shape, read(mean), scale, _mix(row_corr, cov, shape, read))
        case Rademacher():
            return Law("sign", shape, zero, one)
        case Bernoulli(chance):
            share = float(read(chance))
            if not 0 <= share <= 1:
                raise UndefinedError(f"the chance of {symbol.name} is {share:.3g}")
            return Law("mask", shape, zero, one, chance=share)
        case Uniform(low, high):
            a, b = read(low), read(high)
            width = _nonnegative(b - a, f"width of {symbol.name}")
            return Law("uniform", shape, (a + b) / 2, width / math.sqrt(12))
        case Iid(stated_mean, var):
            centre = _stated(stated_mean, MEANS, representative, read)
            spread = _nonnegative(_stated(var, VARIANCES, representative, read), f"var of {symbol.name}")
            return Law(representative, shape, centre, spread.sqrt())
        case AnyLaw(stated_mean):
            centre = _stated(stated_mean, MEANS, representative, read)
            # "Any joint law" allows dependent entries: one representative has them all equal.
            base: Base = "shared" if representative == "skewed" else representative
            return Law(base, shape, centre, _stated(None, VARIANCES, representative, read).sqrt())
    raise RefusedError(f"the law of {symbol.name}")


def only_moments(kind: RandomKind) -> bool:
    """Only some moments of this law are stated."""
    return isinstance(kind, Iid | AnyLaw)


def _stated(node: N.Node | None, choices: Mapping[Base, float], representative: Base, read: Read) -> Tensor:
    """A stated moment; one that is not stated differs from representative to representative."""
    if node is not None:
        return read(node)
    return torch.full((1, 1), choices[representative], dtype=torch.float64)


def _nonnegative(value: Tensor, what: str) -> Tensor:
    if not bool((value >= 0).all()) or not bool(torch.isfinite(value).all()):
        raise UndefinedError(f"the {what} is {value.flatten()[0].item():.3g}")
    return value


def _mix(row_corr: N.Node | None, cov: N.Node | None, shape: tuple[int, ...], read: Read) -> Tensor | None:
    """The symmetric root of the rows' covariance."""
    rows = shape[-2]
    if cov is not None:
        values, vectors = torch.linalg.eigh(read(cov))
        if bool((values < -1e-9 * values.abs().max()).any()):
            raise UndefinedError("a covariance that is not positive semidefinite")
        root: Tensor = vectors @ torch.diag(values.clamp(min=0).sqrt()) @ vectors.mT
        return root
    if row_corr is None:
        return None
    rho = float(read(row_corr))
    along, across = 1 + (rows - 1) * rho, 1 - rho
    if along < 0 or (across < 0 and rows > 1):
        raise UndefinedError(f"no {rows} rows are equally correlated with {rho:.3g}")
    mean = torch.full((rows, rows), 1 / rows, dtype=torch.float64)
    return (
        math.sqrt(max(across, 0.0)) * (torch.eye(rows, dtype=torch.float64) - mean) + math.sqrt(along) * mean
    )
