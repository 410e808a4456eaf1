"""Ways in which sizes and scalars may grow or shrink, each from a point where all of them are small or 1.

A gap that closes nowhere near may close far out: as one size grows and the others stay, or as a scale tends
to 0 or to infinity.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.refute.domain.family import Family
from verifier.refute.domain.matrix_families import Scalar

NEAREST = 2
SIZES = (NEAREST, 8, 32, 128)  # after no, one, two and three steps
DECADES = 1.5  # of a scalar, a step


@dataclass(frozen=True)
class Way:
    """Which sizes grow, and which scalars grow (1) or shrink (-1); all else stays where it is."""

    sizes: frozenset[str] = frozenset()
    scalars: frozenset[tuple[str, int]] = frozenset()

    def size(self, name: str, step: int) -> int:
        return SIZES[step] if name in self.sizes else NEAREST

    def place(self, name: str, family: Family, step: int) -> float:
        """The free number that stands for a scalar after some steps."""
        towards = dict(self.scalars).get(name, 0)
        if not isinstance(family, Scalar) or family.is_logarithmic:
            return towards * step * DECADES * math.log(10)
        low = max(family.low, 0.0) if family.positive else family.low
        if math.isfinite(low) and math.isfinite(family.high):  # low + (high - low) sin(x)**2
            return (1 + towards * min(step / 2, 1)) * math.pi / 4
        far = 10 ** (DECADES * step)
        if math.isfinite(low) or math.isfinite(family.high):  # low + x**2, high - x**2
            return math.sqrt(far) ** towards
        return 1.0 if towards == 0 else towards * far


def ways(sizes: Sequence[str], scalars: Sequence[str]) -> Iterator[Way]:
    """All sizes, single ones, all but one; each with scalars at rest, all of them far out, or single ones."""
    everything = frozenset(sizes)
    grown = dict.fromkeys([everything, *(frozenset({x}) for x in sizes), *(everything - {x} for x in sizes)])
    patterns: list[dict[str, int]] = (
        [dict.fromkeys(scalars, towards) for towards in (1, -1)] if scalars else []
    )
    if len(scalars) > 1:
        patterns += [{name: towards} for name in scalars for towards in (1, -1)]
    for chosen in grown:
        if chosen:
            yield Way(chosen)
    for pattern in patterns:
        for chosen in dict.fromkeys([frozenset[str](), everything]):
            yield Way(chosen, frozenset(pattern.items()))
