"""Inequalities that hold between invariants of any matrix, used to see the sign of an expression.

norm(X.T @ ones(n))**2 <= n * norm(X)**2        (Cauchy and Schwarz)
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy as sp

from verifier.expr import nodes as n
from verifier.symbolic.scalar.domain import Span, symbol
from verifier.symbolic.scalar.refuse import Refused
from verifier.symbolic.scalar.signs import sign
from verifier.symbolic.scalar.translate import Translator
from verifier.symbolic.scalar.zero import factored_bases

UNIT = Span(low=Fraction(0), high=Fraction(1))


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
                spans = {**translator.spans, "t": UNIT}
                yield sp.simplify(expr.subs(atom, larger * sp.sqrt(symbol("t", UNIT)))), spans


def exponential_variables(expr: sp.Expr, spans: Mapping[str, Span]) -> tuple[sp.Expr, dict[str, Span]]:
    """2**L with L >= 1 is a variable of its own, at least 2, and 4**L its square; r**L with r >= 1 is at
    least 1."""
    more: dict[str, Span] = {}
    known = {symbol(name, span): span for name, span in spans.items()}

    def variable(base: sp.Expr, exponent: sp.Expr, low: Fraction) -> sp.Symbol:
        name = f"({base})**{exponent}"
        more[name] = Span(low=low)
        return symbol(name, more[name])

    def named(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        span = known.get(exponent)
        if span is None or span.low is None or span.low < 0 or span.low.denominator != 1:
            return base**exponent
        if base.is_Integer and base >= 2:
            primes = sp.factorint(base).items()
            powers = (
                variable(p, exponent, Fraction(int(p)) ** int(span.low)) ** times for p, times in primes
            )
            return sp.Mul(*powers)
        if sign(base - 1, spans) in ("positive", "nonnegative"):
            return variable(base, exponent, Fraction(1))
        return base**exponent

    return factored_bases(expr).replace(sp.Pow, named), more
