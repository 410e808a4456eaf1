"""One claim, all engines: what is asked of whom, in which order, and with what share of the time.

This runs inside a worker process. It emits each finding as soon as it is there, so that what is
known survives a kill; the parent composes the verdict.
"""

from functools import partial

from verifier.claim.build import Draft, build
from verifier.evidence import GRADES, Finding, weakest
from verifier.judge.decide import decide, needs_tightness
from verifier.run.again import Watch, ask_again, say_if_busy
from verifier.run.asking import Case, examine_cases
from verifier.run.attained import attain
from verifier.run.complete import complete
from verifier.run.drawwise import drawwise
from verifier.run.ends import measure_ends
from verifier.run.events import Emit, Found, Shown
from verifier.run.expand import expand
from verifier.run.means import without_value
from verifier.run.meeting import meet
from verifier.run.mend import mend
from verifier.run.overall import OVERALL, overall
from verifier.run.prove import Brake, Prover
from verifier.run.relax import relax
from verifier.run.rerange import rerange
from verifier.run.restate import restate
from verifier.run.second_moments import by_second_moments
from verifier.run.settings import Settings
from verifier.run.special import specialise
from verifier.run.squeeze import settle, sharpen, squeeze
from verifier.run.vacuity import vacuity
from verifier.run.widen import widen
from verifier.timer import worked

LEAST_SECONDS = 0.1
TIGHT_SHARE, EXPAND_SHARE, DRAWS_SHARE = 0.25, 0.1, 0.3
SQUEEZE_SHARE, WIDEN_SHARE, SPECIAL_SHARE, OVERALL_SHARE = 0.3, 0.12, 0.6, 0.3
RESTATE_SHARE, RANGE_SHARE, ATTAIN_SHARE, MEETING_SHARE = 0.06, 0.25, 0.3, 0.1
CHAIN_SHARE = 0.15
MOMENTS_SECONDS = 0.2


def examine_claim(plan: Draft, settings: Settings, emit: Emit) -> None:
    """All findings about a claim, then what each of its assumptions buys, or what would save it.

    The exact engines see every step before anything is searched or sampled, so that a long chain
    does not lose its proofs to a slow witness."""
    claim = build(plan)
    questions = list(enumerate(claim.steps))
    whole = overall(claim)
    if whole is not None:
        questions.append((OVERALL, whole))
    brake = Brake(settings.proving)
    provers = [Prover(claim, step, at, emit, brake) for at, step in enumerate(claim.steps)]
    cases = [
        Case(claim, step, settings, emit, partial(_tell, emit, Found, at), partial(_tell, emit, Shown, at))
        for at, step in questions
    ]
    for case, prover in zip(cases, provers, strict=False):
        case.argue, case.is_checked = prover.hear, prover.is_checked
    watch = Watch()
    deadline = watch.worked + settings.soft_seconds
    if (nothing := vacuity(cases[0])) is not None:
        for case in cases:
            case.hear(nothing)
    for case in cases:
        if (absent := without_value(claim, case.step)) is not None:
            case.hear(absent)
    steps = cases[: len(claim.steps)]
    examine_cases(steps, settings, settings.soft_seconds)
    for case in steps:
        by_second_moments(case, MOMENTS_SECONDS)
    for case in cases[len(steps) :]:
        _conclude(case, steps, max(deadline - worked(), OVERALL_SHARE * settings.soft_seconds))
    for case in cases if len(cases) == 1 else ():
        specialise(case, SPECIAL_SHARE * settings.soft_seconds)
    for case in steps:
        drawwise(case, DRAWS_SHARE * settings.soft_seconds)
        expand(case, EXPAND_SHARE * settings.soft_seconds)
    # A bound that is proved should not stay undecided because a search took all of the time.
    later = max(deadline, worked() + TIGHT_SHARE * settings.soft_seconds)
    for case in cases:
        open_still = decide(case.step, case.findings).is_open
        left = (later if open_still else deadline) - worked()
        if left < LEAST_SECONDS:
            continue
        meet(case, min(left, MEETING_SHARE * settings.soft_seconds))
        attain(case, min(left, ATTAIN_SHARE * settings.soft_seconds))
        squeeze(case, min(left, SQUEEZE_SHARE * settings.soft_seconds))
        settle(case, min(left, SQUEEZE_SHARE * settings.soft_seconds))
        sharpen(case, min(left, SQUEEZE_SHARE * settings.soft_seconds))
        measure_ends(case, min(left, SQUEEZE_SHARE * settings.soft_seconds))
        widen(case, min(left, WIDEN_SHARE * settings.soft_seconds))
        complete(case, min(left, CHAIN_SHARE * settings.soft_seconds))
        rerange(case, min(left, RANGE_SHARE * settings.soft_seconds))
        restate(case, min(left, RESTATE_SHARE * settings.soft_seconds))
    for case in steps:
        ask_again(case, watch)
        say_if_busy(case, watch)
        case.argue(case.findings)
    verdicts = [decide(case.step, case.findings) for case in steps]
    relax(plan, claim, verdicts, settings, emit)
    mend(plan, claim, verdicts, settings, emit)


def _tell(emit: Emit, kind: type[Found] | type[Shown], at: int, finding: Finding) -> None:
    emit(kind(at, finding))


def _conclude(ends: Case, steps: list[Case], seconds: float) -> None:
    """First against last: where every step is proved it follows, but for how tight it is; else it is asked
    about too."""
    proofs = [[f.grade for f in step.findings if f.proves] for step in steps]
    if all(proofs):
        # Each step on the best evidence that there is for it, the whole on the weakest of these.
        grade = weakest(*(min(grades, key=lambda one: GRADES.index(one or "searched")) for grades in proofs))
        ends.hear(Finding("rules", "true", grade, "it follows from the steps"))
        seconds = OVERALL_SHARE * ends.settings.soft_seconds if needs_tightness(ends.step.fact) else 0.0
    if seconds > 0:
        examine_cases([ends], ends.settings, seconds)
