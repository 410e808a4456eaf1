"""Signs over a whole domain, read off the coefficients after moving every bound to zero.

n >= 1 becomes n = 1 + u with u >= 0; 0 <= x <= 1 becomes x = u/(1 + u). A polynomial whose
coefficients are then all >= 0 is >= 0; with a positive constant term it is > 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import sympy as sp

from verifier.prove.scalars.symbol_ranges import Span, symbol

Sign = Literal["positive", "nonnegative", "zero", "negative", "nonpositive"]
MAX_TERMS = 5000
MAX_SQUARED = 4


@dataclass(frozen=True)
class Shifted:
    """An expression in variables that start at zero; `opened` ones never reach it. `ends` are the
    high ends that u/(1 + u) only tends to; `starts` are the symbols that were moved, with the variable
    and the value at which it is 0."""

    expr: sp.Expr
    opened: frozenset[sp.Symbol]
    ends: tuple[tuple[sp.Symbol, sp.Rational], ...]
    starts: tuple[tuple[sp.Symbol, sp.Symbol, sp.Rational], ...] = ()


def shift(expr: sp.Expr, spans: Mapping[str, Span]) -> Shifted:
    """Each bounded symbol written by a variable that starts at 0."""
    known = {symbol(name, span): span for name, span in spans.items()}
    values: dict[sp.Symbol, sp.Expr] = {}
    opened, ends, starts = set(), [], []
    if expr.has(sp.exp):
        expr, grown = _exponentials(expr, spans)
        for exponent, start, is_open in grown:
            starts.append((exponent, start, sp.Integer(0)))
            opened |= {start} if is_open else set()
    for free in sorted(expr.free_symbols - {start for _, start, _ in starts}, key=sp.default_sort_key):
        span = known.get(free, Span(low=0 if free.is_nonnegative else None))  # type: ignore[arg-type]
        if span.low is None and span.high is None:
            continue
        start = sp.Dummy(f"{free.name}_0", nonnegative=True)
        if span.low is not None and span.high is not None:
            low, high = _number(span.low), _number(span.high)
            values[free] = (low + high * start) / (1 + start)
            starts.append((free, start, low))
            if span.open_low:
                opened.add(start)
            if not span.open_high:
                ends.append((free, high))
        elif span.low is not None:
            values[free] = _number(span.low) + start
            starts.append((free, start, _number(span.low)))
            if span.open_low:
                opened.add(start)
        else:
            assert span.high is not None
            values[free] = _number(span.high) - start
            starts.append((free, start, _number(span.high)))
            if span.open_high:
                opened.add(start)
    moved = expr.subs(values, simultaneous=True)
    return Shifted(moved, frozenset(opened), tuple(ends), tuple(starts))


def _exponentials(
    expr: sp.Expr, spans: Mapping[str, Span]
) -> tuple[sp.Expr, list[tuple[sp.Expr, sp.Symbol, bool]]]:
    """exp(u) = 1 + v with v >= 0 where u >= 0, and 1/(1 + v) where u <= 0; exp(2u) is its square.

    v = 0 where u = 0; the last entry says that u is never 0."""
    starts: dict[sp.Expr, tuple[sp.Symbol, Sign]] = {}

    def variable(monomial: sp.Expr) -> sp.Expr:
        if monomial not in starts:
            known = sign(monomial, spans)
            if known is None or known == "zero":
                return sp.exp(monomial)
            starts[monomial] = sp.Dummy("v", nonnegative=True), known
        start, known = starts[monomial]
        return 1 + start if known in ("positive", "nonnegative") else 1 / (1 + start)

    def named(argument: sp.Expr) -> sp.Expr:
        parts = (term.as_coeff_Mul() for term in sp.Add.make_args(sp.expand(argument)))
        return sp.Mul(*(variable(m) ** c if c.is_Integer and m != 1 else sp.exp(c * m) for c, m in parts))

    made = expr.replace(sp.exp, named)
    return made, [(m, v, known in ("positive", "negative")) for m, (v, known) in starts.items()]


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
    surd = _surd(expr)
    if surd is not None:
        return _sign_of_surd(*surd, spans)
    moved = shift(expr, spans)
    above, below = sp.fraction(sp.together(moved.expr))  # denominators are powers of 1 + u: positive
    if not below.is_positive and below != 1:
        return None
    for direction, strict, weak in ((1, "positive", "nonnegative"), (-1, "negative", "nonpositive")):
        found = _coefficients(direction * sp.expand(above), moved)
        if found is not None:
            reached = all(sign(expr.subs(free, end), spans) == strict for free, end in moved.ends)
            return strict if found and reached else weak  # type: ignore[return-value]
    if expr.is_nonnegative or expr.is_nonpositive:
        return "nonnegative" if expr.is_nonnegative else "nonpositive"
    return _completed_square(expr, spans)


def _surd(expr: sp.Expr) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """u, v and q of u + v*sqrt(q), where that is the only root of a sum in the expression."""
    powers = [p for p in expr.atoms(sp.Pow) if p.base.is_Add and p.exp.is_Rational and p.exp.q == 2]
    bases = {p.base for p in powers}
    if len(bases) != 1:
        return None
    (inside,) = bases
    root = sp.Dummy("s", positive=True)
    named = expr.xreplace({p: root * inside ** (p.exp - sp.Rational(1, 2)) for p in powers})
    if not named.is_polynomial(root):
        return None
    terms = sp.Poly(named, root).terms()
    u = sp.Add(*(c * inside ** (k // 2) for (k,), c in terms if k % 2 == 0))
    v = sp.Add(*(c * inside ** (k // 2) for (k,), c in terms if k % 2 == 1))
    return u, v, inside


def _sign_of_surd(u: sp.Expr, v: sp.Expr, inside: sp.Expr, spans: Mapping[str, Span]) -> Sign | None:
    """u + v sqrt(q): the sign of both, or, where they differ, that of the larger of u**2 and v**2 q."""
    signs = [sign(part, spans) for part in (u, v)]
    if sign(inside, spans) != "positive" or None in signs:
        return None
    first, second = signs
    if first == "zero" or second == "zero":
        return second if first == "zero" else first
    if (first in ("positive", "nonnegative")) == (second in ("positive", "nonnegative")):
        return first if first in ("positive", "negative") else second
    excess = sign(sp.expand(v**2 * inside - u**2), spans)
    if excess is None:
        return None
    return excess if second in ("positive", "nonnegative") else _times(excess, "negative")


def _completed_square(expr: sp.Expr, spans: Mapping[str, Span]) -> Sign | None:
    """a v**2 + b v + c = a (v + b/(2a))**2 + (4ac - b**2)/(4a), for a symbol or its square v.

    Where 4ac - b**2 is 0, one of its symbols is at a closed end of its span: looking at these ends tells
    whether the whole is ever 0."""
    free = sorted(expr.free_symbols, key=sp.default_sort_key)
    if len(free) > MAX_SQUARED or not expr.is_polynomial(*free) or len(sp.Add.make_args(expr)) > 12:
        return None
    for variable in free:
        terms = sp.Poly(expr, variable).as_dict()
        step = {(0, 1, 2): 1, (0, 2, 4): 2}.get(tuple(sorted(power for (power,) in terms)))
        if step is None:
            continue
        c, b, a = (terms[k * step,] for k in range(3))
        rest = sp.factor(4 * a * c - b**2)
        if sign(a, spans) != "positive" or sign(rest, spans) not in ("positive", "nonnegative", "zero"):
            continue
        ends = _only_zeros(rest, spans)
        if ends is None:
            return "positive" if sign(rest, spans) == "positive" else "nonnegative"
        if all(sign(expr.subs(free, low), spans) == "positive" for free, low in ends):
            return "positive"
        return "nonnegative"
    return None


def _only_zeros(expr: sp.Expr, spans: Mapping[str, Span]) -> list[tuple[sp.Symbol, sp.Rational]] | None:
    """Low ends of spans, one of which is met wherever the expression is 0: its coefficients are >= 0 once
    every symbol starts at 0. None where that is not seen."""
    moved = shift(expr, spans)
    above, below = sp.fraction(sp.together(moved.expr))
    known = {symbol(name, span): span for name, span in spans.items()}
    bounded = all(
        s in known and known[s].low is not None and known[s].high is None for s in expr.free_symbols
    )
    if expr == 0 or not bounded or below.free_symbols:
        return None
    if not all(term.is_nonnegative for term in sp.Add.make_args(sp.expand(above))):
        return None
    return [(free, low) for free, start, low in moved.starts if start not in moved.opened]


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
    for term in _with_whole_coefficients(terms):
        if not term.is_nonnegative:
            return None
        positive = {v: sp.Dummy(positive=True) for v in moved.opened}
        some = some or bool(term.subs(positive).is_positive)
    return some


def _with_whole_coefficients(terms: tuple[sp.Expr, ...]) -> Iterable[sp.Expr]:
    """2*x - sqrt(2)*x is one term with one coefficient, which SymPy keeps as two."""
    split = [term.as_independent(*term.free_symbols, as_Add=False) for term in terms]
    if all(number.is_Rational for number, _ in split):
        return terms
    total: dict[sp.Expr, sp.Expr] = {}
    for number, rest in split:
        total[rest] = total.get(rest, sp.Integer(0)) + number
    return [number * rest if rest == 1 or number.is_Rational else sp.Mul(number, rest, evaluate=False)
            for rest, number in total.items()]  # fmt: skip
