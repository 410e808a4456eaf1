"""How fast polynomials grow: P = O(R) and P = Omega(R), from their monomials.

Beyond a size K every growing symbol is K + u with u >= 0. Where the coefficients of P and R in the
u are then all >= 0, no terms cancel, and P <= C R iff every monomial of P is at most a constant times
those of R.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product

import sympy as sp

from verifier.symbolic.scalar.domain import Span
from verifier.symbolic.scalar.signs import sign

Exponents = tuple[sp.Rational, ...]
STARTS = (0, 1, 2, 4, 8, 16, 64)


@dataclass(frozen=True)
class Newton:
    """The monomials of a polynomial in the growing symbols, all with coefficients >= 0.

    `sure`: those whose coefficient is positive at every value of the other symbols."""

    monomials: frozenset[Exponents]
    sure: frozenset[Exponents]


def newton(expr: sp.Expr, growing: tuple[sp.Symbol, ...], spans: Mapping[str, Span]) -> Newton | None:
    """The polynomial's monomials once all growing symbols are large; None if signs stay unclear."""
    for start in STARTS:
        moved = {symbol: sp.Dummy(symbol.name, nonnegative=True) for symbol in growing}
        shifted = sp.expand(expr.subs({s: start + u for s, u in moved.items()}, simultaneous=True))
        found = _monomials(shifted, tuple(moved.values()), spans)
        if found is not None:
            return found
    return None


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
    """u**m <= C sum u**r as all u -> oo: m is at most some r, or a mean of two of them, in every exponent.

    (u**r + u**s >= u**(t r + (1-t) s) for 0 <= t <= 1, the inequality of the means.)"""
    bounds = list(right)
    means = [
        tuple(t * a + (1 - t) * b for a, b in zip(r, s, strict=True))
        for r, s in combinations(bounds, 2)
        for t in (
            sp.Rational(1, 2),
            sp.Rational(1, 3),
            sp.Rational(2, 3),
            sp.Rational(1, 4),
            sp.Rational(3, 4),
        )
    ]
    return all(any(all(a <= b for a, b in zip(m, r, strict=True)) for r in bounds + means) for m in left)


def escaping_path(left: Iterable[Exponents], right: Iterable[Exponents]) -> tuple[int, ...] | None:
    """Speeds w >= 1 such that along u = t**w the left outgrows the right."""
    over, under = list(left), list(right)
    if not over:
        return None
    for weights in _speeds(len(over[0])):
        if max(_degree(m, weights) for m in over) > max((_degree(r, weights) for r in under), default=-1):
            return weights
    return None


def _degree(exponents: Exponents, weights: tuple[int, ...]) -> sp.Rational:
    return sum((e * w for e, w in zip(exponents, weights, strict=True)), sp.Integer(0))


def _speeds(count: int) -> Iterator[tuple[int, ...]]:
    """The same speed first, then unequal ones."""
    found = sorted(product((1, 2, 5), repeat=count), key=lambda w: (max(w), sum(w)))
    yield from found


def leading(monomials: Iterable[Exponents]) -> list[Exponents]:
    """The monomials that no other one dominates, largest first."""
    known = sorted(set(monomials), reverse=True)
    return [m for m in known if not any(m != r and dominated([m], [r]) for r in known)]
