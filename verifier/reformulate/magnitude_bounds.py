"""Orders of magnitude as bounds: what is at most of order 10**k is below 10**(k + 1/2).

    |f| <= order(1e-3)   iff   log10 |f|, rounded, is at most -3   iff   |f| < sqrt(10) * 1e-3
    |f| >= order(1e-3)   iff                                             |f| >= sqrt(10) * 1e-4

So an engine that knows bounds, and no orders, is asked about these.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.evidence import GRADES, Finding, Tightness
from verifier.exact.numbers.refusals import Refusal
from verifier.expr.nodes import (
    After,
    Apply,
    Covariance,
    Expectation,
    Limit,
    Member,
    Multiply,
    Node,
    Norm,
    Number,
    Relation,
    Symbol,
    Variance,
)
from verifier.expr.walk import walk
from verifier.prove.ranges.orders_of_magnitude import Span, span, speaks_of_orders

AVERAGED = (Expectation, Variance, Covariance, After, Limit)
TEN = Fraction(10)
MOST_ENTRIES = 16


def as_bounds(step: Step) -> list[tuple[Step, int]]:
    """The bounds that an order on the right stands for, each with its exponent; none where it is no order."""
    fact = step.fact
    if not isinstance(fact, Relation) or not speaks_of_orders(fact.right) or speaks_of_orders(fact.left):
        return []
    if fact.op not in ("==", "<=", ">=") or not fact.left.shape.is_scalar:
        return []
    if any(isinstance(part, AVERAGED) for part in walk(fact.left)):
        return []  # the order of a mean is that of its closed form
    try:
        right = span(fact.right)
    except Refusal:
        return []
    size = fact.left if isinstance(fact.left, Norm) else Apply("abs", (fact.left,))
    upper = (replace(step, fact=Relation("<", size, _end(right.high))), right.high)
    lower = (replace(step, fact=Relation(">=", size, _end(right.low - 1))), right.low)
    return {"<=": [upper], ">=": [lower], "==": [upper, lower]}[fact.op]


def has_few_entries(claim: Claim, step: Step) -> bool:
    """Whether the sizes are fixed and small: then boxes over the entries may show a bound."""
    sizes = {name: int(value) for name, value in claim.where.items() if value.denominator == 1}
    parts = [part for part in walk(step.fact) if isinstance(part, Symbol | Member)]
    reached = {part.name: part.shape.size for part in parts}.values()
    fixed = all(size.names <= sizes.keys() for size in reached)
    return fixed and sum(size.at(sizes) for size in reached) <= MOST_ENTRIES


def _end(exponent: int) -> Node:
    """10**(exponent + 1/2)"""
    return Multiply(Number(TEN**exponent), Apply("sqrt", (Number(TEN),)))


def by_bounds(step: Step, bounds: list[tuple[Step, int]], ask: Callable[[Step], Finding]) -> Finding | None:
    """What the bounds say of the order: false with one of them, true with all; None where that is open."""
    weakest: Finding | None = None
    for bound, exponent in bounds:
        found = ask(bound)
        if found.truth == "unknown":
            return None
        told = replace(found, lhs=None, rhs=None, corrected=None, tightness=None)
        if found.truth == "false":
            return told
        if len(bounds) == 1:
            told = replace(told, tightness=_improvable(found.tightness, bound, exponent))
        if weakest is None or _rank(told) > _rank(weakest):
            weakest = told
    return weakest


def _rank(finding: Finding) -> int:
    return GRADES.index(finding.grade or "searched")


def _improvable(tightness: Tightness | None, bound: Step, exponent: int) -> Tightness | None:
    """An order can be improved where the bound is off by a power of ten."""
    gap = None if tightness is None else tightness.gap_low
    if tightness is None or gap is None or not isinstance(bound.fact, Relation):
        return None
    upper = bound.fact.op == "<"
    factor = 1 / (1 - float(gap)) if upper and gap < 1 else 1 + float(gap)
    powers = sum(factor > 10**k for k in range(1, 300))
    if not powers:
        return None
    end = exponent - powers if upper else exponent + powers
    exact = 1 - Fraction(1, 10**powers) if upper else Fraction(10**powers - 1)
    return Tightness(False, exact, exact, better=Span(end, end).text, proved=tightness.proved)
