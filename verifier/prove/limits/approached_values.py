"""Values that an expression takes at allowed points, or tends to when one symbol leaves its span.

Used to see how small a gap becomes: every value here is reached or approached, whatever relations the
assumptions impose between the symbols.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from verifier.claim.model import Assumption, Claim
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension, Positive, Real
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.limits.leading_terms import limit_at_infinity
from verifier.prove.scalars.invariant_points import allowed
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading
from verifier.prove.scalars.symbol_ranges import Span, domain

POINTS, PATHS = 12, 3
TWO = n.Number(Fraction(2))


def approached(reading: Reading, expr: sp.Expr) -> Iterator[sp.Expr]:
    """Real numbers that the expression equals or tends to, every free dimension being at least 2."""
    claim = _from_two(reading.generic)
    spans = domain(claim)
    inside = replace(reading, claim=claim, left=expr, right=sp.Integer(0))
    for at in allowed(inside, (), POINTS):
        reading.clock.check()
        yield from _real(at.of(expr))
    for variable in sorted(expr.free_symbols, key=sp.default_sort_key):
        if variable.name in spans and not _is_bound(reading.claim, variable.name):
            yield from _along(inside, expr, variable, spans[variable.name])


def _along(reading: Reading, expr: sp.Expr, variable: sp.Symbol, span: Span) -> Iterator[sp.Expr]:
    """Limits as the variable grows without bound, or falls to an open end at 0."""
    large = sp.Dummy("y", positive=True, integer=span.integer)
    ends = [large] if span.high is None else []
    ends += [1 / large] if span.open_low and span.low == 0 else []
    for at in allowed(reading, (variable,), PATHS):
        for end in ends:
            reading.clock.check()
            here = at.of(expr).subs(variable, end)
            try:
                found = limit_at_infinity(here, large, {})
            except Refused:
                continue
            if not found.conditions:
                yield from _real(found.value)


def _real(value: sp.Expr) -> Iterator[sp.Expr]:
    if not value.has(sp.nan, sp.zoo, sp.oo) and not value.free_symbols and value.is_real:
        yield value


def _is_bound(claim: Claim, name: str) -> bool:
    """Whether an assumption keeps the symbol from going where it likes: one that speaks of it, or of a
    symbol that is written by it, unless that one may be any number, or any positive one."""
    names = {name}
    for assumption in claim.assumptions:
        match assumption.substitution:
            case (target, value) if n.Symbol(name) in walk(value):
                names.add(target.name)
                if not isinstance(claim.symbols[target.name].kind, Real | Positive):
                    return True
    spoken = {p.name for fact in claim.constraints for p in walk(fact) if isinstance(p, n.Symbol)}
    return bool(names & spoken)


def _from_two(claim: Claim) -> Claim:
    given = {found[0].name for a in claim.assumptions if (found := a.substitution) is not None}
    names = [k for k, s in claim.symbols.items() if isinstance(s.kind, Dimension) and k not in given]
    facts: list[n.Relation] = [n.Relation(">=", n.Symbol(name), TWO) for name in names]
    added = [Assumption("free dimension", fact, to_text(fact), claim.position) for fact in facts]
    return replace(claim, assumptions=(*claim.assumptions, *added))
