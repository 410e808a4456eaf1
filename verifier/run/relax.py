"""What each assumption buys: the claim, judged again without it."""

from collections.abc import Sequence
from dataclasses import replace

from verifier.claim.build import Draft, build
from verifier.claim.model import Assumption, Claim
from verifier.claim.problems import SpecError
from verifier.expr.nodes import Relation, Symbol
from verifier.expr.symbols import Dimension, IndexOf, Integer
from verifier.expr.walk import walk
from verifier.judge.assumptions import buys
from verifier.judge.decide import decide
from verifier.judge.verdict import AssumptionVerdict, StepVerdict
from verifier.run.asking import OVERRUN, SLACK, Case
from verifier.run.events import Bought, Emit, Stage
from verifier.run.illustrate import COST_SECONDS, cost
from verifier.run.settings import EXACT_ROUND, Settings
from verifier.run.small import broken, broken_when_small
from verifier.run.small_sizes import at_small_sizes
from verifier.timer import Overran, at_most, worked

POINTS_SECONDS, SCALE_SECONDS = 0.06, 0.16
MOST_SLOW = 3  # assumptions without which the time ended first: the others would take as long
STRETCH = 5
WHOLE = Dimension | IndexOf | Integer


def relax(plan: Draft, claim: Claim, verdicts: Sequence[StepVerdict], settings: Settings, emit: Emit) -> None:
    """Judge the claim again without each of its assumptions."""
    share = settings.soft_seconds / 12 / max(len(claim.assumptions), 1)
    slow = 0
    for assumption in claim.assumptions:
        emit(Stage(f"without {assumption.name}"))
        without = plan.without(assumption.name)
        try:
            relaxed = build(without)
        except SpecError as error:
            emit(Bought(AssumptionVerdict(assumption.name, "needed", reason=error.problem.message)))
            continue
        bought = _known(assumption, verdicts) or _at_once(assumption, relaxed)
        if bought is None:
            started, seconds = worked(), _seconds(assumption, settings, share)
            if slow < MOST_SLOW:
                bought = _judged(assumption, relaxed, verdicts, settings, seconds)
                slow += bought.status == "unknown" and worked() - started > seconds
            if bought is None or bought.status == "unknown":
                bought = at_small_sizes(assumption, without, relaxed, settings) or bought
        if bought is None:
            reason = "not decided without it: the time ended first"
            bought = AssumptionVerdict(assumption.name, "unknown", reason=reason)
        gap = _gap(relaxed, assumption, share)
        bought = replace(bought, violated=gap is not None, gap=gap)
        if settings.pictures and bought.status != "unneeded":
            seconds = min(share, COST_SECONDS)
            bought = replace(bought, curves=cost(claim, claim.steps[0], assumption, settings.seed, seconds))
        emit(Bought(bought))


def _seconds(assumption: Assumption, settings: Settings, share: float) -> float:
    """A function in the place of an assumed value is rarely decided soon, a condition less mostly is."""
    return share if assumption.assumed_value is not None else max(share, settings.soft_seconds / 20)


def _at_once(assumption: Assumption, relaxed: Claim) -> AssumptionVerdict | None:
    """Needed, where a small point or a small scale shows it in no time."""
    found = _at_a_small_point(assumption, relaxed)
    if found is None and (assumption.assumed_value is not None or relaxed.layers is not None):
        found = _at_a_small_scale(assumption, relaxed)
    return found


def _known(assumption: Assumption, verdicts: Sequence[StepVerdict]) -> AssumptionVerdict | None:
    """What needs no second judgement.

    A false claim needs nothing: what breaks it breaks it also without a condition that the point
    satisfies, and an assumed value or a substitution makes it another claim. And a proof without an
    assumption is a proof with it: what was not decided with it will not be without."""
    wrong = next((step for step in verdicts if step.verdict == "fails"), None)
    if wrong is not None and assumption.constraint is not None:
        reason = "the claim is false with and without it"
        return AssumptionVerdict(
            assumption.name, "unknown", counterexample=wrong.counterexample, reason=reason
        )
    if wrong is not None:
        return AssumptionVerdict(assumption.name, "unknown", reason="the claim is false with it")
    if wrong is None and any(step.verdict == "inconclusive" for step in verdicts):
        return AssumptionVerdict(assumption.name, "unknown", reason="the claim itself is not decided")
    return None


def _at_a_small_point(assumption: Assumption, relaxed: Claim) -> AssumptionVerdict | None:
    """Needed, where one of the first small points breaks the claim without it, in exact arithmetic: as it is,
    or with what the assumption speaks of made larger, since a bound may be far from broken."""
    spoken = {part.name for part in walk(assumption.fact) if isinstance(part, Symbol)}
    known = relaxed.symbols.keys() & spoken  # those of a layer are drawn, and no point has them
    stretched = {name for name in known if not isinstance(relaxed.symbols[name].kind, WHOLE)}
    facts = [step.fact for step in relaxed.steps if isinstance(step.fact, Relation)]
    is_bound = any(fact.op != "==" for fact in facts)
    for factor in (1, *((STRETCH,) if stretched and is_bound else ())):
        try:
            with at_most(POINTS_SECONDS):
                tried = (broken(relaxed, fact, stretched, factor) for fact in facts)
                found = next(filter(None, tried), None)
        except (Overran, Exception):
            continue
        if found is not None:
            reason = "without it the claim is false"
            return AssumptionVerdict(assumption.name, "needed", counterexample=found, reason=reason)
    return None


def _at_a_small_scale(assumption: Assumption, relaxed: Claim) -> AssumptionVerdict | None:
    """Needed, where the claim without it is false as a symbol shrinks: the function in the place of its
    assumed value has a power series, and so have its means, in closed form. A claim about any law with some
    moments is no longer true if it is false for a normal one."""
    from verifier.rigorous.small_scale import with_known_laws

    relaxed = with_known_laws(relaxed)
    facts = [step.fact for step in relaxed.steps if isinstance(step.fact, Relation)]
    try:
        with at_most(SCALE_SECONDS):
            found = next(filter(None, (broken_when_small(relaxed, fact) for fact in facts)), None)
    except (Overran, Exception):
        return None
    if found is None:
        return None
    name, example = found
    reason = f"without it the claim is false for every {name} that is small enough"
    return AssumptionVerdict(assumption.name, "needed", counterexample=example, reason=reason)


def _judged(
    assumption: Assumption,
    relaxed: Claim,
    verdicts: Sequence[StepVerdict],
    settings: Settings,
    seconds: float,
) -> AssumptionVerdict:
    if assumption.assumed_value is not None:
        # A function in the place of its assumed value rarely leaves a closed form to climb on, and at depth L
        # none at all: sample it.
        proving = relaxed.layers is None
        kept = (e for e in settings.engines if not e.climbs and (proving or e.round != EXACT_ROUND))
        settings = replace(settings, engines=tuple(kept))
    silent = [
        Case(relaxed, step, settings, lambda event: None, lambda finding: None, shown=False)
        for step in relaxed.steps
    ]
    _ask(silent, settings, seconds)
    true = all(step.verdict in ("holds", "loose") for step in verdicts)
    return buys(assumption, true, [decide(case.step, case.findings) for case in silent])


def _ask(cases: Sequence[Case], settings: Settings, seconds: float) -> None:
    """Ask until the answer is known (one relation is false, or all are true), or the time is over."""
    deadline = worked() + seconds
    for engine in sorted(settings.engines, key=lambda engine: engine.round):
        for at, case in enumerate(cases):
            left = deadline - worked()
            if left <= 0:
                return
            case.ask(engine, left / (len(cases) - at))
            if any(finding.truth == "false" and finding.grade != "searched" for finding in case.findings):
                return


def _gap(relaxed: Claim, assumption: Assumption, seconds: float) -> str | None:
    """By how much the assumption contradicts the declared laws, if it does."""
    if assumption.independence is None:
        return None
    # Loaded in the worker alone, like the engines: the parent process never needs SymPy.
    from verifier.run.violations import independence_gap

    try:
        with at_most(OVERRUN * seconds + SLACK):
            return independence_gap(relaxed, assumption, seconds)
    except (Overran, Exception):
        return None
