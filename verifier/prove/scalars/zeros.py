"""Where an expression can be 0, and where it changes its sign, as values of its symbols.

A product vanishes where a factor does; a sum of terms that are never negative where every term
does; exp(u) - 1 where u does; a factor that is linear in a symbol at one value of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product

import sympy as sp

from verifier.prove.scalars.assumed_gaps import Gap, sign_given
from verifier.prove.scalars.coefficient_signs import Sign, shift, sign
from verifier.prove.scalars.real_roots import is_inside
from verifier.prove.scalars.symbol_ranges import Span, symbol

MAX_CASES = 8
ZERO_AT_0 = (sp.Abs, sp.tanh, sp.atan, sp.erf, sp.sinh, sp.asinh)
Values = dict[sp.Symbol, sp.Expr]


def zeros(expr: sp.Expr, spans: Mapping[str, Span]) -> list[Values] | None:
    """Cases that cover every zero of the expression; None where they are not found."""
    found: list[Values] = []
    if _has_poles_below(expr, spans):
        return None
    for factor in _factors(expr):
        if sign(factor, spans) in ("positive", "negative"):
            continue
        cases = _zeros_of_factor(factor, spans)
        if cases is None:
            return None
        found += [case for case in cases if case not in found]
    return found if len(found) <= MAX_CASES else None


def sign_changes(
    expr: sp.Expr, spans: Mapping[str, Span], gaps: Iterable[Gap] = ()
) -> tuple[sp.Symbol, list[sp.Expr]] | None:
    """A symbol and the values of it, in order, between which one factor of the expression has one sign."""
    gaps = tuple(gaps)
    for factor in _factors(expr):
        if sign_given(factor, spans, gaps) is not None:
            continue
        inner = _with_its_sign(factor)
        found = sign_changes(inner, spans, gaps) if inner is not None else _turn(factor, spans)
        if found is not None:
            return found
    return None


def _with_its_sign(factor: sp.Expr) -> sp.Expr | None:
    """u of c*(exp(u) - 1) or log(1 + u), which have the sign of u up to that of c."""
    if isinstance(factor, sp.log):
        return factor.args[0] - 1
    return _exponent_of_one(factor)


def _turn(factor: sp.Expr, spans: Mapping[str, Span]) -> tuple[sp.Symbol, list[sp.Expr]] | None:
    """Rational roots of a factor in one symbol; the value of a symbol that enters another one linearly."""
    if len(factor.free_symbols) == 1:
        (variable,) = factor.free_symbols
        span, roots = _span(variable, spans), _real_roots(factor, variable)
        if roots is None or not all(root.is_Rational for root in roots):
            return None
        inside = sorted({root for root in roots if is_inside(root, span)})
        return (variable, inside) if inside else None
    names = {symbol(name, span) for name, span in spans.items()}
    if len(factor.free_symbols) != 2 or not factor.free_symbols <= names:
        return None
    for case in _of_linear(factor, spans) or []:
        for variable, value in case.items():
            return variable, [value]
    return None


def _factors(expr: sp.Expr) -> Iterator[sp.Expr]:
    above = sp.fraction(sp.together(expr))[0]
    for base, exponent in sp.factor(above).as_powers_dict().items():
        if base.free_symbols and not exponent.is_negative:
            yield base


def _has_poles_below(expr: sp.Expr, spans: Mapping[str, Span]) -> bool:
    """Whether it may be 0 by division: 1/gamma(x) is, at x = 0, -1, -2, ..."""
    below = sp.fraction(sp.together(expr))[1]
    poles = [f.args[0] + int(isinstance(f, sp.factorial)) for f in below.atoms(sp.gamma, sp.factorial)]
    return any(sign(argument, spans) != "positive" for argument in poles)


def _span(variable: sp.Symbol, spans: Mapping[str, Span]) -> Span:
    known = {symbol(name, span): span for name, span in spans.items()}
    return known.get(variable, Span(low=Fraction(0) if variable.is_nonnegative else None))


def _real_roots(factor: sp.Expr, variable: sp.Symbol) -> list[sp.Expr] | None:
    if not factor.is_polynomial(variable):
        return None
    poly = sp.Poly(factor, variable)
    if poly.degree() > 8 or not all(c.is_Rational for c in poly.coeffs()):
        return None
    return list(dict.fromkeys(poly.real_roots()))


def _zeros_of_factor(factor: sp.Expr, spans: Mapping[str, Span]) -> list[Values] | None:
    if len(factor.free_symbols) == 1:
        (variable,) = factor.free_symbols
        roots = _real_roots(factor, variable)
        if roots is not None:
            span = _span(variable, spans)
            inside = [root for root in roots if is_inside(root, span) and not (root == 0 and span.nonzero)]
            return [{variable: root} for root in inside if root.is_Integer or not span.integer]
    inner = _with_its_sign(factor)
    if inner is not None:
        return zeros(inner, spans)
    for rule in (_of_terms, _of_monomials, _of_linear):
        found = rule(factor, spans)
        if found is not None:
            return found
    return None


def _exponent_of_one(factor: sp.Expr) -> sp.Expr | None:
    """u where the factor is c*(exp(u) - 1)."""
    terms = sp.Add.make_args(factor)
    if len(terms) != 2:
        return None
    ratio = sp.powsimp(-terms[0] / terms[1])
    return ratio.args[0] if isinstance(ratio, sp.exp) else None


def _of_terms(factor: sp.Expr, spans: Mapping[str, Span]) -> list[Values] | None:
    """A sum of terms of one sign: in each term some symbol is 0, or at the end of its span."""
    moved = shift(factor, spans)
    above, below = sp.fraction(sp.together(moved.expr))
    if moved.ends or below.free_symbols:
        return None
    terms = sp.Add.make_args(sp.expand(above))
    if not (all(t.is_nonnegative for t in terms) or all(t.is_nonpositive for t in terms)):
        return None
    named = {start: (name, low) for name, start, low in moved.starts}
    choices = []
    if not all(isinstance(name, sp.Symbol) for name, _, _ in moved.starts):
        return None  # the exponential of a product
    for term in terms:
        if not _is_of_powers(term):
            return None
        able = [s for s in term.free_symbols if s not in moved.opened and not s.is_positive]
        able = [s for s in able if term.subs(s, 0) == 0 and not _excluded(*named.get(s, (s, sp.Integer(0))))]
        if not able:
            return []  # this term is positive everywhere
        choices.append(sorted(able, key=sp.default_sort_key))
    cases: list[Values] = []
    for chosen in product(*choices):
        case = dict(named.get(s, (s, sp.Integer(0))) for s in chosen)
        if case not in cases:
            cases.append(case)
        if len(cases) > 4 * MAX_CASES:
            return None
    # A case that contains a smaller one adds nothing.
    return [c for c in cases if not any(o != c and o.items() <= c.items() for o in cases)]


def _is_of_powers(term: sp.Expr) -> bool:
    """A product of powers of symbols and of what is 0 nowhere: abs(sin(x)) is 0 in places without names."""
    parts = term.as_powers_dict()
    return all(base.is_Symbol or base.is_nonzero or _is_zero_with_powers(base) for base in parts)


def _is_zero_with_powers(base: sp.Expr) -> bool:
    """tanh, atan, erf, a size and their like are 0 where what they are taken of is."""
    while isinstance(base, ZERO_AT_0):
        (base,) = base.args
    return base.is_Symbol or (base.is_Mul and _is_of_powers(base))


def _of_monomials(factor: sp.Expr, spans: Mapping[str, Span]) -> list[Values] | None:
    """A sum of even powers and powers of what is never negative, with coefficients of one sign: wherever it
    is 0, so is each monomial whose coefficient is not."""
    rooted = {s for p in factor.atoms(sp.Pow) if not p.exp.is_Integer for s in p.free_symbols}
    names = sorted(factor.free_symbols - rooted, key=sp.default_sort_key)
    names = [s for s in names if factor.is_polynomial(s) and not s.is_positive]
    if not names or not factor.is_polynomial(*names):
        return None
    choices = []
    kept: set[Sign | None] = set()
    for powers, coefficient in sp.Poly(factor, *names).terms():
        if not all(k % 2 == 0 or s.is_nonnegative for s, k in zip(names, powers, strict=True)):
            return None
        known = sign(coefficient, spans)
        kept.add(known)
        if known in ("positive", "negative"):
            able = [s for s, k in zip(names, powers, strict=True) if k and not _excluded(s, sp.Integer(0))]
            choices.append(able)  # none: this term is 0 nowhere
    if not (kept <= {"positive", "nonnegative"} or kept <= {"negative", "nonpositive"}) or not choices:
        return None
    cases: list[Values] = []
    for chosen in product(*choices):
        case = {s: sp.Integer(0) for s in chosen}
        cases += [case] if case not in cases else []
    if len(cases) > 4 * MAX_CASES:
        return None
    return [c for c in cases if not any(o != c and o.items() <= c.items() for o in cases)]


def _excluded(variable: sp.Symbol, value: sp.Expr) -> bool:
    """0, for a symbol that is known not to be 0."""
    return bool(value == 0 and variable.is_nonzero)


def _of_linear(factor: sp.Expr, spans: Mapping[str, Span]) -> list[Values] | None:
    for variable in sorted(factor.free_symbols, key=sp.default_sort_key):
        if not factor.is_polynomial(variable) or sp.degree(factor, variable) != 1:
            continue
        slope, rest = sp.Poly(factor, variable).all_coeffs()
        if sign(slope, spans) in ("positive", "negative"):
            return [{variable: sp.cancel(-rest / slope)}]
    return None
