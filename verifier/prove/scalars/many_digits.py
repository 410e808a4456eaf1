"""Expressions as numbers of many digits, at values of the parameters that are not special."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import mpmath
import sympy as sp

from verifier.prove.scalars.symbol_ranges import Span, symbol

DIGITS = 60
COUNTS = (20, 50, 120, 270)  # terms of a sum that is added up
STEPS = (3, 6, 12, 24)  # exponentials of squares are out of reach beyond
PARAMETERS = (
    Fraction(1, 3),
    Fraction(3, 7),
    Fraction(5, 3),
    Fraction(-2, 5),
    Fraction(7, 2),
    Fraction(-4, 3),
)


def parameter_points(
    symbols: set[sp.Basic], spans: Mapping[str, Span], count: int
) -> list[dict[sp.Symbol, sp.Rational]]:
    """A few generic values of the parameters, inside their spans; atoms are any real."""
    known = {symbol(name, span): span for name, span in spans.items()}
    found = []
    for shift in range(count):
        at = {}
        for k, free in enumerate(sorted(symbols, key=sp.default_sort_key)):
            value = generic(
                known.get(free, Span(low=Fraction(0) if free.is_nonnegative else None)), k + shift
            )
            at[free] = sp.Rational(value.numerator, value.denominator)
        found.append(at)
    return found


def generic(span: Span, k: int) -> Fraction:
    """The k-th value of a span, none of them special."""
    if span.integer:
        low = span.low if span.low is not None else Fraction(1)
        value = low + 1 + (3 * k) % 5
        return value if span.holds(value) else low
    raw = PARAMETERS[k % len(PARAMETERS)] + Fraction(k // len(PARAMETERS), 11)
    if span.low is not None and span.high is not None:
        share = Fraction(1 + (2 * k) % 7, 9)
        return span.low + (span.high - span.low) * share
    if span.low is not None:
        return span.low + abs(raw)
    if span.high is not None:
        return span.high - abs(raw)
    return raw


def evaluate(expr: sp.Expr, at: Mapping[sp.Symbol, sp.Expr] | None = None) -> mpmath.mpf | None:
    """A number in 60 digits, or None where it is not real or cannot be computed.

    Values enter as floats of many digits: an exact (1 + 1/10**12)**(10**12) would never end. Small whole
    numbers stay exact: there is no double factorial of a float."""
    floats = {name: v if _is_small(v) else sp.N(v, 3 * DIGITS) for name, v in (at or {}).items()}
    try:
        value = sp.N(expr.xreplace(floats), DIGITS, maxn=2000)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError, NotImplementedError):
        return None
    if not value.is_Float and not value.is_Rational:
        return None
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(value._mpf_) if value.is_Float else mpmath.mpf(int(value.p)) / int(value.q)


def _is_small(value: sp.Expr) -> bool:
    return bool(value.is_Integer and abs(value) <= 100)


def added_up(body: sp.Expr, at: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """With sums over a few whole numbers added up, term by term: exact terms would be sorted for long."""

    def number(function: sp.Expr, *ranges: sp.Tuple) -> sp.Expr:
        index, low, high = (part.xreplace(dict(at)) for part in ranges[0])
        if len(ranges) > 1 or not (low.is_Integer and high.is_Integer) or high - low > max(COUNTS):
            return sp.Sum(function, *ranges)
        summand = function.xreplace(dict(at))
        terms = [_term(summand, index, k) for k in range(int(low), int(high) + 1)]
        return sp.nan if None in terms else sp.Float(mpmath.fsum(terms), DIGITS)

    return body.replace(sp.Sum, number) if body.has(sp.Sum) else body


@lru_cache(maxsize=4 * max(COUNTS))
def _term(function: sp.Expr, index: sp.Symbol, k: int) -> mpmath.mpf | None:
    return evaluate(function, {index: sp.Integer(k)})


def is_nonzero_somewhere(expr: sp.Expr) -> bool:
    """Whether the expression clearly differs from 0 at a generic point: then it is no identity."""
    if expr.has(sp.Sum, sp.Product, sp.Piecewise):
        return False
    for shift in range(2):
        at = {}
        for k, free in enumerate(sorted(expr.free_symbols, key=sp.default_sort_key)):
            low = Fraction(0) if free.is_nonnegative else None
            value = generic(Span(integer=bool(free.is_integer), low=low), k + shift)
            at[free] = sp.Rational(value.numerator, value.denominator)
        number = evaluate(expr, at)
        if number is not None:
            return bool(abs(number) > mpmath.mpf(10) ** (-DIGITS // 2))
    return False
