"""Which monomials the squares may be made of.

If p is a sum of squares of polynomials q, every exponent of q lies in half the Newton polytope of p. A
monomial whose square can neither be in p nor be cancelled is in no q. Where p does not change when some
variables change sign, no square needs to mix monomials that change differently.
"""

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from verifier.prove.ranges.sos.rational import Exponents

MAX_CANDIDATES = 4000
DIRECTIONS = 400


def half_polytope(support: Sequence[Exponents]) -> list[Exponents] | None:
    """The exponents e with 2e in the Newton polytope of the support, up to a few more; None if too many."""
    points = np.array(support)
    low, high = points.min(axis=0), points.max(axis=0)
    ranges = [range(-(-int(a) // 2), int(b) // 2 + 1) for a, b in zip(low, high, strict=True)]
    if np.prod([max(len(r), 1) for r in ranges], dtype=float) > MAX_CANDIDATES:
        return None
    candidates = np.array(list(product(*ranges)), dtype=int).reshape(-1, points.shape[1])
    for direction in _directions(points.shape[1]):
        candidates = candidates[2 * (candidates @ direction) <= (points @ direction).max()]
    return _consistent([tuple(int(x) for x in row) for row in candidates], set(support))


def _directions(count: int) -> np.ndarray:
    """The sides of boxes and simplices, and random ones."""
    drawn = np.random.default_rng(0).integers(-3, 4, size=(DIRECTIONS, count))
    ones = np.ones((1, count), dtype=int)
    return np.concatenate([ones, -ones, drawn])


def _consistent(candidates: list[Exponents], support: set[Exponents]) -> list[Exponents]:
    """Without monomials whose square nothing else makes and p does not have: their pivot would be 0."""
    while True:
        kept = set(candidates)
        mixed = {_sum(a, b) for a in candidates for b in candidates if a < b}
        left = [e for e in candidates if _double(e) in support or _double(e) in mixed]
        if len(left) == len(kept):
            return sorted(left, key=lambda e: (sum(e), e))
        candidates = left


def up_to(degree: int, count: int) -> list[Exponents]:
    """All monomials of at most this degree."""
    found = (e for e in product(range(degree + 1), repeat=count) if sum(e) <= degree)
    return sorted(found, key=lambda e: (sum(e), e))


def by_parity(basis: Iterable[Exponents], supports: Iterable[Exponents]) -> list[list[Exponents]]:
    """Groups of monomials that change alike under every change of signs that the supports allow."""
    span = _echelon([tuple(x % 2 for x in exponents) for exponents in supports])
    groups: dict[Exponents, list[Exponents]] = {}
    for exponents in basis:
        groups.setdefault(_residue(tuple(x % 2 for x in exponents), span), []).append(exponents)
    return list(groups.values())


def _echelon(rows: Iterable[Exponents]) -> list[tuple[int, Exponents]]:
    """Independent rows modulo 2, each with the place of its first 1."""
    found: list[tuple[int, Exponents]] = []
    for row in dict.fromkeys(rows):
        left = _residue(row, found)
        if any(left):
            found.append((left.index(1), left))
    return found


def _residue(row: Exponents, span: list[tuple[int, Exponents]]) -> Exponents:
    for place, other in span:
        if row[place]:
            row = tuple((x + y) % 2 for x, y in zip(row, other, strict=True))
    return row


def _sum(left: Exponents, right: Exponents) -> Exponents:
    return tuple(x + y for x, y in zip(left, right, strict=True))


def _double(exponents: Exponents) -> Exponents:
    return tuple(2 * x for x in exponents)
