"""Growth by sampling: the slope of log(left / right) against log(size), over a geometric sweep.

A slope over finitely many sizes is no proof of a limit, so this witness never decides: it says which
exponent the draws show, with an interval that holds wherever the intervals of the single sizes do.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from verifier.claim.model import Claim
from verifier.evidence import Budget, Finding, Sample
from verifier.expr import nodes as N
from verifier.numeric.expected import estimates
from verifier.numeric.points import points
from verifier.numeric.refuse import RefusedError, UndefinedError
from verifier.numeric.settings import Settings

SIZES = (2, 4, 8, 16, 32)
CLOSE = 0.2


@dataclass(frozen=True)
class Slope:
    """low <= exponent of the ratio <= high over the sizes that were sampled."""

    low: float
    high: float
    rigorous: bool

    @property
    def words(self) -> str:
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        return f"{middle:.2f} +- {half:.2f}"


def compare(claim: Claim, fact: N.Relation, budget: Budget, settings: Settings) -> Finding:
    """What exponent of left / right the draws show as the growing symbols grow together."""
    assert isinstance(fact.right, N.Growth)
    if not claim.growing:
        raise RefusedError("growth over all values at once, for sampling")
    samples = _sweep(claim, N.Relation("==", fact.left, fact.right.body), budget, settings)
    slope = slope_of(samples)
    if slope is None:
        raise RefusedError("a sample of both sides at several sizes")
    sizes = f"{SIZES[0]} to {SIZES[len(samples) - 1]}"
    near = "close to the claimed order" if _fits(fact.right.kind, slope) else "not the claimed order"
    proven = "proven tail bounds" if slope.rigorous else "approximate tails"
    reason = f"over sizes {sizes} the ratio grows with the exponent {slope.words} ({proven}): {near}"
    missing = "a leading order for all sizes: a sweep shows finitely many"
    return Finding("numeric", "unknown", reason=reason, missing=missing, samples=tuple(samples))


def _sweep(claim: Claim, fact: N.Relation, budget: Budget, settings: Settings) -> list[Sample]:
    """One estimate at each size, all growing symbols equal to it."""
    share = replace(budget, seconds=budget.seconds / len(SIZES))
    found: list[Sample] = []
    for size in SIZES:
        there = replace(claim, sweep={s.name: (Fraction(size),) for s in claim.growing}, growing=())
        for point in points(there, fact, 1, budget.seed):
            try:
                here = estimates(there, fact, point, share, settings)
            except (RefusedError, UndefinedError):
                return found
            if not here or here[0].low <= 0 or not here[0].claimed or here[0].claimed <= 0:
                return found
            found.append(here[0])
    return found


def slope_of(samples: list[Sample]) -> Slope | None:
    """The hull of the slopes between pairs of sizes at least a factor 4 apart."""
    if len(samples) < 3:
        return None
    lows, highs = [], []
    for (i, near), (j, far) in combinations(enumerate(samples), 2):
        if j - i < 2 or i == 0:
            continue
        run = (j - i) * math.log(2)
        assert near.claimed is not None
        assert far.claimed is not None
        right = math.log(far.claimed / near.claimed)
        lows.append((math.log(far.low / near.high) - right) / run)
        highs.append((math.log(far.high / near.low) - right) / run)
    if not lows:
        return None
    return Slope(min(lows), max(highs), all(sample.rigorous for sample in samples))


def _fits(kind: str, slope: Slope) -> bool:
    above, below = slope.low > CLOSE, slope.high < -CLOSE
    return not {"O": above, "Omega": below, "Theta": above or below}[kind]
