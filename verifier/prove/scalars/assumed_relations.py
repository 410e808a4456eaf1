"""What follows from assumed relations between invariants.

From f == 0:  a side difference that every factor of f's numerator divides is 0 wherever f is. Factors
              that vanish nowhere are left aside.
From f > 0:   an invariant that enters f linearly is written by the others and a new positive variable.
"""

from collections.abc import Iterator, Mapping

import sympy as sp

from verifier.expr import nodes as n
from verifier.prove.scalars.assumed_gaps import STRICT, solved
from verifier.prove.scalars.coefficient_signs import sign
from verifier.prove.scalars.identically_zero import expand_sums, factored_bases
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading
from verifier.prove.scalars.symbol_ranges import Span


def follows(reading: Reading, difference: sp.Expr) -> bool:
    """Whether the difference is 0 wherever one of the assumed equations holds."""
    wanted = _numerator(difference)
    for equation, _ in _differences(reading, ("==",)):
        factors = [f for f in _factors(equation) if sign(f, reading.translator.spans) not in STRICT]
        if factors and all(_divides(factor, wanted) for factor in factors):
            return True
    return False


def rewritten(reading: Reading, expr: sp.Expr) -> Iterator[tuple[sp.Expr, Mapping[str, Span]]]:
    """The expression with an invariant expressed through the slack of an assumed inequality."""
    for slack, is_strict in _differences(reading, (">", ">=", "<", "<=")):
        above = _numerator(slack)
        below = sp.fraction(sp.together(slack))[1]
        if sign(below, reading.translator.spans) not in ("positive", "nonnegative"):
            continue
        for variable in sorted(above.free_symbols & expr.free_symbols, key=sp.default_sort_key):
            found = solved(above, variable, is_strict, reading.translator.spans)
            if found is not None:
                value, spans = found
                yield sp.cancel(sp.together(expr.subs(variable, value))), spans


def _differences(reading: Reading, ops: tuple[str, ...]) -> Iterator[tuple[sp.Expr, bool]]:
    """left - right, or right - left for `<`, of the assumed relations, and whether it is never 0."""
    for fact in reading.claim.constraints:
        if not isinstance(fact, n.Relation) or fact.op not in ops or not fact.left.shape.is_scalar:
            continue
        try:
            left, right = (reading.translator.read(reading.close(side)) for side in (fact.left, fact.right))
        except Refused:
            continue
        gap = right - left if fact.op in ("<", "<=") else left - right
        if gap.free_symbols:
            yield expand_sums(gap), fact.op in ("<", ">")


def _numerator(expr: sp.Expr) -> sp.Expr:
    return sp.expand(sp.fraction(sp.cancel(sp.together(factored_bases(expr))))[0])


def _factors(expr: sp.Expr) -> list[sp.Expr]:
    return [base for base, _ in sp.factor_list(_numerator(expr))[1]]


def _divides(factor: sp.Expr, whole: sp.Expr) -> bool:
    """Division of polynomials in all symbols and exponentials; one divisor leaves no doubt."""
    atoms = sorted(factor.atoms(sp.exp) | whole.atoms(sp.exp), key=sp.default_sort_key)
    names = {atom: sp.Dummy(f"e{k}") for k, atom in enumerate(atoms)}
    pair = [part.xreplace(names) for part in (whole, factor)]
    generators = sorted(pair[0].free_symbols | pair[1].free_symbols, key=sp.default_sort_key)
    if not all(part.is_polynomial(*generators) for part in pair):
        return False
    return bool(sp.rem(*(sp.Poly(part, *generators) for part in pair)) == 0)
