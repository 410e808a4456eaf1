"""Ranges of means, by their two ends.

    low <= E f <= high

is tight where both ends are reached within 1% of the width of the true range. That range is no wider than
the one that was shown, so the claim is loose where one end can be moved by 2% of high - low:

    E f >= low + (high - low)/50     or     E f <= high - (high - low)/50
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.small_trees import number
from verifier.prove.scalars.inequality import both

Judge = Callable[[Claim, N.Relation, float], Finding]  # in so many seconds
End = tuple[N.Comparison, N.Node]
_SHARES = (Fraction(1), Fraction(9, 10), Fraction(1, 2), Fraction(1, 10), Fraction(1, 50))


def examine_between(claim: Claim, fact: N.Within, clock: Clock, judge: Judge) -> Finding:
    """A range of a mean, by its two ends."""
    ends: list[End] = [(">=", fact.low), ("<=", fact.high)]
    halves = [_half(claim, fact, end, clock.seconds / 2, judge) for end in ends]
    found = replace(both(halves[0], halves[1]), corrected=None)
    if found.truth != "true":
        return found
    if all(_is_reached(half, end, fact) for half, (_, end) in zip(halves, ends, strict=True)):
        return replace(found, tightness=Tightness(True))
    return replace(found, tightness=_narrower(claim, fact, ends, clock, judge) or found.tightness)


def _half(claim: Claim, fact: N.Within, end: End, seconds: float, judge: Judge) -> Finding:
    op, value = end
    if value == (N.Infinity() if op == "<=" else N.Negate(N.Infinity())):
        return Finding("symbolic", "true", "proved", "an end without bound")
    return judge(claim, N.Relation(op, fact.arg, value), seconds)


def _is_reached(half: Finding, end: N.Node, fact: N.Within) -> bool:
    """Whether a bound comes within 1% of the width of a range between numbers."""
    match fact.low, end, fact.high:
        case N.Number(low), N.Number(value), N.Number(high) if half.tightness is not None:
            away = abs(value) * Fraction(half.tightness.gap_high or 0)
            return half.tightness.tight is True and away <= (high - low) / 100
    return False


def _narrower(claim: Claim, fact: N.Within, ends: list[End], clock: Clock, judge: Judge) -> Tightness | None:
    """The narrowest range between numbers that is shown, with one end moved by 2% of the width at least."""
    if not isinstance(fact.low, N.Number) or not isinstance(fact.high, N.Number):
        return None
    width = fact.high.value - fact.low.value
    moved: list[N.Node] = []
    for op, end in ends:
        assert isinstance(end, N.Number)
        steps = (end.value + share * (width if op == ">=" else -width) for share in _SHARES)
        shown = (x for x in steps if clock.left > 0 and _holds(claim, fact, op, x, clock, judge))
        moved.append(number(next(shown, end.value)))
    if moved == [fact.low, fact.high]:
        return None
    return Tightness(False, better=f"[{to_text(moved[0])}, {to_text(moved[1])}]", proved=True)


def _holds(claim: Claim, fact: N.Within, op: N.Comparison, end: Fraction, clock: Clock, judge: Judge) -> bool:
    found = judge(claim, N.Relation(op, fact.arg, number(end)), max(clock.left / 8, 0.05))
    return found.truth == "true" and found.grade in ("proved", "certified")
