"""The formula behind a column of ratios, for whoever wants to check them: ratio = (3/2)**L."""

from collections.abc import Mapping

import sympy as sp

from verifier.expr.text import to_text
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.sympy_to_tree import from_sympy
from verifier.timer import Overran, at_most

SECONDS = 0.15
LONGEST = 160


def formula(ratio: sp.Expr, along: Mapping[sp.Symbol, sp.Expr] | None = None) -> tuple[str, ...]:
    """One line, with what grows in terms of `along`; none where it is too long to be of use."""
    names = ", ".join(f"{symbol} = {value}" for symbol, value in (along or {}).items())
    where = f"with {names}: " if names else ""
    for written in (_simpler, lambda same: same):
        try:
            with at_most(SECONDS):
                line = f"{where}ratio = {to_text(from_sympy(written(ratio), {}))}"
        except (Overran, Refused, TypeError, ValueError, NotImplementedError):
            continue
        if len(line) <= LONGEST and not ratio.atoms(sp.Dummy):
            return (line,)
    return ()


def _simpler(ratio: sp.Expr) -> sp.Expr:
    """6**L/4**L is (3/2)**L; the shortest of a few ways to write it."""
    combined = sp.powsimp(sp.factor(ratio), force=True, combine="base")
    ways = [ratio, combined, sp.simplify(ratio)]
    if ratio.is_positive:
        ways.append(sp.sqrt(sp.factor(sp.expand(ratio**2))))
    return min(ways, key=lambda way: len(str(way)))
