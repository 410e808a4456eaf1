"""Sums of any length that nobody could decide: their first length, and each from the one before."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding, Grade, Tightness
from verifier.expr.text import to_text
from verifier.reformulate.induction_over_length import Induction, inductions
from verifier.reformulate.undecided import is_open
from verifier.timer import worked

Ask = Callable[[Claim, Step, Budget], Finding]
SHARE = 0.5  # of the time, for the claim as it stands
LEAST_SECONDS = 0.1


def by_induction(ask: Ask, claim: Claim, step: Step, budget: Budget) -> Finding:
    """The claim itself and, if that is open, by induction over a length."""
    ways = list(inductions(claim, step))
    if not ways:
        return ask(claim, step, budget)
    end = worked() + budget.seconds
    found = ask(claim, step, replace(budget, seconds=SHARE * budget.seconds))
    for way in ways:
        if not is_open(found, step) or found.truth == "false":
            break
        left = replace(budget, seconds=max((end - worked()) / 3, LEAST_SECONDS))
        found = _shown(ask, claim, step, way, left, found)
    return found


def _shown(ask: Ask, claim: Claim, step: Step, way: Induction, budget: Budget, found: Finding) -> Finding:
    """What was found, true where both parts are, and tight where the sides become equal in the end."""
    if found.truth == "unknown":
        parts = [ask(claim, way.first, budget), ask(way.claim, way.onward, budget)]
        if not all(map(_is_sure, parts)):
            return found
        grade: Grade = "proved" if all(part.grade == "proved" for part in parts) else "certified"
        reason = f"true at {way.size} = 1, and by induction: {to_text(way.onward.fact)} for {way.size} >= 1"
        found = Finding(parts[1].engine, "true", grade, reason, seconds=sum(part.seconds for part in parts))
    meets = way.meets if is_open(found, step) else ()
    if not meets or not all(_is_sure(ask(way.claim, part, budget)) for part in meets):
        return found
    note = f"the ratio of the sides tends to 1 with {way.size}"
    return replace(found, tightness=Tightness(True, Fraction(0), Fraction(0), note=note))


def _is_sure(part: Finding) -> bool:
    """Where a part has no value, a chain of lengths would be cut."""
    return part.proves and not part.excluded
