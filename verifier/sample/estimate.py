"""Confidence intervals for a mean, valid however the sampling is stopped.

Values are kept as means of blocks of equal length. At epoch t, after 2**t times as many draws as
at first, an interval of level alpha / ((t+1)(t+2)) is read off; these levels add up to alpha, so all of
them hold together and one may stop at any.

One interval takes two steps, each a proven inequality:

1. The variance v of a block mean z is at most ... (`variance_bound`).
   (f - f')^2/2 over pairs of blocks is non-negative with mean v and second moment <= C v^2, and a
   non-negative y has P(mean of m <= E y - t) <= exp(-m t^2 / (2 E y^2)). C comes from the kurtosis.
   If f has one sign and E f^2 <= C (E f)^2, the same inequality bounds E f, hence v, from above.
   If f is bounded, see `_bounded_variance`; if it is of bounded slope, draw_slopes.py and `_square_variance`.
2. With v known, Catoni's estimator: P(|sum_i psi(l (z_i - m))| > N l^2 v/2 + log(2/a)) <= a at m = E z,
   psi(x) = sign(x) log(1 + |x| + x^2/2). The sum falls in m, so what is not rejected is an interval.
   The best l depends on v, which was estimated from the same draws: l is taken from a fixed grid of
   powers of two, each with its share of a.

Without a bound on v the interval is the normal one (Student's where blocks are few), marked approximate.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import torch
from torch import Tensor

from verifier.sample.draws.devices import brought
from verifier.sample.tails.tail_weights import Tails

MAX_BLOCKS = 2048
GRID = 300
FEW = 64
FEWEST = 4  # independent blocks from which a spread is read at all
FEW_LEVEL = 1e-4  # a few blocks know nothing of rarer events, and what they say decides nothing
BISECTIONS = 28
USEFUL = 0.8  # a bound that is more than five times too large says nothing yet


@dataclass(frozen=True)
class Estimate:
    """Means with their intervals, entry by entry of a flattened matrix."""

    mean: Tensor
    low: Tensor
    high: Tensor
    likely: Tensor  # half the normal interval: a guide for where to draw more, never a proof
    rigorous: bool
    constant: bool
    draws: int


class Ladder:
    """Running block means in constant memory: when there are too many, neighbours are merged."""

    def __init__(self, rounding: float = 1e-9) -> None:
        self.rounding = rounding
        self.means = torch.empty(0, 0, dtype=torch.float64)
        self.length = 1
        self.draws = 0
        self.largest = 0.0
        self._loose: list[Tensor] = []

    def add(self, values: Tensor) -> None:
        """Append draws (rows); `close` must be called before reading."""
        values = brought(values)
        if self.draws == 0:
            self.means = values[:0]
            self.first = values[0]
            self.constant = torch.ones(values.shape[1], dtype=torch.bool)
        self.draws += values.shape[0]
        self.largest = max(self.largest, float(values.abs().amax()))
        tolerance = self.tolerance
        self.constant &= ((values - self.first).abs() <= tolerance).all(dim=0)
        self._loose.append(_merged(values, math.gcd(self.length, values.shape[0])))

    @property
    def tolerance(self) -> Tensor:
        """How far draws of a constant may lie apart: what cancels in one entry is as large as another."""
        return self.rounding * (self.first.abs() + 1e-3 * self.largest)

    def join(self, other: "Ladder") -> None:
        """Append the draws of another."""
        self.close()
        other.close()
        while self.length < other.length:
            self.means, self.length = _merged(self.means, 2), 2 * self.length
        while other.length < self.length:
            other.means, other.length = _merged(other.means, 2), 2 * other.length
        self.largest = max(self.largest, other.largest)
        tolerance = self.rounding * self.first.abs()
        self.constant &= other.constant & ((other.first - self.first).abs() <= tolerance)
        self.means = torch.cat([self.means, other.means])
        self.draws += other.draws

    def close(self) -> None:
        """Bring all blocks to one length, at most MAX_BLOCKS of them."""
        if self._loose:
            rows = sum(part.shape[0] for part in self._loose)
            loose = torch.cat(self._loose)
            fresh = self.draws - self.means.shape[0] * self.length
            self._loose = []
            self.means = torch.cat([self.means, _merged(loose, rows * self.length // fresh)])
        while self.means.shape[0] > MAX_BLOCKS:
            self.means = _merged(self.means, 2)
            self.length *= 2


def _merged(values: Tensor, group: int) -> Tensor:
    return values if group == 1 else values.reshape(-1, group, values.shape[1]).mean(dim=1)


def level(alpha: float, epoch: int) -> float:
    """The share of alpha for one epoch: alpha / ((t+1)(t+2)) adds up to alpha."""
    return alpha / ((epoch + 1) * (epoch + 2))


def read(ladder: Ladder, tails: Tails, alpha: float) -> Estimate:
    """The interval of level alpha from what has been drawn; alpha is shared over the entries."""
    ladder.close()
    means, entries = ladder.means, max(ladder.means.shape[1], 1)
    mean = means.mean(dim=0)
    share = alpha / entries
    rounding = 1e-3 * ladder.rounding * means.abs().amax(dim=0)
    normal = _normal_reach(means, share) + rounding
    bound = variance_bound(means, ladder.length, tails, share / 2)
    if bool(ladder.constant.all()) and (bound is None or tails.kurtosis is not None):
        reach, proven = 4 * ladder.tolerance, _proves_constant(ladder, tails, share)
        return Estimate(mean, mean - reach, mean + reach, normal, proven, True, ladder.draws)
    if bound is None:
        return Estimate(mean, mean - normal, mean + normal, normal, False, False, ladder.draws)
    low, high = catoni(means, bound, share / 2)
    if tails.relative is not None:  # f has one sign, so its mean has it too
        low = torch.where((means >= 0).all(dim=0), low.clamp(min=0), low)
        high = torch.where((means <= 0).all(dim=0), high.clamp(max=0), high)
    if tails.bounds is not None:
        low, high = low.clamp(min=tails.bounds[0]), high.clamp(max=tails.bounds[1])
    return Estimate(mean, low - rounding, high + rounding, normal, True, False, ladder.draws)


def _normal_reach(means: Tensor, alpha: float) -> Tensor:
    """Half the normal interval; endless while there are too few blocks to know the spread."""
    count = means.shape[0]
    if count < FEWEST:
        return torch.full((means.shape[1],), math.inf, dtype=means.dtype)
    if count < FEW:
        quantile = student(count - 1, max(alpha, FEW_LEVEL) / 2)
    else:
        quantile = NormalDist().inv_cdf(1 - alpha / 2)
    return quantile * means.std(dim=0) / math.sqrt(count)


@cache
def student(freedom: int, tail: float) -> float:
    """t with P(T > t) = tail: for T = sqrt(k) cot(a), the integral of sin^(k-1) over 0..a, over its whole."""
    whole = math.sqrt(math.pi) * math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom + 1) / 2))

    def mass(angle: float) -> float:
        nodes = torch.linspace(0, angle, 513, dtype=torch.float64)
        return float(torch.trapezoid(torch.sin(nodes) ** (freedom - 1), nodes)) / whole

    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mass(middle) < tail else (low, middle)
    return math.sqrt(freedom) / math.tan(low)


def _proves_constant(ladder: Ladder, tails: Tails, alpha: float) -> bool:
    """Equal draws prove a constant: P(|f - E f| > sd/2) >= 9/(16 k) for kurtosis k (Paley, Zygmund)."""
    return tails.kurtosis is not None and ladder.draws >= 16 / 9 * tails.kurtosis * math.log(1 / alpha)


def variance_bound(means: Tensor, length: int, tails: Tails, alpha: float) -> Tensor | None:
    """An upper bound on the variance of one block mean, wrong with probability at most alpha."""
    found: list[Tensor | None] = []
    if tails.kurtosis is not None:
        # The mean of B draws has kurtosis 3 + (k - 3)/B, and (z - z')^2/2 a second moment (k + 3)/2 v^2.
        kurtosis = 3 + max(tails.kurtosis - 3, 0) / length
        found.append(_from_below(_half_squares(means), (kurtosis + 3) / 2, alpha / 4))
    if tails.relative is not None:
        same_sign = bool((means >= 0).all()) or bool((means <= 0).all())
        excess = (tails.relative - 1) / length
        mean = _from_below(means.abs(), 1 + excess, alpha / 4) if same_sign else None
        found.append(None if mean is None else excess * mean**2)
    if tails.bounds is not None:
        found += _bounded_variance(means, length, tails.bounds[1] - tails.bounds[0], alpha / 4)
    if tails.variance is not None:
        found.append(torch.full((means.shape[1],), tails.variance / length, dtype=means.dtype))
    if tails.squares is not None:
        found.append(_square_variance(means, tails.squares / length, alpha / 4))
    usable = [bound for bound in found if bound is not None]
    return torch.stack(usable).amin(dim=0) if usable else None


def _bounded_variance(means: Tensor, length: int, width: float, alpha: float) -> list[Tensor]:
    """Two bounds for a quantity that lies in an interval of this width.

    Per draw the variance is at most width^2/4. And y = (z - z')^2/2 over pairs of block means of
    length B has E y = v and E y^2 <= 3 v^2 + a v, a = width^2/(2 B^2), so by the same inequality
    k v - b sqrt(v) <= mean y, with k = 1 - sqrt(6 log(1/alpha)/m), b = sqrt(2 a log(1/alpha)/m).
    """
    found = [torch.full((means.shape[1],), width**2 / 4 / length, dtype=means.dtype)]
    halves = _half_squares(means)
    ratio = math.log(1 / alpha) / halves.shape[0]
    k, b = 1 - math.sqrt(6 * ratio), math.sqrt(2 * ratio * width**2 / (2 * length**2))
    if k > 0:
        found.append(((b + torch.sqrt(b * b + 4 * k * halves.mean(dim=0))) / (2 * k)) ** 2)
    return found


def _square_variance(means: Tensor, factor: float, alpha: float) -> Tensor | None:
    """c E z for z >= 0 with Var z <= c E z, where E z^2 <= c E z + (E z)^2 bounds E z from above:

    (E z - mean)^2 <= r (c E z + (E z)^2) with probability 1 - alpha, r = 2 log(1/alpha)/m.
    """
    ratio = 2 * math.log(1 / alpha) / means.shape[0]
    if ratio >= USEFUL:
        return None
    mean = means.mean(dim=0).clamp(min=0)
    linear = 2 * mean + ratio * factor
    return factor * (linear + torch.sqrt(linear**2 - 4 * (1 - ratio) * mean**2)) / (2 * (1 - ratio))


def _half_squares(means: Tensor) -> Tensor:
    """(z - z')^2 / 2 over neighbours."""
    pairs = means[: means.shape[0] // 2 * 2].reshape(-1, 2, means.shape[1])
    return (pairs[:, 0] - pairs[:, 1]) ** 2 / 2


def _from_below(values: Tensor, second_moment: float, alpha: float) -> Tensor | None:
    """E y <= mean / (1 - sqrt(2 C log(1/alpha) / m)) for y >= 0 with E y^2 <= C (E y)^2."""
    slack = math.sqrt(2 * second_moment * math.log(1 / alpha) / values.shape[0])
    return values.mean(dim=0) / (1 - slack) if slack < USEFUL else None


def catoni(means: Tensor, variance: Tensor, alpha: float) -> tuple[Tensor, Tensor]:
    """The means not rejected by Catoni's estimator at level alpha, given a bound on the variance."""
    count = means.shape[0]
    confidence = math.log(2 * (2 * GRID + 1) / alpha)
    tiny = torch.finfo(means.dtype).tiny
    best = torch.sqrt(2 * confidence / (count * variance.clamp(min=tiny)))
    slope = torch.exp2(torch.log2(best).round().clamp(-GRID, GRID))
    threshold = count * slope**2 * variance / 2 + confidence

    def influence(candidate: Tensor) -> Tensor:
        x = slope * (means - candidate)
        return (torch.sign(x) * torch.log1p(x.abs() + x * x / 2)).sum(dim=0)

    centre = means.mean(dim=0)
    reach = 4 * threshold / (count * slope) + means.std(dim=0)
    while bool(
        (influence(centre + reach) > -threshold).any() | (influence(centre - reach) < threshold).any()
    ):
        reach = 2 * reach
    low = _bisect(lambda m: influence(m) - threshold, centre - reach, centre + reach)[0]
    high = _bisect(lambda m: influence(m) + threshold, centre - reach, centre + reach)[1]
    return low, high


def _bisect(falling: Callable[[Tensor], Tensor], low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
    """Where a falling function changes sign, between these."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        positive = falling(middle) > 0
        low, high = torch.where(positive, middle, low), torch.where(positive, high, middle)
    return low, high
