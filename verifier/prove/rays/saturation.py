"""Rational functions s of y = exp(t) that tend to one size at both ends, y = 0 and y = oo.

With |s| -> level at both ends, s**2 <= level**2 and level**2 - s**2 <= level**2 K/(y + 1/y) for y > 0 are
inequalities between polynomials, decided by their real roots; and 1/(y + 1/y) <= exp(-|t|).
"""

from dataclasses import dataclass

import sympy as sp

_CONSTANTS = tuple(2**k for k in range(13))


@dataclass(frozen=True)
class Saturation:
    """(s/level)**2 <= 1 and 1 - (s/level)**2 <= constant * exp(-|t|), for every t."""

    level: sp.Rational
    constant: int


def saturation(top: sp.Poly, bottom: sp.Poly) -> Saturation | None:
    """The bounds for top/bottom; None where it does not saturate, or is not shown to."""
    y = sp.Poly(top.gen, top.gen)
    if top.degree() != bottom.degree() or top.eval(0) == 0 or bottom.eval(0) == 0:
        return None
    level = abs(top.LC() / bottom.LC())
    if abs(top.eval(0) / bottom.eval(0)) != level or not level.is_Rational:
        return None
    whole = bottom**2 * level**2
    loss = whole - top**2
    if not has_no_root(bottom) or loss.is_zero or not never_negative(loss):
        return None
    for constant in _CONSTANTS:
        if never_negative(whole * y * constant - loss * (y**2 + 1)):
            return Saturation(level, constant)
    return None


def has_no_root(poly: sp.Poly) -> bool:
    """poly(y) is not 0 for any y > 0."""
    parts = [part for part, _ in poly.factor_list()[1] if part.eval(0) != 0]
    return not poly.is_zero and all(part.count_roots(0, None) == 0 for part in parts)


def never_negative(poly: sp.Poly) -> bool:
    """poly(y) >= 0 for every y > 0: it ends above 0, and no root of odd order is positive."""
    if poly.is_zero or all(c >= 0 for c in poly.all_coeffs()):
        return True
    if poly.LC() < 0:
        return False
    odd = [part for part, order in poly.factor_list()[1] if order % 2 and part.eval(0) != 0]
    return all(part.count_roots(0, None) == 0 for part in odd)
