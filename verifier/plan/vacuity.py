"""Whether the assumptions leave anything to speak of: a claim about nothing is an error, not a verdict.

A small point that satisfies all of them ends the question. Else each condition is asked the other way
round under the others: where `a**2 >= 0` is proved, nothing satisfies `a**2 < 0`.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

from verifier.claim.model import Assumption, Claim
from verifier.claim.undefined import nowhere
from verifier.evidence import Finding
from verifier.expr.nodes import (
    Comparison,
    Expectation,
    ForAll,
    Number,
    Order,
    Range,
    Relation,
    Sum,
    Symbol,
    Within,
)
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.suggest.bound_factors import first_answer
from verifier.timer import Overran, at_most, worked

NAME = "assumptions"
SECONDS = 0.25
MOST_POINTS = 40
OPPOSITE: dict[Comparison, tuple[Comparison, ...]] = {
    "<=": (">",), "<": (">=",), ">=": ("<",), ">": ("<=",), "==": ("<", ">"), "!=": ("==",),
}  # fmt: skip

# Between sums, which may be empty: nothing is less than itself.
_APART: dict[Comparison, tuple[Comparison, ...]] = {
    "<=": (">",), "<": (">",), ">=": ("<",), ">": ("<",), "==": ("<", ">"),
}  # fmt: skip

# What was found of the assumptions of a theorem, for its other claims; of the last few theorems.
_answered: dict[Hashable, Finding | None] = {}
MOST_ANSWERS = 64


def vacuity(case: Case) -> Finding | None:
    """Why nothing satisfies the assumptions, where that is proved."""
    claim = case.claim
    absent = nowhere(claim, case.step.fact)
    if absent is not None:
        return Finding(
            NAME, "unknown", reason="a side is undefined", vacuous=f"{absent} has no value anywhere"
        )
    doubtful = [item for item in claim.assumptions if _may_clash(claim, item)]
    if not doubtful:
        return None
    key = (claim.assumptions, tuple(claim.symbols.items()), tuple(claim.where.items()))
    if key not in _answered:
        while len(_answered) >= MOST_ANSWERS:
            del _answered[next(iter(_answered))]
        _answered[key] = None if _is_met(claim) else _clash(case, doubtful)
    return _answered[key]


def _clash(case: Case, doubtful: Sequence[Assumption]) -> Finding | None:
    """An assumption whose opposite is proved under the others."""
    deadline = worked() + SECONDS
    for assumption in doubtful:
        rest = tuple(item for item in case.claim.assumptions if item is not assumption)
        without = replace(case, claim=replace(case.claim, assumptions=rest))
        for opposite in _opposites(assumption):
            found = first_answer(without, opposite, deadline)
            if found.proves:
                words = f"no value satisfies {assumption.name}, since {to_text(opposite)}"
                return Finding(found.engine, "unknown", reason=words, vacuous=words)
    return None


def _may_clash(claim: Claim, assumption: Assumption) -> bool:
    """A condition; of replaced symbols, those that another assumption speaks of too."""
    replaced = assumption.substitution
    if replaced is not None and assumption.written is None:
        name = replaced[0].name
        others = [item for item in claim.assumptions if item is not assumption]
        twice = any(found[0].name == name for item in others if (found := item.substitution) is not None)
        named = (node for item in others for node in walk(item.fact) if isinstance(node, Symbol))
        return twice or (replaced[0].shape.is_scalar and any(node.name == name for node in named))
    return any(True for _ in _opposites(assumption)) and assumption.assumed_value is None


def _opposites(assumption: Assumption) -> Iterator[Relation]:
    """Each of these, if it is true everywhere, contradicts the assumption."""
    if any(isinstance(node, Order) for node in walk(assumption.fact)):
        return
    solved = assumption.substitution is not None
    match (assumption.written or assumption.fact) if solved else assumption.fact:
        case Relation(op, left, right):
            yield from (Relation(other, left, right) for other in OPPOSITE[op])
        case Within(arg, low, high):
            yield from (Relation("<", arg, low), Relation(">", arg, high))
        case ForAll(Relation(op, left, right), ranges, conditions) if op != "!=":
            # What is true of all terms is true of their sums: of a simplex, p[i] <= 1/(2*n) never is.
            sums = [Sum(side, ranges, conditions) for side in (left, right)]
            full = not conditions and all(_is_full(span) for span in ranges)
            yield from (Relation(other, sums[0], sums[1]) for other in (OPPOSITE if full else _APART)[op])


def _is_full(span: Range) -> bool:
    """1..n, which is not empty."""
    return span.low == Number(Fraction(1)) and isinstance(span.high, Symbol)


def _is_met(claim: Claim) -> bool:
    """Whether a small point satisfies every assumption, in exact arithmetic. Conditions on laws, and symbols
    that are replaced twice, are no matter of points."""
    replaced = [found[0].name for item in claim.assumptions if (found := item.substitution) is not None]
    laws = (walk(item.fact) for item in claim.assumptions)
    if len(replaced) > len(set(replaced)) or any(isinstance(x, Expectation) for nodes in laws for x in nodes):
        return False
    # Loaded in the worker alone, like the engines, and where no timer may end it half way.
    from verifier.exact.values.few_points import few_points

    if _is_met_at(claim, few_points(claim)):
        return True
    from verifier.prove.equal.small_integer_points import points  # many more, and SymPy with them

    stated = claim.steps[0].fact
    fact = stated if isinstance(stated, Relation) else Relation("==", stated.arg, stated.arg)
    return _is_met_at(claim, islice(points(claim, fact, {}, 0), MOST_POINTS))


def _is_met_at(claim: Claim, points: Iterable[Mapping[str, Any]]) -> bool:
    from verifier.exact.values.recheck import admissible

    try:
        with at_most(SECONDS):
            return any(admissible(claim, point).outcome == "true" for point in points)
    except (Overran, Exception):
        return False
