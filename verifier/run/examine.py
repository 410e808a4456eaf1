"""One claim, all engines: what is asked of whom, in which order, and with what share of the time.

This runs inside a worker process. It emits each finding as soon as it is there, so that what is
known survives a kill; the parent composes the verdict.
"""

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, cast

from verifier.claim.build import Draft, build
from verifier.claim.model import Claim, Step
from verifier.claim.problems import SpecError
from verifier.evidence import Budget, Finding
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Comparison, Relation
from verifier.expr.syntax import parse
from verifier.judge.assumptions import buys
from verifier.judge.decide import decide, needs_tightness
from verifier.judge.verdict import AssumptionVerdict, StepVerdict
from verifier.run.confirm import confirm
from verifier.run.settings import Settings

OVERALL = -1


class Examine(Protocol):
    def __call__(self, claim: Claim, step: Step, budget: Budget) -> Finding: ...


@dataclass(frozen=True)
class Stage:
    """What is being tried now, for the progress line."""

    words: str


@dataclass(frozen=True)
class Found:
    """A finding about one step (OVERALL: first against last of a chain)."""

    step: int
    finding: Finding


@dataclass(frozen=True)
class Bought:
    """What an assumption buys."""

    verdict: AssumptionVerdict


Event = Stage | Found | Bought
Emit = Callable[[Event], None]

# In the order asked. Modules are imported when first needed: torch takes seconds to load.
ENGINES: dict[str, str] = {
    "rigorous": "verifier.rigorous.engine",
    "symbolic": "verifier.symbolic.engine",
    "search": "verifier.search.engine",
    "numeric": "verifier.numeric.engine",
}


def engine(name: str) -> Examine:
    return cast(Examine, importlib.import_module(ENGINES[name]).examine)


def examine_claim(plan: Draft, settings: Settings, emit: Emit) -> None:
    """All findings about a claim, then what each of its assumptions buys."""
    claim = build(plan)
    deadline = time.monotonic() + settings.soft_seconds
    questions = list(enumerate(claim.steps))
    whole = overall(claim)
    if whole is not None:
        questions.append((OVERALL, whole))
    verdicts = []
    for at, (number, step) in enumerate(questions):
        share = max((deadline - time.monotonic()) / (len(questions) - at), 0.5)
        budget = Budget(share, settings.seed, settings.device, settings.memory_bytes)

        def tell(finding: Finding, number: int = number) -> None:
            emit(Found(number, finding))

        findings = examine_step(claim, step, budget, tell, emit)
        if number != OVERALL:
            verdicts.append(decide(step, findings))
    _assumptions(plan, claim, verdicts, settings, emit)


def overall(claim: Claim) -> Step | None:
    """First against last of a chain: what the whole proof claims to show."""
    relations = [step.fact for step in claim.steps]
    if len(relations) < 2 or not all(isinstance(fact, Relation) for fact in relations):
        return None
    chain = cast(list[Relation], relations)
    op = _combined([fact.op for fact in chain])
    if op is None:
        return None
    fact = Relation(op, chain[0].left, chain[-1].right)
    return Step(fact, f"first {op} last", claim.steps[-1].position)


def _combined(ops: list[Comparison]) -> Comparison | None:
    """a == b <= c < d gives a < d; relations in both directions give nothing."""
    kinds = set(ops) - {"=="}
    if not kinds:
        return "=="
    if kinds <= {"<=", "<"}:
        return "<" if "<" in kinds else "<="
    if kinds <= {">=", ">"}:
        return ">" if ">" in kinds else ">="
    return None


def examine_step(
    claim: Claim, step: Step, budget: Budget, tell: Callable[[Finding], None], emit: Emit
) -> list[Finding]:
    """Ask the engines until the relation is decided; the numeric witness always speaks."""
    deadline = time.monotonic() + budget.seconds
    findings: list[Finding] = []
    for name in ENGINES:
        if name != "numeric" and _settled(step, findings):
            continue
        if name == "numeric" and not numeric_may_speak(step, findings):
            continue
        left = deadline - time.monotonic()
        share = {"rigorous": 0.6, "symbolic": 0.8, "search": 0.7, "numeric": 1.0}[name]
        emit(Stage(f"{name}: {step.text[:60]}"))
        start = time.monotonic()
        finding = engine(name)(claim, step, replace(budget, seconds=max(left * share, 0.3)))
        finding = replace(confirm(claim, step, finding), seconds=time.monotonic() - start)
        if name == "numeric":
            # A quarter of what is left is plenty: the correction is an equality at a few points.
            opinion = replace(budget, seconds=max((deadline - time.monotonic()) / 4, 0.3))
            words = finding.disagreement or _second_opinion(claim, step, findings, opinion)
            finding = replace(finding, disagreement=words)
        findings.append(finding)
        tell(finding)
    return findings


def _second_opinion(claim: Claim, step: Step, findings: list[Finding], budget: Budget) -> str | None:
    """The numeric witness on a correction: `lhs == corrected` must survive sampling too."""
    text = next((finding.corrected for finding in findings if finding.corrected), None)
    if text is None or not isinstance(step.fact, Relation) or step.fact.op != "==":
        return None
    try:
        corrected = elaborate(parse(text), claim.scope)
        mended = replace(step, fact=Relation("==", step.fact.left, corrected))
    except (ExprError, ShapeError) as error:
        return f"the correction {text!r} is not an expression of this claim: {error}"
    finding = confirm(claim, mended, engine("numeric")(claim, mended, budget))
    if finding.truth == "false":
        return f"the correction {text!r} does not survive sampling: {finding.reason}"
    return finding.disagreement


def _settled(step: Step, findings: list[Finding]) -> bool:
    """Nothing more is to be found out: refuted exactly, or proved and known how tight."""
    strong = [f for f in findings if f.grade in ("proved", "certified")]
    if any(f.truth == "false" for f in strong):
        return True
    if not any(f.truth == "true" for f in strong):
        return False
    known = any(f.tightness is not None and f.tightness.tight is not None for f in findings)
    return known or not needs_tightness(step.fact)


def numeric_may_speak(step: Step, findings: list[Finding]) -> bool:
    """The second witness is heard wherever it can be, a certified range apart: that is one
    computation in interval arithmetic, and sampling it again adds nothing."""
    return not any(f.engine == "rigorous" and f.truth != "unknown" for f in findings)


def _assumptions(
    plan: Draft, claim: Claim, verdicts: list[StepVerdict], settings: Settings, emit: Emit
) -> None:
    """Judge the claim again without each of its assumptions."""
    true = all(step.verdict in ("holds", "loose") for step in verdicts)
    for assumption in claim.assumptions:
        emit(Stage(f"without {assumption.name}"))
        try:
            relaxed = build(plan.without(assumption.name))
        except SpecError as error:
            emit(Bought(AssumptionVerdict(assumption.name, "needed", reason=error.problem.message)))
            continue
        steps = []
        budget = Budget(settings.soft_seconds / 5 / len(claim.assumptions), settings.seed, settings.device)
        for step in relaxed.steps:
            findings = examine_step(relaxed, step, budget, lambda finding: None, lambda event: None)
            steps.append(decide(step, findings))
        emit(Bought(buys(assumption, true, steps)))
