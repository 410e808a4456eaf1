"""How fast polynomials grow: P = O(R) and P = Omega(R), from their monomials.

Beyond a size K every growing symbol is K + u with u >= 0. Where the coefficients of P and R in the
u are then all >= 0, no terms cancel, and P <= C R iff every monomial of P is at most a constant times
those of R.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, gcd, lcm

import sympy as sp

from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span

Exponents = tuple[Fraction | int, ...]
SHARES = (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 16), Fraction(1, 256), Fraction(1, 65536))
STARTS = (0, 1, 2, 4, 8, 16, 64)
MOST_CORNERS = 20_000
LITTLE = Fraction(1, 1000)


@dataclass(frozen=True)
class Newton:
    """The monomials of a polynomial in the growing symbols, all with coefficients >= 0.

    `sure`: those whose coefficient is positive at every value of the other symbols."""

    monomials: frozenset[Exponents]
    sure: frozenset[Exponents]


def newton(expr: sp.Expr, growing: tuple[sp.Symbol, ...], spans: Mapping[str, Span]) -> Newton | None:
    """The polynomial's monomials once all growing symbols are large; None if signs stay unclear."""
    plain = _all_positive(expr, growing)
    if plain is not None:
        return plain
    for start in STARTS:
        moved = {symbol: sp.Dummy(symbol.name, nonnegative=True) for symbol in growing}
        shifted = sp.expand(expr.subs({s: start + u for s, u in moved.items()}, simultaneous=True))
        found = _monomials(shifted, tuple(moved.values()), spans)
        if found is not None:
            return found
    return None


def _all_positive(expr: sp.Expr, growing: tuple[sp.Symbol, ...]) -> Newton | None:
    """A polynomial in positive symbols with positive coefficients: what expectations of squares are."""
    others = sorted(expr.free_symbols - set(growing), key=sp.default_sort_key)
    names = (*growing, *others)
    if not names or not all(name.is_positive for name in names) or not expr.is_polynomial(*names):
        return None
    terms = sp.Poly(expr, *names).terms()
    if not all(value.is_positive for _, value in terms):
        return None
    found = frozenset(exponents[: len(growing)] for exponents, _ in terms)
    return Newton(found, found)


def _monomials(expr: sp.Expr, growing: tuple[sp.Symbol, ...], spans: Mapping[str, Span]) -> Newton | None:
    if not expr.is_polynomial(*growing):
        return None
    terms = sp.Poly(expr, *growing).terms()
    signs = {exponents: sign(coefficient, spans) for exponents, coefficient in terms}
    if any(s not in ("positive", "nonnegative", "zero") for s in signs.values()):
        return None
    kept = {e for e, s in signs.items() if s != "zero"}
    return Newton(frozenset(kept), frozenset(e for e in kept if signs[e] == "positive"))


def dominated(left: Iterable[Exponents], right: Iterable[Exponents]) -> bool:
    """sum u**m <= C sum u**r for all u >= 1, over the m of `left` and the r of `right`."""
    bounds = list(right)
    return all(excess(m, bounds) is None for m in left)


def vanishing(left: Iterable[Exponents], right: Iterable[Exponents], count: int | None = None) -> bool:
    """sum u**m = o(sum u**r) as all u grow: each m, with a little more of one u, is below a mean of the r.

    Those that grow are the first `count`."""
    bounds = list(right)

    def raised(monomial: Exponents) -> Iterator[Exponents]:
        for k in range(len(monomial) if count is None else count):
            yield tuple(e + LITTLE if j == k else e for j, e in enumerate(monomial))

    return all(any(excess(m, bounds) is None for m in raised(monomial)) for monomial in left)


def excess(monomial: Exponents, bounds: Sequence[Exponents]) -> tuple[Fraction, ...] | None:
    """Speeds w >= 0 with <m, w> > <r, w> for every r; None if there are none.

    u**m <= C sum u**r for all u >= 1 iff there are none (put u = t**w), and by linear programming iff m is
    at most a mean of the r in every exponent. max_w min_r <m - r, w> over the simplex is reached where
    all but one of its constraints (w_i >= 0, or two of the r tied) are active."""
    count = len(monomial)
    gaps = [tuple(Fraction(a) - b for a, b in zip(monomial, r, strict=True)) for r in bounds]
    if not gaps:
        return (Fraction(1),) * count
    if any(all(g <= 0 for g in gap) for gap in gaps):
        return None
    units = [tuple(Fraction(int(i == j)) for j in range(count)) for i in range(count)]
    ties = [tuple(a - b for a, b in zip(x, y, strict=True)) for x, y in combinations(gaps, 2)]
    known = [*units, *dict.fromkeys(ties)]
    if comb(len(known), count - 1) > MOST_CORNERS:
        raise Refused("fewer symbols and terms that grow together")
    for walls in combinations(known, count - 1):
        weights = meeting_ray(walls, count)
        if weights is not None and all(_dot(gap, weights) > 0 for gap in gaps):
            return weights
    return None


def meeting_ray(walls: Sequence[Sequence[Fraction]], count: int) -> tuple[Fraction, ...] | None:
    """The ray of w >= 0 on which all walls <c, w> = 0 meet, if they meet in one."""
    rows = [list(wall) for wall in walls]
    pivots: list[int] = []
    for column in range(count):
        at = next((k for k in range(len(pivots), len(rows)) if rows[k][column]), None)
        if at is None:
            continue
        rows[len(pivots)], rows[at] = rows[at], rows[len(pivots)]
        lead = rows[len(pivots)]
        for k, row in enumerate(rows):
            if k != len(pivots) and row[column]:
                share = row[column] / lead[column]
                rows[k] = [a - share * b for a, b in zip(row, lead, strict=True)]
        pivots.append(column)
    free = [column for column in range(count) if column not in pivots]
    if len(free) != 1:
        return None
    found = [Fraction(int(column == free[0])) for column in range(count)]
    for row, column in zip(rows, pivots, strict=False):
        found[column] = -row[free[0]] / row[column]
    return tuple(found) if all(value >= 0 for value in found) else None


def _dot(left: Iterable[Fraction], right: Iterable[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def escaping_path(left: Iterable[Exponents], right: Iterable[Exponents]) -> tuple[int, ...] | None:
    """Speeds w >= 1 such that along u = t**w the left outgrows the right; the same speed if that does."""
    over, under = list(left), list(right)
    for monomial in over:
        found = excess(monomial, under)
        if found is None:
            continue
        gaps = [tuple(Fraction(a) - b for a, b in zip(monomial, r, strict=True)) for r in under]
        even = (Fraction(1),) * len(found)
        for share in SHARES:
            mixed = tuple((1 - share) * w + share * e for w, e in zip(found, even, strict=True))
            if all(w > 0 for w in mixed) and all(_dot(gap, mixed) > 0 for gap in gaps):
                scale = lcm(*(w.denominator for w in mixed))
                whole = [int(w * scale) for w in mixed]
                return tuple(w // gcd(*whole) for w in whole)
    return None


def leading(monomials: Iterable[Exponents]) -> list[Exponents]:
    """The monomials that no other one dominates, largest first."""
    known = sorted(set(monomials), reverse=True)
    return [m for m in known if not any(m != r and dominated([m], [r]) for r in known)]
