"""The exponent of a ratio over a geometric sweep, with an interval, and what that interval decides.

Between sizes s and 4s the exponent is log(ratio(4s)/ratio(s)) / log 4. A power has the same exponent
everywhere, up to corrections that die out; a logarithm, a crossover or an exponential does not, and shows
by it. Nothing is decided unless these exponents settle at one simple fraction.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

Kind = Literal["O", "Omega", "Theta"]
CLOSE = 0.2  # within this of the claimed exponent, what is not decided is inconclusive
STEADY = 0.05  # how far from a simple exponent those of the last steps may be
FAR = 0.15  # and those of the first ones
DYING = 0.75  # 1/sqrt(n) falls by 0.71 from step to step, the exponent of a logarithm by 0.8
OCTAVES = 2  # one step
FEWEST_STEPS, LAST = 3, 2
SIMPLE = sorted({Fraction(p, q) for q in (1, 2, 3, 4) for p in range(-8 * q, 8 * q + 1)})


@dataclass(frozen=True)
class Ratio:
    """left/right at one size: an interval, and whether tail bounds prove it."""

    size: int
    low: float
    high: float
    rigorous: bool


@dataclass(frozen=True)
class Slope:
    """low <= exponent <= high over one step of the sweep."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def words(self) -> str:
        return f"{self.middle:.2f} +- {self.half:.2f}"


def steps(ratios: list[Ratio]) -> list[Slope]:
    """The exponents between sizes that are two octaves apart."""
    found = []
    for near, far in zip(ratios, ratios[OCTAVES:], strict=False):
        run = math.log(far.size / near.size)
        found.append(Slope(math.log(far.low / near.high) / run, math.log(far.high / near.low) / run))
    return found


def hull(slopes: list[Slope]) -> Slope | None:
    """All exponents of the sweep; None of an empty one."""
    if not slopes:
        return None
    return Slope(min(slope.low for slope in slopes), max(slope.high for slope in slopes))


def simple_exponent(slopes: list[Slope]) -> Fraction | None:
    """The one simple fraction that the steps agree with; None where they are few, wide or drifting."""
    whole = hull(slopes[-LAST:])
    if whole is None or len(slopes) < FEWEST_STEPS:
        return None
    near = [value for value in SIMPLE if whole.low - STEADY < value < whole.high + STEADY]
    inside = [value for value in near if value - STEADY < whole.low and whole.high < value + STEADY]
    if len(near) != 1 or not inside or not _settles(slopes, near[0]):
        return None
    return near[0]


def _settles(slopes: list[Slope], exponent: Fraction) -> bool:
    """Whether what is left over dies out as corrections of a power do, by DYING or more from step to step:
    that of a logarithm lingers, that of a crossover grows."""
    for near, far in pairwise(slopes):
        before, after = (abs(slope.middle - float(exponent)) for slope in (near, far))
        noise = near.half + far.half
        if before > FAR + near.half or after > max(DYING * before, STEADY / 10) + noise:
            return False
    return True


def fits(kind: Kind, exponent: Slope) -> bool:
    """Whether the sweep is compatible with the claimed order, give or take."""
    above, below = exponent.low > CLOSE, exponent.high < -CLOSE
    return not {"O": above, "Omega": below, "Theta": above or below}[kind]


def is_true(kind: Kind, exponent: Fraction) -> bool:
    return {"O": exponent <= 0, "Omega": exponent >= 0, "Theta": exponent == 0}[kind]
