"""Relations in which a limit is infinite: no number equals it, and every number is on one side of it."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf

import sympy as sp

from verifier.evidence import Counterexample, Finding
from verifier.prove.scalars.invariant_points import Concrete, allowed
from verifier.prove.scalars.many_digits import evaluate
from verifier.prove.scalars.scalar_relation import Reading

INFINITE = (sp.oo, -sp.oo)


def infinite(reading: Reading) -> Finding | None:
    """The answer where one side is infinite, or both are although one is said not to be; None elsewhere."""
    left, right = reading.left in INFINITE, reading.right in INFINITE
    op = reading.fact.op
    endless = left and reading.left == reading.right and op in ("<", ">")
    if left == right and not endless:
        return None
    larger = (reading.left if left else -reading.right) == sp.oo
    side = "left" if left else "right"
    always = (op in (">", ">=") and larger) or (op in ("<", "<=") and not larger)
    if always and not endless:
        return reading.finding("true", "proved", reason=f"the {side} side is infinite")
    at = next(_generic(reading), None)
    if at is None:
        return reading.finding("unknown", missing="a point at which the limit is infinite")
    return reading.finding(
        "false",
        "proved",
        reason=f"the {side} side grows without bound",
        counterexample=Counterexample(
            at.shown(frozenset()),
            _number(reading.left, at),
            _number(reading.right, at),
            lhs_exact=str(reading.left) if left else None,
            rhs_exact=str(reading.right) if right else None,
        ),
    )


def _generic(reading: Reading) -> Iterator[Concrete]:
    """Allowed points at which no condition of the limits fails."""
    finite = sp.Integer(0) if reading.right in INFINITE else reading.right
    # The points give values to what occurs in the sides: let the conditions occur there.
    shown = replace(reading, left=sp.Add(*(c**2 for c in reading.conditions)), right=finite)
    for at in allowed(shown, (), 12):
        if all(sp.simplify(at.of(condition)) != 0 for condition in reading.conditions):
            yield at


def _number(side: sp.Expr, at: Concrete) -> float | None:
    if side in INFINITE:
        return inf if side == sp.oo else -inf
    value = evaluate(at.of(side))
    return None if value is None else float(value)
