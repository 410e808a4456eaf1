"""One claim, all engines: what is asked of whom, in which order, and with what share of the time.

This runs inside a worker process. It emits each finding as soon as it is there, so that what is
known survives a kill; the parent composes the verdict.
"""

import importlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol, cast

from verifier.claim.build import Draft, build
from verifier.claim.model import Assumption, Claim, Step
from verifier.claim.problems import SpecError
from verifier.evidence import Budget, Finding
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Comparison, Growth, Limit, Order, Relation
from verifier.expr.syntax import parse
from verifier.expr.walk import walk
from verifier.judge.assumptions import buys
from verifier.judge.decide import decide, needs_tightness
from verifier.judge.verdict import AssumptionVerdict, StepVerdict
from verifier.run.confirm import confirm
from verifier.run.limits import Overran, at_most
from verifier.run.settings import Engine, Settings

OVERALL = -1
WITNESS_SECONDS = 0.6
LEAST_SECONDS = 0.2
OVERRUN = 1.5


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


def load_engine(engine: Engine) -> Examine:
    return cast(Examine, importlib.import_module(engine.module).examine)


def examine_claim(plan: Draft, settings: Settings, emit: Emit) -> None:
    """All findings about a claim, then what each of its assumptions buys.

    The exact engines see every step before anything is searched or sampled, so that a long chain
    does not lose its proofs to a slow witness."""
    claim = build(plan)
    questions = list(enumerate(claim.steps))
    whole = overall(claim)
    if whole is not None:
        questions.append((OVERALL, whole))
    cases = [
        Case(claim, step, settings, emit, lambda finding, at=at: emit(Found(at, finding)))  # type: ignore[misc]
        for at, step in questions
    ]
    examine_cases(cases, settings, settings.soft_seconds)
    verdicts = [decide(case.step, case.findings) for case in cases[: len(claim.steps)]]
    _assumptions(plan, claim, verdicts, settings, emit)


def examine_cases(cases: Sequence["Case"], settings: Settings, seconds: float) -> None:
    """Ask the engines, round by round: every case meets the exact ones before any is searched."""
    deadline = time.monotonic() + seconds
    for number in sorted({engine.round for engine in settings.engines}):
        engines = [engine for engine in settings.engines if engine.round == number]
        for at, case in enumerate(cases):
            share = max(deadline - time.monotonic(), 0.0) / (len(cases) - at)
            for engine in engines:
                case.ask(engine, share / len(engines))


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


@dataclass
class Case:
    """One relation on its way through the engines."""

    claim: Claim
    step: Step
    settings: Settings
    emit: Emit
    tell: Callable[[Finding], None]
    findings: list[Finding] = field(default_factory=list)

    def ask(self, engine: Engine, seconds: float) -> None:
        """Let one engine speak, unless there is nothing left for it to say."""
        settled = _settled(self.step, self.findings)
        wanted = witness_may_speak(self.findings) if engine.is_witness else self._may_correct(engine)
        if settled and not wanted:
            return
        if settled:
            # A second witness to what is proved: a few points, not an estimate to many digits.
            seconds = min(seconds, WITNESS_SECONDS)
        budget = Budget(max(seconds, LEAST_SECONDS), self.settings.seed, self.settings.device)
        self.emit(Stage(f"{engine.name}: {self.step.text[:60]}"))
        start = time.monotonic()
        examine = load_engine(engine)
        finding = heard(engine, examine, self.claim, self.step, budget)
        if engine.is_witness and finding.disagreement is None:
            opinion = replace(budget, seconds=WITNESS_SECONDS)
            ask = partial(heard, engine, examine, self.claim, budget=opinion)
            words = _second_opinion(self.claim, self.step, self.findings, ask)
            finding = replace(finding, disagreement=words)
        finding = replace(finding, seconds=time.monotonic() - start)
        self.findings.append(finding)
        self.tell(finding)

    def _may_correct(self, engine: Engine) -> bool:
        """An equality that one exact engine refuted, and that another may put right."""
        equality = isinstance(self.step.fact, Relation) and self.step.fact.op == "=="
        first = engine.round == min(other.round for other in self.settings.engines)
        refuted = any(f.truth == "false" for f in self.findings)
        return equality and first and refuted and not any(f.corrected for f in self.findings)


def heard(engine: Engine, examine: Examine, claim: Claim, step: Step, budget: Budget) -> Finding:
    """What an engine says. A bug in it costs its own word and not that of the others, and is shown."""
    try:
        with at_most(OVERRUN * budget.seconds + WITNESS_SECONDS):
            return confirm(claim, step, examine(claim, step, budget))
    except Overran:
        reason = f"no answer within {budget.seconds:.2g} s"
    except MemoryError:
        reason = "it ran out of memory"
    except RecursionError:
        reason = "it nested too deeply"
    except Exception as error:
        reason = f"it failed with {type(error).__name__}: {error}"
    return Finding(engine.name, "unknown", reason=reason)


def _second_opinion(
    claim: Claim, step: Step, findings: list[Finding], ask: Callable[[Step], Finding]
) -> str | None:
    """The numeric witness on a correction: `lhs == corrected` must survive sampling too."""
    text = next((finding.corrected for finding in findings if finding.corrected), None)
    if text is None or not isinstance(step.fact, Relation) or step.fact.op != "==":
        return None
    if any(isinstance(node, Growth | Order | Limit) for node in walk(step.fact)):
        return None
    try:
        corrected = elaborate(parse(text), claim.scope)
        mended = replace(step, fact=Relation("==", step.fact.left, corrected))
    except (ExprError, ShapeError) as error:
        return f"the correction {text!r} is not an expression of this claim: {error}"
    finding = ask(mended)
    if finding.truth == "false":
        return f"the correction {text!r} does not survive sampling: {finding.reason}"
    return finding.disagreement


def _settled(step: Step, findings: list[Finding]) -> bool:
    """Nothing more is to be found out: refuted exactly, or proved and known how tight."""
    strong = [f for f in findings if f.grade in ("proved", "certified")]
    if any(f.vacuous for f in findings) or any(f.truth == "false" for f in strong):
        return True
    if not any(f.truth == "true" for f in strong):
        return False
    known = any(f.tightness is not None and f.tightness.tight is not None for f in findings)
    return known or not needs_tightness(step.fact)


def witness_may_speak(findings: list[Finding]) -> bool:
    """The second witness is heard wherever it can be, a certified range apart: that is one
    computation in interval arithmetic, and sampling it again adds nothing."""
    return not any(f.vacuous or (f.engine == "rigorous" and f.truth != "unknown") for f in findings)


def _assumptions(
    plan: Draft, claim: Claim, verdicts: list[StepVerdict], settings: Settings, emit: Emit
) -> None:
    """Judge the claim again without each of its assumptions."""
    true = all(step.verdict in ("holds", "loose") for step in verdicts)
    share = settings.soft_seconds / 4 / max(len(claim.assumptions), 1)
    for assumption in claim.assumptions:
        emit(Stage(f"without {assumption.name}"))
        try:
            relaxed = build(plan.without(assumption.name))
        except SpecError as error:
            emit(Bought(AssumptionVerdict(assumption.name, "needed", reason=error.problem.message)))
            continue
        silent: list[Case] = [
            Case(relaxed, step, settings, lambda event: None, lambda finding: None) for step in relaxed.steps
        ]
        examine_cases(silent, settings, share)
        steps = [decide(case.step, case.findings) for case in silent]
        bought = buys(assumption, true, steps)
        gap = _gap(relaxed, assumption, share)
        emit(Bought(replace(bought, violated=gap is not None, gap=gap)))


def _gap(relaxed: Claim, assumption: Assumption, seconds: float) -> str | None:
    """By how much the assumption contradicts the declared laws, if it does."""
    if assumption.independence is None:
        return None
    # Loaded in the worker alone, like the engines: the parent process never needs SymPy.
    from verifier.run.violations import independence_gap

    try:
        with at_most(OVERRUN * seconds + WITNESS_SECONDS):
            return independence_gap(relaxed, assumption, seconds)
    except (Overran, Exception):
        return None
