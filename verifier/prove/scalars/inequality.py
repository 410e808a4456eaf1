"""left <= right for scalars: proved by signs of coefficients, real roots or squares, refuted at a point."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain

import sympy as sp

from verifier.claim.model import Step
from verifier.evidence import Budget, Finding, Tightness
from verifier.exact.values.recheck import Rechecked, recheck
from verifier.expr.text import to_text
from verifier.prove.limits.divergence import infinite
from verifier.prove.ranges import engine as rigorous
from verifier.prove.scalars.assumed_relations import rewritten
from verifier.prove.scalars.coefficient_signs import Sign, sign
from verifier.prove.scalars.equality import look
from verifier.prove.scalars.gammas import sign_of_gammas
from verifier.prove.scalars.identically_zero import expand_sums, vanishes
from verifier.prove.scalars.invariant_inequalities import exponential_variables, falling, related
from verifier.prove.scalars.quadratic_squares import is_sum_of_squares
from verifier.prove.scalars.real_roots import sign_on_line, signs_on_line
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.scalar_relation import Reading
from verifier.prove.scalars.tightness import tightness

MAX_WORDS = 200


def decide(reading: Reading) -> Finding:
    """True where the slack is seen to be >= 0 (or > 0) everywhere and no point contradicts it."""
    unbounded = infinite(reading)
    if unbounded is not None:
        return unbounded
    slack = reading.right - reading.left if reading.fact.op in ("<=", "<") else reading.left - reading.right
    strict = reading.fact.op in ("<", ">")
    try:
        with reading.clock.guard(0.5):
            known = slack_sign(reading, slack, strict)
    except Refused:
        known = None
    proved = known == "positive" or (not strict and known in ("nonnegative", "zero"))
    broken, confirmed, undefined = look(reading, 3 if proved else 40)
    if broken is None and not proved:
        broken = _on_line(reading, slack, strict)
    if proved and broken is not None:
        return reading.finding("unknown", missing="one answer", reason="signs and evaluation disagree")
    if broken is not None:
        return reading.finding(
            "false",
            broken.grade,
            reason="a point breaks the inequality",
            counterexample=broken.counterexample,
            corrected=reading.correction(),
            excluded=tuple(sorted(undefined)),
        )
    if not proved and (enclosed := _by_enclosure(reading)) is not None:
        return replace(enclosed, excluded=tuple(sorted(undefined)))
    if not proved or not confirmed:
        missing = "a proof of the inequality" if not proved else "a point where both sides are defined"
        # Others may have the proof, and not know how close the sides come.
        return reading.finding(
            "unknown",
            missing=missing,
            reason="no point breaks it, and no proof was found",
            tightness=_tightness(reading) if reading.clock.left > 0 else None,
        )
    words = str(reading.shortest(slack))
    slack_words = words if len(words) <= MAX_WORDS else "of the two sides"
    reason = f"the slack {slack_words} is {known} for every value of the symbols"
    return reading.finding(
        "true", "proved", reason=reason, tightness=_tightness(reading), excluded=tuple(sorted(undefined))
    )


def _by_enclosure(reading: Reading) -> Finding | None:
    """What is left once limits and means are worked out may be a matter of interval arithmetic."""
    if reading.is_plain or reading.conditions or reading.is_guess or reading.clock.left <= 0:
        return None
    try:
        fact = reading.checked
        step = Step(fact, to_text(fact), reading.claim.position)
    except Refused:
        return None
    found = rigorous.examine(reading.claim, step, Budget(min(reading.clock.left / 3, 1.0)))
    if found.truth != "true":
        return None
    made = reading.finding("true", found.grade, reason=found.reason, tightness=found.tightness)
    return replace(made, region=found.region)


def _on_line(reading: Reading, slack: sp.Expr, strict: bool) -> Rechecked | None:
    """A rational point between the roots of a slack of one variable where it is negative."""
    if len(slack.free_symbols) != 1 or not reading.is_plain:
        return None
    (variable,) = slack.free_symbols
    for place, found in signs_on_line(slack, reading.translator.spans).items():
        if place.is_Rational and (found < 0 or (strict and found == 0)):
            point = {variable.name: Fraction(int(place.p), int(place.q))}
            outcome = recheck(reading.claim, reading.fact, point)
            if outcome.outcome == "false":
                return outcome
    return None


def slack_sign(reading: Reading, slack: sp.Expr, strict: bool = False) -> Sign | None:
    """The sign of an expression over the domain, by the first method that tells; where `strict`, by the
    first that tells whether it is never 0."""
    plain = sp.expand_log(expand_sums(slack))
    slack, more = exponential_variables(plain, reading.translator.spans)
    spans = {**reading.translator.spans, **more}
    found = sign(slack, spans)
    if found is None and vanishes(slack, reading.clock):
        found = "zero"
    if found is None and len(slack.free_symbols) == 1:
        found = sign_on_line(slack, spans)
    if found is None and is_sum_of_squares(slack):
        found = "nonnegative"
    ways = (related(reading.translator, slack), rewritten(reading, slack), falling(plain, spans))
    for variant, wider in chain(*ways):
        if found is None or (strict and found == "nonnegative"):
            found = sign(variant, {**wider, **more}) or found
    if found is None and plain.has(sp.gamma, sp.factorial):
        found = sign_of_gammas(plain, spans)
    return found


def _tightness(reading: Reading) -> Tightness | None:
    try:
        with reading.clock.guard(0.6):
            return tightness(reading)
    except Refused as refusal:
        return Tightness(None, note=refusal.reason)


def both(low: Finding, high: Finding) -> Finding:
    """expr in [low, high] from its two halves."""
    for half in (low, high):
        if half.truth == "false":
            return half
    if low.truth == high.truth == "true":
        return replace(low, tightness=None, reason=f"{low.reason}; {high.reason}")
    return low if low.truth == "unknown" else high
