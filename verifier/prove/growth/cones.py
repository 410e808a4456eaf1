"""Growing symbols under assumed inequalities between monomials, as a cone of exponents.

With u = t**y, an assumption v**2 <= C u says 2 y_v <= y_u: the y that are allowed form a cone. Every y is a
sum of its extreme rays, y = s_1 r_1 + s_2 r_2 + ... with s_j >= 0; so u is a monomial in new symbols
w_j = t**s_j, which are at least 1 and else free.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import gcd, lcm

from verifier.prove.growth.polynomial_orders import SHARES, Exponents, excess, meeting_ray
from verifier.prove.scalars.scalar_refusal import Refused

Vector = tuple[Fraction, ...]
MOST_WALLS = 12


@dataclass(frozen=True)
class Cone:
    """The extreme rays; each names the speed of every symbol."""

    rays: tuple[Vector, ...]

    def exponents(self, monomial: Exponents) -> Vector:
        """The monomial in the new symbols."""
        return tuple(_dot(monomial, ray) for ray in self.rays)

    def must_grow(self, falling: Sequence[bool]) -> bool:
        """Whether one of these new symbols grows whenever all symbols do: some symbol moves with no other."""
        count = len(self.rays[0]) if self.rays else 0
        return any(
            all(falls for ray, falls in zip(self.rays, falling, strict=True) if ray[k]) for k in range(count)
        )

    def escape(
        self, over: Iterable[Exponents], under: Iterable[Exponents], count: int
    ) -> tuple[int, ...] | None:
        """Speeds inside the cone along which a monomial of `over` outgrows all of `under`."""
        bounds = [self.exponents(r) for r in under]
        for monomial in map(self.exponents, over):
            weights = excess(monomial, bounds)
            if weights is None:
                continue
            gaps = [tuple(a - b for a, b in zip(monomial, r, strict=True)) for r in bounds]
            even = (Fraction(1),) * len(weights)
            for share in SHARES:  # well inside the cone, where constants do not matter
                mixed = tuple((1 - share) * w + share * e for w, e in zip(weights, even, strict=True))
                speeds = [_dot(mixed, column) for column in zip(*self.rays, strict=True)][:count]
                if all(s > 0 for s in speeds) and all(_dot(gap, mixed) > 0 for gap in gaps):
                    scale = lcm(*(s.denominator for s in speeds))
                    whole = [int(s * scale) for s in speeds]
                    return tuple(w // gcd(*whole) for w in whole)
        return None


@cache
def cone(walls: tuple[Vector, ...], count: int) -> Cone:
    """The y >= 0 with <wall, y> >= 0 for all walls. A ray is where all but one of the constraints meet."""
    units = [tuple(Fraction(int(i == j)) for j in range(count)) for i in range(count)]
    known = [wall for wall in dict.fromkeys(walls) if any(e < 0 for e in wall)][:MOST_WALLS]
    if not known:
        return Cone(tuple(units))
    found: dict[Vector, None] = {}
    for active in combinations([*units, *known], count - 1):
        ray = meeting_ray(active, count)
        if ray is not None and all(_dot(wall, ray) >= 0 for wall in known):
            found[tuple(e / sum(ray) for e in ray)] = None
    if not all(any(ray[k] for ray in found) for k in range(count)):
        raise Refused("growth of what an assumption keeps small")
    return Cone(tuple(found))


def _dot(left: Iterable[Fraction | int], right: Iterable[Fraction | int]) -> Fraction:
    return sum((Fraction(a) * b for a, b in zip(left, right, strict=True)), Fraction(0))
