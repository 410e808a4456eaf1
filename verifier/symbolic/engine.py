"""The symbolic engine: exact closed forms of both sides, compared for all values of the symbols."""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding, Tightness
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.symbolic.clock import Clock
from verifier.symbolic.correct import correction
from verifier.symbolic.decide import Sides, is_zero, sides, unknown_scalars
from verifier.symbolic.forms import Form
from verifier.symbolic.inequality import proves, tightness
from verifier.symbolic.lower import Lowering
from verifier.symbolic.network import missing_moments
from verifier.symbolic.reading import read
from verifier.symbolic.refusal import OutOfTime, Refusal
from verifier.symbolic.refute import refute
from verifier.symbolic.write import Writer

NAME = "symbolic"


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """Judge one relation of the claim."""
    clock = Clock(budget.seconds)
    fact = step.fact
    if not isinstance(fact, N.Relation):
        return _unknown(clock, "a closed form of a range")
    try:
        return read(
            claim,
            [fact.left, fact.right],
            clock,
            lambda lowering: _judge(claim, fact, lowering, clock, budget.seed),
            record=True,
        )
    except OutOfTime:
        return _unknown(clock, "more time: the closed forms are large")
    except Refusal as refusal:
        return _unknown(clock, refusal.missing)


def _unknown(clock: Clock, missing: str, reason: str = "") -> Finding:
    return Finding(NAME, "unknown", missing=missing, reason=reason, seconds=clock.elapsed)


def _judge(claim: Claim, fact: N.Relation, lowering: Lowering, clock: Clock, seed: int) -> Finding:
    found = sides(lowering, fact)
    made = Finding(
        NAME,
        "unknown",
        lhs=_text(found, found.left),
        rhs=_text(found, found.right),
        derivation=tuple(lowering.integrator.lines),
    )
    same = fact.op in ("==", "<=", ">=") and is_zero(found.space, found.difference)
    if same:
        tight = None if fact.op == "==" else Tightness(True, Fraction(0), Fraction(0))
        reason = "both sides have the same closed form"
        return _timed(clock, replace(made, truth="true", grade="proved", reason=reason, tightness=tight))
    unknown = sorted({*missing_moments(found.difference), *unknown_scalars(found.space, found.difference)})
    if unknown:
        return _timed(clock, replace(made, missing=", ".join(unknown), reason="a needed moment is not stated"))
    if fact.op != "==" and proves(lowering, fact.op, found):
        tight = tightness(lowering, fact, found, clock, seed)
        reason = "the difference of the closed forms is signed"
        return _timed(clock, replace(made, truth="true", grade="proved", reason=reason, tightness=tight))
    refuted = refute(claim, fact, found.space, found.left, found.right, clock, seed)
    if refuted is None:
        reason = "the closed forms differ, and no small point shows it"
        return _timed(clock, replace(made, missing="a decision between the closed forms", reason=reason))
    corrected = correction(claim, fact, found, clock)
    return _timed(
        clock,
        replace(
            made,
            truth="false",
            grade=refuted.grade,
            reason="the closed forms differ",
            corrected=corrected,
            counterexample=refuted.example,
        ),
    )


def _timed(clock: Clock, finding: Finding) -> Finding:
    return replace(finding, seconds=clock.elapsed)


def _text(found: Sides, form: Form) -> str | None:
    try:
        return to_text(Writer(found.space).form(form))
    except Refusal:
        return None
