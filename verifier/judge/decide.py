"""The table from evidence to verdict. Nothing else in the program says `holds`.

what was found                                  verdict
------------------------------------------------------------------------------------
nothing satisfies the assumptions               error
a side has no value (a mean does not exist)     error
one engine shows it, another breaks it          inconclusive, and the disagreement is shown
false, by exact or interval arithmetic *        fails
false, by replicated disjoint intervals         fails, sampled
false, by an engine's word alone                unrefuted, on no evidence: not as expected
proved or certified *, and so is a better bound * loose
proved or certified *                           holds; of a bound it is said how tight it is
proved or certified, by an engine's word alone  unrefuted
only searched or sampled, and not broken        unrefuted; on a machine kept busy by others: inconclusive
anything else                                   inconclusive

* Where only checked proofs are trusted (`Settings.trust`), the kernel has accepted a proof of it, and the
evidence is what this proof rests on. Where engines are, their word is enough.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from verifier.claim.model import Claim, Step, VerdictName
from verifier.evidence import GRADES, Finding, Grade, Tightness, weakest
from verifier.expr.nodes import Growth, Infinity, Order, Relation, Within
from verifier.expr.walk import walk
from verifier.judge.grounds import ANY_WORD, Grounds
from verifier.judge.ranges import goes_below_zero
from verifier.judge.sides import correction, side, speaker
from verifier.judge.slack import slack
from verifier.judge.verdict import WORST_FIRST, AssumptionVerdict, HowTight, StepVerdict, Verdict


def decide(step: Step, findings: Sequence[Finding], grounds: Grounds = ANY_WORD) -> StepVerdict:
    """The verdict on one relation from all that was found about it, and from what is proved of it. What an
    engine says is enough to go on with, and for a verdict where engines are trusted."""
    believed = _without_sweeps(step, findings)
    true = _strongest(finding for finding in believed if finding.truth == "true")
    false = _strongest(finding for finding in believed if finding.refutes)
    sure = _strongest(finding for finding in believed if finding.refutes and grounds.suffice(finding))
    disagreement = _disagreement(true, false) or _first(finding.disagreement for finding in findings)
    tightness = _tightness([f for f in findings if f in believed or f.truth == "true"])
    vacuous = _first(finding.vacuous for finding in findings)
    undefined = _first(finding.undefined for finding in findings)
    verdict: VerdictName
    if vacuous is not None:
        verdict, grade, reason = "error", None, f"vacuous: {vacuous}"
    elif undefined is not None:
        verdict, grade, reason = "error", None, f"no value: {undefined}"
    elif disagreement is not None:
        verdict, grade, reason = "inconclusive", None, disagreement
    elif sure is not None:
        verdict, grade, reason = "fails", grounds.grade(sure), sure.reason
    elif false is not None:
        verdict, grade, reason = "unrefuted", None, f"it is called false, but {grounds.lack(false)}"
    elif true is not None and true.proves and not grounds.suffice(true):
        verdict, grade, reason = "unrefuted", "searched", f"nothing breaks it, but {grounds.lack(true)}"
    elif true is not None:
        verdict, grade, reason = _true(step, true, tightness, findings, grounds)
    else:
        verdict, grade, reason = "inconclusive", None, _tried(findings)
    main = sure or true or speaker(findings)
    offered: dict[str, str | None] = {
        "corrected": correction(step.fact, findings) if verdict == "fails" else None,
        "instead": _first(f.instead for f in findings) if verdict == "fails" else None,
        "tight": tightness.known.better if tightness and verdict == "loose" else None,
    }
    how_tight = _how_tight(step.fact, verdict, tightness)
    return StepVerdict(
        fact=step.fact,
        text=step.text,
        position=step.position,
        verdict=verdict,
        evidence=grade,
        reason=reason,
        lhs=side(main, findings, step, "lhs"),
        rhs=side(main, findings, step, "rhs"),
        corrected=offered["corrected"],
        instead=offered["instead"],
        tight=offered["tight"],
        guesses=grounds.guesses(offered, how_tight),
        tightness=how_tight,
        slack=slack(step.fact, tightness.known) if tightness and verdict in ("holds", "loose") else None,
        counterexample=sure.counterexample if sure is not None and verdict == "fails" else None,
        findings=tuple(findings),
        disagreement=disagreement,
        proof=grounds.proof_of(verdict),
    )


def compose(
    claim: Claim,
    steps: Sequence[StepVerdict],
    overall: StepVerdict | None,
    assumptions: Sequence[AssumptionVerdict],
    seconds: float,
) -> Verdict:
    """The verdict on a claim: the worst of its steps, on the weakest of their evidence."""
    if not claim.assumptions:  # which might keep a right side positive
        steps = [_without_slack(claim, step) for step in steps]
    worst = min(steps, key=lambda step: WORST_FIRST.index(step.verdict))
    evidence = _evidence(steps, worst.verdict)
    reason = _reason(steps, worst)
    disagreement = _first(step.disagreement for step in steps)
    return Verdict(
        claim, worst.verdict, evidence, reason, tuple(steps), overall, tuple(assumptions), disagreement,
        seconds=seconds,
    )  # fmt: skip


def _without_slack(claim: Claim, step: StepVerdict) -> StepVerdict:
    """A right side that is negative somewhere has no factor by which it could be smaller."""
    below = isinstance(step.fact, Relation) and goes_below_zero(claim.symbols, step.fact.right)
    return replace(step, slack=None) if below else step


def _evidence(steps: Sequence[StepVerdict], verdict: VerdictName) -> Grade | None:
    """One refuted step refutes a chain, on its own evidence; to be true, every step must be."""
    if verdict == "fails":
        grades = [step.evidence for step in steps if step.verdict == "fails" and step.evidence]
        return min(grades, key=GRADES.index, default=None)
    if any(step.verdict == "unrefuted" and step.evidence is None for step in steps):
        return None  # somebody calls a step false
    if verdict in ("holds", "loose", "unrefuted"):
        return weakest(*(step.evidence for step in steps))
    return None


def _reason(steps: Sequence[StepVerdict], worst: StepVerdict) -> str:
    if len(steps) == 1:
        return worst.reason
    if all(step.verdict == worst.verdict == "holds" for step in steps):
        return "every step holds: " + "; ".join(dict.fromkeys(step.reason for step in steps))
    return f"step {steps.index(worst) + 1}: {worst.reason}"


@dataclass(frozen=True)
class _Known:
    """What is known of how tight a bound is, and on what evidence."""

    known: Tightness
    grade: Grade | None


def _true(
    step: Step, finding: Finding, tightness: _Known | None, findings: Sequence[Finding], grounds: Grounds
) -> tuple[VerdictName, Grade | None, str]:
    grade = grounds.grade(finding)
    if not finding.proves:
        looked = [f for f in findings if f.truth == "true"]
        lacking = [f for f in findings if f.truth != "true"]
        words = f"nothing breaks it ({_tried(looked)}), and nothing proves it"
        words = f"{words} ({_tried(lacking)})" if lacking else words
        starved = any(f.starved for f in findings)
        return ("inconclusive", None, words) if starved else ("unrefuted", "searched", words)
    if tightness is not None and tightness.known.tight is False and _may_be_loose(step.fact):
        note = tightness.known.note
        words = f"{finding.reason}; {note}" if note else finding.reason
        if tightness.known.proved and (grounds.trust == "engines" or grounds.show("loose")):
            return "loose", weakest(grade, grounds.grade_of("loose") or tightness.grade), words
        return "holds", grade, f"{words}: perhaps it can be improved, which nobody proved"
    if needs_tightness(step.fact) and (tightness is None or tightness.known.tight is None):
        return "holds", grade, f"{finding.reason}; how tight it is was not decided"
    return "holds", grade, finding.reason


def _how_tight(fact: Relation | Within, verdict: VerdictName, tightness: _Known | None) -> HowTight | None:
    """None where the question does not arise: for equalities, and for what is not known to be true."""
    if verdict == "loose":
        return "loose"
    if verdict not in ("holds", "unrefuted") or not needs_tightness(fact):
        return None
    if tightness is None or tightness.known.tight is None:
        return "unknown"
    return "tight" if tightness.known.tight else "suspected-loose"


def _may_be_loose(fact: Relation | Within) -> bool:
    return needs_tightness(fact) or _bounds_an_order(fact)


def needs_tightness(fact: Relation | Within) -> bool:
    """Equalities hold or not; bounds, ranges and upper orders may also be loose."""
    if isinstance(fact, Within):
        return fact.low != fact.high
    if isinstance(fact.right, Growth):
        return fact.right.kind != "Theta"
    if isinstance(fact.right, Infinity):
        return False
    if _speaks_of_orders(fact):
        return False
    return fact.op != "=="


def _bounds_an_order(fact: Relation | Within) -> bool:
    """At most, or at least, of an order of magnitude: how tight that is need not be known."""
    return isinstance(fact, Relation) and fact.op != "==" and _speaks_of_orders(fact)


def _speaks_of_orders(fact: Relation) -> bool:
    """order(1e-2), or products and quotients of orders."""
    return any(isinstance(node, Order) for node in walk(fact))


def _strongest(findings: Iterable[Finding]) -> Finding | None:
    graded = [finding for finding in findings if finding.grade is not None]
    return min(graded, key=lambda finding: GRADES.index(finding.grade or "searched"), default=None)


def _disagreement(true: Finding | None, false: Finding | None) -> str | None:
    """A search that found nothing is no contradiction to a counterexample; everything else is, and so are
    sides that agree on every draw."""
    if true is None or false is None or true.grade == "searched":
        return None
    return (
        f"the engines disagree: {true.engine} says true ({true.reason}), "
        f"{false.engine} says false ({false.reason}); one of them has a bug"
    )


def _without_sweeps(step: Step, findings: Sequence[Finding]) -> Sequence[Finding]:
    """Beside a proof of a growth, what a sweep over finitely many sizes shows is no contradiction."""
    if not isinstance(step.fact, Relation) or not isinstance(step.fact.right, Growth):
        return findings
    proved = any(f.truth != "unknown" and f.grade in ("proved", "certified") for f in findings)
    return [f for f in findings if not (proved and f.grade == "sampled")]


def _tightness(findings: Sequence[Finding]) -> _Known | None:
    known = [f for f in findings if f.tightness is not None and f.tightness.tight is not None]
    ranked = sorted(known, key=lambda f: GRADES.index(f.grade) if f.grade else len(GRADES))
    # A single point that comes within 1% shows tightness, whoever found it.
    for finding in ranked:
        if finding.tightness and finding.tightness.tight:
            return _Known(finding.tightness, finding.grade)
    shown = [f for f in ranked if f.tightness is not None and f.tightness.proved] or ranked
    if not shown or shown[0].tightness is None:
        return None
    found = [finding.tightness for finding in shown if finding.tightness is not None]
    chosen = replace(found[0], better=_first(one.better for one in found))
    return _Known(_widest(chosen, found), shown[0].grade)


def _widest(chosen: Tightness, found: Sequence[Tightness]) -> Tightness:
    """A gap that is proved is not closed by a point in floating point."""
    least = max((one.gap_low for one in found if one.proved and one.gap_low is not None), default=None)
    if least is None or chosen.gap_high is None or least <= chosen.gap_high:
        return chosen
    return replace(chosen, gap_low=least, gap_high=least)


def _tried(findings: Sequence[Finding]) -> str:
    """What each engine said, those that said the same together."""
    said: dict[str, list[str]] = {}
    for finding in findings:
        said.setdefault(_words(finding), []).append(finding.engine)
    parts = [f"{', '.join(dict.fromkeys(engines))}: {words}" for words, engines in said.items()]
    return " | ".join(parts) or "no engine was asked"


def _words(finding: Finding) -> str:
    stopped = "; the clock stopped it" if finding.ran_out and finding.truth == "unknown" else ""
    if finding.missing is None:
        return (finding.reason or "no answer") + stopped
    missing = f"missing: {finding.missing}"
    repeated = finding.reason in finding.missing or finding.missing in finding.reason
    return (missing if repeated else f"{finding.reason}; {missing}") + stopped


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value is not None), None)
