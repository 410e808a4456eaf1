"""Signs over a whole domain, read off the coefficients after moving every bound to zero.

n >= 1 becomes n = 1 + u with u >= 0; 0 <= x <= 1 becomes x = u/(1 + u). A polynomial whose
coefficients are then all >= 0 is >= 0; with a positive constant term it is > 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import sympy as sp

from verifier.symbolic.scalar.domain import Span, symbol

Sign = Literal["positive", "nonnegative", "zero", "negative", "nonpositive"]
MAX_TERMS = 5000


@dataclass(frozen=True)
class Shifted:
    """An expression in variables that start at zero; `opened` ones never reach it. `ends` are the
    high ends that u/(1 + u) only tends to."""

    expr: sp.Expr
    opened: frozenset[sp.Symbol]
    ends: tuple[tuple[sp.Symbol, sp.Rational], ...]


def shift(expr: sp.Expr, spans: Mapping[str, Span]) -> Shifted:
    """Each bounded symbol written by a variable that starts at 0."""
    known = {symbol(name, span): span for name, span in spans.items()}
    values: dict[sp.Symbol, sp.Expr] = {}
    opened, ends = set(), []
    for free in sorted(expr.free_symbols, key=sp.default_sort_key):
        span = known.get(free, Span(low=0 if free.is_nonnegative else None))  # type: ignore[arg-type]
        if span.low is None and span.high is None:
            continue
        start = sp.Dummy(f"{free.name}_0", nonnegative=True)
        if span.low is not None and span.high is not None:
            low, high = _number(span.low), _number(span.high)
            values[free] = (low + high * start) / (1 + start)
            if span.open_low:
                opened.add(start)
            if not span.open_high:
                ends.append((free, high))
        elif span.low is not None:
            values[free] = _number(span.low) + start
            if span.open_low:
                opened.add(start)
        else:
            assert span.high is not None
            values[free] = _number(span.high) - start
            if span.open_high:
                opened.add(start)
    moved = expr.subs(values, simultaneous=True)
    return Shifted(moved, frozenset(opened), tuple(ends))


def _number(value: object) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)  # type: ignore[attr-defined]


def sign(expr: sp.Expr, spans: Mapping[str, Span]) -> Sign | None:
    """The sign that the expression has everywhere, if its coefficients show it."""
    if expr == 0:
        return "zero"
    above, below = sp.fraction(sp.together(expr))
    signs = [_sign_of_product(part, spans) for part in (above, below)]
    if signs[0] is None or signs[1] is None:
        return None
    return _times(signs[0], "positive" if signs[1] in ("positive", "nonnegative") else "negative")


def _sign_of_product(expr: sp.Expr, spans: Mapping[str, Span]) -> Sign | None:
    """Factor by factor; an even power is never negative."""
    total: Sign = "positive"
    for base, exponent in sp.factor(expr).as_powers_dict().items():
        known = _sign_of_sum(base, spans)
        if exponent.is_Rational and exponent.q % 2 == 0:  # a root is >= 0 wherever it is defined
            known = "positive" if known == "positive" else "nonnegative"
        elif known is None and exponent.is_even:
            known = "nonnegative"
        elif known in ("negative", "nonpositive") and exponent.is_even:
            known = "positive" if known == "negative" else "nonnegative"
        elif known in ("negative", "nonpositive") and not exponent.is_odd:
            known = None
        if known is None:
            return None
        total = _times(total, known)
    return total


def _times(left: Sign, right: Sign) -> Sign:
    if "zero" in (left, right):
        return "zero"
    minus = (left in ("negative", "nonpositive")) != (right in ("negative", "nonpositive"))
    strict = all(side in ("positive", "negative") for side in (left, right))
    names: dict[tuple[bool, bool], Sign] = {
        (False, True): "positive",
        (False, False): "nonnegative",
        (True, True): "negative",
        (True, False): "nonpositive",
    }
    return names[minus, strict]


def _sign_of_sum(expr: sp.Expr, spans: Mapping[str, Span]) -> Sign | None:
    if expr.is_positive:
        return "positive"
    if expr.is_negative:
        return "negative"
    if not expr.free_symbols:
        return _sign_of_number(expr)
    monotone = _difference_of(expr)
    if monotone is not None:
        return sign(monotone, spans)
    moved = shift(expr, spans)
    above, below = sp.fraction(sp.together(moved.expr))  # denominators are powers of 1 + u: positive
    if not below.is_positive and below != 1:
        return None
    for direction, strict, weak in ((1, "positive", "nonnegative"), (-1, "negative", "nonpositive")):
        found = _coefficients(direction * sp.expand(above), moved)
        if found is not None:
            reached = all(sign(expr.subs(free, end), spans) == strict for free, end in moved.ends)
            return strict if found and reached else weak  # type: ignore[return-value]
    return "nonnegative" if expr.is_nonnegative else "nonpositive" if expr.is_nonpositive else None


def _difference_of(expr: sp.Expr) -> sp.Expr | None:
    """u - v for c*(f(u) - f(v)), c > 0 and f increasing: it has the same sign. log 1 = 0, exp 0 = 1."""
    if isinstance(expr, sp.log):
        return expr.args[0] - 1
    terms = sp.Add.make_args(expr)
    if len(terms) != 2:
        return None
    parts = [term.as_coeff_Mul() for term in terms]
    parts = [(c, sp.exp(0, evaluate=False)) if f == 1 else (c, f) for c, f in parts]
    (a, f), (b, g) = sorted(parts, key=lambda part: part[0], reverse=True)
    if a + b != 0 or f.func is not g.func or f.func not in (sp.log, sp.exp, sp.tanh, sp.erf):
        return None
    return f.args[0] - g.args[0]


def _sign_of_number(expr: sp.Expr) -> Sign | None:
    if expr.is_zero:
        return "zero"
    return "positive" if expr.is_positive else "negative" if expr.is_negative else None


def _coefficients(expr: sp.Expr, moved: Shifted) -> bool | None:
    """None: some term may be negative. True: besides, one term is positive everywhere."""
    terms = sp.Add.make_args(expr)
    if len(terms) > MAX_TERMS:
        return None
    some = False
    for term in terms:
        if not term.is_nonnegative:
            return None
        positive = {v: sp.Dummy(positive=True) for v in moved.opened}
        some = some or bool(term.subs(positive).is_positive)
    return some
