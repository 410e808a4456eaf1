"""Limits read off leading terms, with as many terms of each series as it takes."""

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from verifier.prove.limits.expansions import Expander
from verifier.prove.limits.scale_sums import Comparison, MoreTerms
from verifier.prove.scalars.assumed_gaps import Gap
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span

ORDERS = (2, 4, 7)


@dataclass(frozen=True)
class Limit:
    """The limit, true wherever none of the conditions is 0."""

    value: sp.Expr
    conditions: tuple[sp.Expr, ...]


def limit_at_infinity(
    body: sp.Expr, variable: sp.Symbol, spans: Mapping[str, Span], gaps: tuple[Gap, ...] = ()
) -> Limit:
    """lim body as the variable grows, by its leading term; Refused where the expansion does not tell."""
    late: Refused = MoreTerms("a limit whose leading terms cancel")
    for order in ORDERS:
        comparison = Comparison(spans, gaps)
        expander = Expander(variable, comparison, order)
        try:
            value = expander.limit(expander.of(body))
        except MoreTerms as refusal:
            late = refusal
            continue
        return Limit(value, tuple(comparison.conditions))
    raise late


def leading_conditions(
    body: sp.Expr, variable: sp.Symbol, spans: Mapping[str, Span], gaps: tuple[Gap, ...] = ()
) -> tuple[sp.Expr, ...]:
    """What must not be 0 for the body to differ from 0 at all large values of the variable."""
    comparison = Comparison(spans, gaps)
    expander = Expander(variable, comparison, max(ORDERS))
    part, _ = expander.leading(expander.of(body))
    comparison.nonzero(part.series[0])
    return tuple(comparison.conditions)
