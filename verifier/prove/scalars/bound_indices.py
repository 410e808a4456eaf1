"""Bound indices, and where their ranges run."""

from collections.abc import Mapping

import sympy as sp

from verifier.expr import nodes as n
from verifier.expr.walk import bound_ranges, walk
from verifier.prove.scalars.symbol_ranges import Span, symbol


def bound_index(name: str) -> sp.Symbol:
    """A bound index; the sign keeps it apart from a free symbol of the same name."""
    return sp.Symbol(f"@{name}", integer=True)


def free_indices(node: n.Node) -> tuple[str, ...]:
    """Bound-index names that occur in the node and are not bound inside it."""
    bound = {item.index for part in walk(node) for item in bound_ranges(part)}
    names = {part.name for part in walk(node) if isinstance(part, n.Index)} - bound
    return tuple(sorted(names))


def at_least(expr: sp.Expr, low: int, spans: Mapping[str, Span]) -> bool | None:
    """Whether a linear expression is >= low over the spans of its symbols, seen from its ends."""
    expr = sp.expand(expr)
    known = {symbol(name, span): span for name, span in spans.items()}
    if not expr.free_symbols <= known.keys() or not expr.is_polynomial(*expr.free_symbols):
        return None
    least = expr
    for variable in expr.free_symbols:
        slope = sp.expand(sp.diff(expr, variable))
        end = known[variable].low if slope.is_nonnegative else known[variable].high
        if end is None or not slope.is_number:
            return None
        least = least.subs(variable, sp.Rational(end.numerator, end.denominator))
    return bool(least >= low)
