"""Whether the worst case keeps growing beyond what was searched: with the sizes, or with the scale."""

import math
from dataclasses import dataclass
from itertools import pairwise

import torch

from verifier.refute.ascent.worst_points import SETTLED, TIGHT, Hunt, Worst
from verifier.refute.domain.matrix_families import LARGEST_EXPONENT, Scalar
from verifier.timer import worked

RISE = 1e-4
SLOW, LEAST = 1e-2, 1e-11  # of the share of the bound that is reached: far below it may grow all the same
LARGEST = 64
LARGEST_NEAR = 512  # where the worst case comes near the bound as the sizes grow
NEAR = -0.2
LARGEST_ALONE = 1024  # of a claim about sizes alone
FAR = 1e5
SLOWEST = 0.8  # of the rise before, at twice the size: 1 - n**(-1/4) comes to an end, log(log(n)) does not
LEFT = 0.02  # of the last gap
CERTAIN, ROUNDING, MOST_TERMS = 4, 1e-12, 6
GEOMETRIC, STEADY = 0.75, 0.01  # 1/sqrt(n) has 0.71
WORDS = "the bound comes closer as the sizes grow, beyond those searched"
FAR_LOGARITHMIC = LARGEST_EXPONENT / 2


@dataclass(frozen=True)
class Trend:
    """Where the excess leads as the sizes grow; `settled` if it had stopped growing."""

    settled: bool
    limit: float
    words: str = ""
    regular: bool = False  # each rise was the same fraction of the one before, so that the limit is one

    @property
    def may_cross(self) -> bool:
        return not self.settled and self.limit > -1e-3


def follow(hunt: Hunt, deadline: float) -> Trend:
    """Double the sizes of the worst cells as long as that makes them worse."""
    top = max(worst.best for worst in hunt.found)
    if not hunt.domain.dimensions:
        return Trend(True, top)
    trends = [_chain(hunt, worst, deadline) for worst in _leading(hunt)]
    unsettled = [found for found in trends if not found.settled]
    if unsettled:
        return max(unsettled, key=lambda found: found.limit)
    return Trend(True, max(top, *(found.limit for found in trends)))


def _leading(hunt: Hunt) -> list[Worst]:
    """The worst cell of all, that of sizes from 2 on, which decide how tight the bound is, and that of
    the largest sizes if these are worse than the ones before."""
    by_level: dict[int, Worst] = {}
    for worst in hunt.found:
        level = max(worst.sizes[name] for name in hunt.domain.dimensions)
        if level not in by_level or worst.best > by_level[level].best:
            by_level[level] = worst
    found = [max(hunt.found, key=lambda worst: worst.best)]
    large = [worst for worst in hunt.found if hunt.domain.counts_for_tightness(worst.sizes)]
    found += [max(large, key=lambda worst: worst.best)] if large else []
    *_, before, last = [None, None, *(by_level[level] for level in sorted(by_level))]
    if before is not None and last is not None and last.best > before.best:
        found.append(last)
    return list(dict.fromkeys(found))


def _rising(hunt: Hunt) -> bool:
    """The two largest levels are worse than all smaller ones."""
    by_level: dict[int, float] = {}
    for worst in hunt.found:
        level = max(worst.sizes[name] for name in hunt.domain.dimensions)
        by_level[level] = max(by_level.get(level, -math.inf), worst.best)
    levels = [by_level[level] for level in sorted(by_level)]
    if len(levels) < 3:
        return True
    return _rises(max(levels[:-2]), max(levels[-2:]))


def _climbs(hunt: Hunt) -> bool:
    """Every larger size that was searched well was worse than the one before."""
    by_level: dict[int, float] = {}
    for worst in hunt.found:
        level = max(worst.sizes[name] for name in hunt.domain.dimensions)
        if worst.settled:
            by_level[level] = max(by_level.get(level, -math.inf), worst.best)
    levels = [by_level[level] for level in sorted(by_level)]
    return len(levels) > 3 and all(_rises(before, after) for before, after in pairwise(levels[-4:]))


def _rises(before: float, after: float) -> bool:
    """Noticeably closer to the bound, or a tiny share of it that is larger now: n/10**6 doubles with n."""
    share = 1 + before
    grows = LEAST < share < 1 and 1 + after > (1 + SLOW) * share
    return after - before > RISE * (1 + abs(before)) or grows


def _chain(hunt: Hunt, worst: Worst, deadline: float) -> Trend:
    """The excess at sizes s, 2s, 4s, ..., and where that leads."""
    steps = [worst.best]
    while True:
        larger = _doubled(hunt, worst, deadline)
        if larger is None and len(steps) == 1:  # no time, or no larger sizes: what is known must do
            return Trend(not _rising(hunt), steps[0] if not _rising(hunt) else math.inf, WORDS)
        if larger is None and _approaches_zero(steps):
            return Trend(True, 0.0)
        if larger is None:
            return Trend(False, _extrapolated(steps), WORDS, _is_geometric(steps))
        steps.append(larger.best)
        if not _rises(steps[-2], steps[-1]):
            if not larger.settled and _climbs(hunt):
                return Trend(False, math.inf, WORDS)  # nobody knows how bad it is there
            return Trend(True, max(steps))
        worst = larger


def _doubled(hunt: Hunt, worst: Worst, deadline: float) -> Worst | None:
    """The worst of: every dimension doubled, each one alone doubled."""
    names = hunt.domain.dimensions
    chosen = [{name: 2 * worst.sizes[name] for name in names}]
    if len(names) > 1:
        chosen += [
            {name: worst.sizes[name] * (2 if name == grown else 1) for name in names} for grown in names
        ]
    found = []
    largest = LARGEST_NEAR if NEAR < worst.best < -SETTLED else LARGEST
    largest = largest if worst.objective.cell.width else LARGEST_ALONE
    beyond = any(max(sizes.values()) > largest for sizes in chosen)
    for sizes in chosen:
        left = deadline - worked()
        cell = hunt.domain.cell({**worst.sizes, **sizes}) if max(sizes.values()) <= largest else None
        if cell is not None and left > 0:
            found.append(hunt.at(cell, worked() + max(left / 3, 0.05)))
    known = [item for item in found if math.isfinite(item.best)]
    top = max(known, key=lambda item: item.best, default=None)
    flat = top is not None and not _rises(worst.best, top.best)
    if flat and (beyond or len(known) < len(found)):
        return None  # where there was no value, or nobody looked, it may have been worse
    return top


def _approaches_zero(steps: list[float]) -> bool:
    """Values of -a/s - b/s**2 - ... at s, 2s, 4s, 8s: within 1%, and nothing is left without those terms.

    If what is left lies, beyond its own uncertainty, on the other side of the bound, that is crossed."""
    if len(steps) < 4 or not -TIGHT <= steps[-1] <= 0:
        return False
    *_, second, third = _without_terms(steps[-4:])
    *_, before, limit = _without_terms(steps[-MOST_TERMS:])
    crosses = limit > max(CERTAIN * abs(limit - before), ROUNDING)
    return not crosses and all(abs(left) <= LEFT * abs(steps[-1]) for left in (second, third))


def _without_terms(steps: list[float]) -> list[float]:
    """The last value without its term in 1/s, then without that in 1/s**2, and so on (Richardson)."""
    found = []
    for order in range(1, len(steps)):
        steps = [(2**order * late - early) / (2**order - 1) for early, late in pairwise(steps)]
        found.append(steps[-1])
    return found


def _is_geometric(steps: list[float]) -> bool:
    """Rises that shrink like a power of the size: those of 1/log(n) shrink ever more slowly."""
    rises = [late - early for early, late in pairwise(steps)]
    if len(rises) < 3 or min(rises) <= 0:
        return False
    before, last = (late / early for early, late in pairwise(rises[-3:]))
    return last <= GEOMETRIC and last <= before + STEADY


def _extrapolated(steps: list[float]) -> float:
    """The limit if each rise is the same fraction of the one before; infinite if they do not shrink."""
    if len(steps) < 3:
        return math.inf
    first, second = steps[-2] - steps[-3], steps[-1] - steps[-2]
    fraction = second / first if first > 0 else 1.0
    return math.inf if fraction > SLOWEST else steps[-1] + second * fraction / (1 - fraction)


def still_climbing(worst: Worst) -> bool:
    """The worst point lies far out, and half as far out it was noticeably better: no end was seen."""
    cell, point = worst.objective.cell, worst.points[:1]
    start = 0
    for variable in cell.variables:
        block = slice(start, start + variable.count)
        start += variable.count
        family = variable.family
        limit = FAR_LOGARITHMIC if isinstance(family, Scalar) and family.is_logarithmic else FAR
        if float(point[:, block].abs().max()) < limit:
            continue
        nearer = point.clone()
        nearer[:, block] = (
            nearer[:, block].clamp(-2 * limit, 2 * limit) / 2 if limit < FAR else nearer[:, block] / 2
        )
        before = float(worst.objective.excess(nearer)[0])
        if _rises(before, worst.best) and not torch.isinf(worst.excess[0]):
            return True
    return False
