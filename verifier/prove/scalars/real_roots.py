"""The sign of a rational function of one variable, exactly, from its real roots."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

import sympy as sp

from verifier.prove.scalars.coefficient_signs import Sign
from verifier.prove.scalars.symbol_ranges import Span, symbol

MAX_DEGREE = 40
MAX_INTEGERS = 2000


def sign_on_line(expr: sp.Expr, spans: Mapping[str, Span]) -> Sign | None:
    """The sign over the whole span of its one variable; points where it is undefined are left out."""
    return _name(set(signs_on_line(expr, spans).values()))


def signs_on_line(expr: sp.Expr, spans: Mapping[str, Span]) -> dict[sp.Expr, int]:
    """Points that meet every sign the expression takes: one in each piece between its real roots, and
    the roots themselves. Empty if it is not a rational function with rational coefficients."""
    (variable,) = expr.free_symbols
    span = {symbol(name, item): item for name, item in spans.items()}.get(variable)
    above, below = sp.fraction(sp.cancel(sp.together(expr)))
    if span is None or not all(part.is_polynomial(variable) for part in (above, below)):
        return {}
    polys = [sp.Poly(part, variable) for part in (above, below)]
    if any(p.degree() > MAX_DEGREE or not all(c.is_Rational for c in p.coeffs()) for p in polys):
        return {}
    roots = sorted({r for p in polys for r in p.real_roots()})
    points = _integers(roots, span) if span.integer else _between(roots, span)
    found = {}
    for point in points or []:
        bottom = polys[1].eval(point)
        if bottom != 0:
            found[point] = int(sp.sign(polys[0].eval(point) * bottom))
    for root in [] if span.integer else polys[0].real_roots():
        if is_inside(root, span) and polys[1].eval(root) != 0:
            found[root] = 0
    return found


def _name(found: set[int]) -> Sign | None:
    names: dict[frozenset[int], Sign] = {
        frozenset({1}): "positive",
        frozenset({0, 1}): "nonnegative",
        frozenset({0}): "zero",
        frozenset({-1}): "negative",
        frozenset({-1, 0}): "nonpositive",
    }
    return names.get(frozenset(found))


def is_inside(root: sp.Expr, span: Span) -> bool:
    low = span.low is None or root > _number(span.low) or (root == _number(span.low) and not span.open_low)
    high = (
        span.high is None or root < _number(span.high) or (root == _number(span.high) and not span.open_high)
    )
    return bool(low and high)


def _number(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def _between(roots: list[sp.Expr], span: Span) -> list[sp.Rational]:
    """A rational point in each piece that the roots cut the span into, and its closed ends."""
    fences = [r for r in roots if is_inside(r, span)]
    low = _number(span.low) if span.low is not None else None
    high = _number(span.high) if span.high is not None else None
    ends = [
        e for e, is_open in ((low, span.open_low), (high, span.open_high)) if e is not None and not is_open
    ]
    marks = sorted({*fences, *(e for e in (low, high) if e is not None)})
    if not marks:
        return [sp.Integer(0)]
    points = [_rational_between(a, b) for a, b in pairwise(marks)]
    if low is None:
        points.append(sp.floor(marks[0]) - 1)
    if high is None:
        points.append(sp.ceiling(marks[-1]) + 1)
    return [*ends, *points]


def _rational_between(low: sp.Expr, high: sp.Expr) -> sp.Rational:
    digits = 4
    while True:
        middle = sp.Rational(str(sp.N((low + high) / 2, digits)))
        if low < middle < high:
            return middle
        digits *= 2


def _integers(roots: list[sp.Expr], span: Span) -> list[sp.Integer] | None:
    """Every integer up to beyond the last root: after it the sign stays."""
    last = max([sp.ceiling(r) for r in roots], default=sp.Integer(0)) + 1
    if span.low is None:
        return None
    top = last if span.high is None else min(last, sp.floor(_number(span.high)))
    first = sp.ceiling(_number(span.low))
    if top - first > MAX_INTEGERS:
        return None
    return [sp.Integer(k) for k in range(int(first), max(int(top), int(first)) + 1)]
