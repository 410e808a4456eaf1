"""Signs that rest on assumed inequalities between symbols: from b - a > 0, b is a + s with a new s > 0."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from verifier.prove.scalars.coefficient_signs import Sign, sign
from verifier.prove.scalars.symbol_ranges import Span, symbol

SLACK = "'slack"  # no symbol of a claim has such a name
STRICT = ("positive", "negative")


@dataclass(frozen=True)
class Gap:
    """An expression that is >= 0, or > 0 if `strict`, wherever the assumptions hold."""

    expr: sp.Expr
    strict: bool


def sign_given(expr: sp.Expr, spans: Mapping[str, Span], gaps: Iterable[Gap]) -> Sign | None:
    """The sign over the domain; where the spans leave it open, or leave a 0 open, with one of the gaps.

    log(u) has the sign of u - 1."""
    if isinstance(expr, sp.log):
        return sign(expr, spans) or sign_given(expr.args[0] - 1, spans, gaps)
    found = sign(expr, spans)
    for gap in gaps:
        for variable in sorted(gap.expr.free_symbols & expr.free_symbols, key=sp.default_sort_key):
            above = sp.fraction(sp.together(gap.expr))[0]
            for made in (
                solved(above, variable, gap.strict, spans),
                _squared(above, variable, gap.strict, spans),
            ):
                if made is not None and found not in (*STRICT, "zero"):
                    value, wider = made
                    found = sign(sp.cancel(sp.together(expr.subs(variable, value))), wider) or found
    return found


def _squared(
    above: sp.Expr, variable: sp.Symbol, is_strict: bool, spans: Mapping[str, Span]
) -> tuple[sp.Expr, Mapping[str, Span]] | None:
    """variable = sqrt(c**2 - s), s > 0 new, from c - variable > 0 for variable >= 0 and a number c."""
    if not above.is_polynomial(variable) or not variable.is_nonnegative:
        return None
    slope, rest = above.coeff(variable, 1), above.coeff(variable, 0)
    if sp.degree(above, variable) != 1 or not slope.is_negative or not rest.is_positive:
        return None
    return solved(sp.expand((rest / slope) ** 2 - variable**2), variable, is_strict, spans)


def solved(
    above: sp.Expr, variable: sp.Symbol, is_strict: bool, spans: Mapping[str, Span]
) -> tuple[sp.Expr, Mapping[str, Span]] | None:
    """variable (or its square) from c*variable**k + rest = s, s > 0 new, where c has one sign."""
    if not above.is_polynomial(variable):
        return None
    terms = sp.Poly(above, variable).as_dict()
    powers = sorted(power for (power,) in terms)
    if powers not in ([0, 1], [0, 2]) or (powers[1] == 2 and not variable.is_nonnegative):
        return None
    slope, rest = terms[powers[1],], terms[0,]
    if sign(slope, spans) not in STRICT:
        return None
    wider = {**spans, SLACK: Span(low=Fraction(0), open_low=is_strict)}
    value = (symbol(SLACK, wider[SLACK]) - rest) / slope
    return (value if powers[1] == 1 else sp.sqrt(value)), wider
