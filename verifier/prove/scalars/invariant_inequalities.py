"""Inequalities that always hold, used to see the sign of an expression.

norm(X.T @ ones(n))**2 <= n * norm(X)**2                    (Cauchy and Schwarz)
(n - p + 1)**p <= n!/(n - p)! <= n**p, p whole, p <= n      (each factor by the least and the largest)
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations

import sympy as sp

from verifier.expr import nodes as n
from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.identically_zero import factored_bases
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span, symbol
from verifier.prove.scalars.tree_to_sympy import Translator

# No symbol of a claim has such a name.
SHARE, LEAST = "'share", "'least"
UNIT = Span(low=Fraction(0), high=Fraction(1))
EXCESS = Span(low=Fraction(0))
WHOLE = Span(integer=True, low=Fraction(0))


def related(translator: Translator, expr: sp.Expr) -> Iterator[tuple[sp.Expr, Mapping[str, Span]]]:
    """The expression with the smaller side written as a share t in [0, 1] of the larger one."""
    for atom, node in list(translator.atoms.items()):
        match node:
            case n.Norm(n.MatMul(n.Transpose(n.Symbol() as whole), n.Ones(shape))) if (
                atom in expr.free_symbols
            ):
                try:
                    larger = translator.read(n.Norm(whole)) * sp.sqrt(translator.dim(shape.rows))
                except Refused:
                    continue
                spans = {**translator.spans, SHARE: UNIT}
                yield sp.simplify(expr.subs(atom, larger * sp.sqrt(symbol(SHARE, UNIT)))), spans


def falling(expr: sp.Expr, spans: Mapping[str, Span]) -> Iterator[tuple[sp.Expr, Mapping[str, Span]]]:
    """n! written as a share t of (n - p)! n**p, or as a multiple 1 + t of (n - p)! (n - p + 1)**p.

    Where the factorials are defined, n - p is a whole number v >= 0, and n = v + p. Elsewhere a binomial
    coefficient is 0: nothing is said unless the expression is positive without it."""
    beyond = [f for f in expr.atoms(sp.binomial) if not _is_inside(f, spans)]
    if len(beyond) > 1 or any(sign(expr.subs(f, 0), spans) != "positive" for f in beyond):
        return
    expr = expr.replace(sp.binomial, _by_factorials)
    arguments = sorted((f.args[0] for f in expr.atoms(sp.factorial)), key=sp.default_sort_key)
    for top, bottom in permutations([*arguments, sp.Integer(0)], 2):
        count = sp.expand(top - bottom)
        if not (count.is_integer and count.is_nonnegative):
            continue
        least = symbol(LEAST, WHOLE)
        larger = next((s for s in bottom.free_symbols - count.free_symbols if sp.diff(bottom, s) == 1), None)
        value = {} if larger is None else {larger: least + larger - bottom}
        share = symbol(SHARE, UNIT)
        yield _moved(expr, top, bottom, top**count * share, value), {**spans, SHARE: UNIT, LEAST: WHOLE}
        multiple = (bottom + 1) ** count * (1 + symbol(SHARE, EXCESS))
        yield _moved(expr, top, bottom, multiple, value), {**spans, SHARE: EXCESS, LEAST: WHOLE}


def _is_inside(binomial: sp.binomial, spans: Mapping[str, Span]) -> bool:
    """Whether 0 <= k <= n, for binomial(n, k), at every point."""
    top, bottom = binomial.args
    return all(sign(part, spans) in ("positive", "nonnegative", "zero") for part in (bottom, top - bottom))


def _by_factorials(top: sp.Expr, bottom: sp.Expr) -> sp.Expr:
    return sp.factorial(top) / (sp.factorial(bottom) * sp.factorial(top - bottom))


def _moved(
    expr: sp.Expr, top: sp.Expr, bottom: sp.Expr, ratio: sp.Expr, value: Mapping[sp.Symbol, sp.Expr]
) -> sp.Expr:
    moved = expr.subs(sp.factorial(top), sp.factorial(bottom) * ratio)
    return sp.cancel(sp.together(moved.subs(value)))


def exponential_variables(expr: sp.Expr, spans: Mapping[str, Span]) -> tuple[sp.Expr, dict[str, Span]]:
    """2**L with L >= 1 is a variable of its own, at least 2, and 4**L its square; r**L with r >= 1 is at
    least 1, and r**-L one over it."""
    more: dict[str, Span] = {}
    known = {symbol(name, span): span for name, span in spans.items()}

    def variable(base: sp.Expr, exponent: sp.Expr, low: Fraction) -> sp.Symbol:
        name = f"({base})**{exponent}"
        more[name] = Span(low=low)
        return symbol(name, more[name])

    def named(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        """b**(cL + k) = (b**L)**c b**k for whole c and k"""
        added, scaled = exponent.as_coeff_Add()
        times, free = scaled.as_coeff_Mul()
        span = known.get(free)
        if span is None or span.low is None or span.low < 0 or span.low.denominator != 1:
            return base**exponent
        if not (added.is_Integer and times.is_Integer):
            return base**exponent
        if base.is_Integer and base >= 2:
            primes = sp.factorint(base).items()
            powers = (variable(p, free, Fraction(int(p)) ** int(span.low)) ** many for p, many in primes)
            return sp.Mul(*powers) ** times * base**added
        if sign(base - 1, spans) in ("positive", "nonnegative"):
            return variable(base, free, Fraction(1)) ** times * base**added
        return base**exponent

    return factored_bases(expr).replace(sp.Pow, named), more
