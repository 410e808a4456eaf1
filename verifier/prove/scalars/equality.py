"""left == right for scalars: proved by rewriting, refuted at a point."""

from verifier.evidence import Finding
from verifier.exact.values.compare_at_point import compare_claim
from verifier.exact.values.recheck import Rechecked, admissible, recheck
from verifier.expr import nodes as n
from verifier.prove.limits.divergence import infinite
from verifier.prove.scalars.assumed_relations import follows
from verifier.prove.scalars.exact_points import Point, points
from verifier.prove.scalars.identically_zero import vanishes
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading

TRIALS = 24
CONFIRMATIONS = 5
NO_POINT = "a point where both sides are defined"


def decide(reading: Reading) -> Finding:
    """True where the difference vanishes identically and no point contradicts it."""
    unbounded = infinite(reading)
    if unbounded is not None:
        return unbounded
    late = ""
    try:
        with reading.clock.guard(0.6):
            proved = vanishes(reading.difference, reading.clock) or follows(reading, reading.difference)
    except Refused as refusal:
        proved, late = False, refusal.reason
    broken, confirmed, undefined = look(reading, CONFIRMATIONS if proved else TRIALS)
    if proved and broken is not None:
        return reading.finding("unknown", missing="one answer", reason="rewriting and evaluation disagree")
    excluded = tuple(sorted(undefined))
    if broken is not None:
        return reading.finding(
            "false",
            broken.grade,
            reason="the two sides differ at a point",
            counterexample=broken.counterexample,
            corrected=reading.correction(),
            excluded=excluded,
        )
    if proved and confirmed:
        reason = f"the difference of the two sides simplifies to 0; it does at {confirmed} points too"
        return reading.finding("true", "proved", reason=reason, excluded=excluded)
    if proved:
        reason = "the difference simplifies to 0, but no point was found at which both sides are defined"
        return reading.finding("unknown", missing=NO_POINT, reason=reason)
    reason = late or "the difference was not simplified to 0"
    return reading.finding("unknown", missing="a rule that decides this identity", reason=reason)


def look(reading: Reading, enough: int = TRIALS) -> tuple[Rechecked | None, int, set[str]]:
    """A point that breaks the relation, how many confirm it (`enough` suffice), why some were left out."""
    confirmed, undefined = 0, set[str]()
    try:
        fact, claim = reading.checked, reading.generic
    except Refused:
        return None, 0, undefined
    for point in points(reading.claim, (reading.fact, fact), TRIALS):
        if reading.clock.left <= 0:
            break
        found = recheck(claim, fact, point)
        if found.outcome == "false":
            return found, confirmed, undefined
        if found.outcome == "true" or (found.outcome == "undecided" and _overlap(reading, fact, point)):
            confirmed += 1
        if found.outcome == "undefined":
            undefined.add(found.reason)
        if confirmed >= enough:
            break
    return None, confirmed, undefined


def _overlap(reading: Reading, fact: n.Relation, point: Point) -> bool:
    """Both sides were computed there, and their enclosures overlap to the last of 1024 bits."""
    if admissible(reading.claim, point).outcome != "true":
        return False
    return compare_claim(reading.claim, fact, point).left is not None
