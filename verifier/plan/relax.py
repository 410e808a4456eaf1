"""What each assumption buys: the claim, judged again without it."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial

from verifier.claim.model import Assumption, Claim
from verifier.claim.problems import SpecError
from verifier.evidence import Attempt, Outcome
from verifier.expr.nodes import Relation, Symbol
from verifier.expr.symbols import Dimension, IndexOf, Integer
from verifier.expr.walk import walk
from verifier.judge.assumptions import buys
from verifier.judge.verdict import AssumptionVerdict, StepVerdict
from verifier.plan.asking import OVERRUN, SLACK, Case
from verifier.plan.illustrate import COST_SECONDS, cost
from verifier.plan.messages import Bought, Emit, Stage, Tried
from verifier.plan.schedule import examine_cases, folded
from verifier.plan.settings import EXACT_ROUND, Settings
from verifier.plan.small_points import broken, broken_when_small
from verifier.plan.small_sizes import at_small_sizes
from verifier.read.specs.make_claim import Draft, build
from verifier.timer import Overran, at_most, past, worked

POINTS_SECONDS, SIZES_SECONDS, SCALE_SECONDS, LATER_SCALE_SECONDS = 0.06, 0.3, 0.16, 0.8
# Of the soft limit, for all assumptions together: of those who prove, and of those who look at special cases.
PROVING_SHARE, LOOKING_SHARE = 0.65, 0.3
LEAST_SECONDS = 0.25
STRETCH = 5
WHOLE = Dimension | IndexOf | Integer
OPEN = "not decided without it"


@dataclass(frozen=True)
class Relaxed:
    """The claim without one of its assumptions."""

    assumption: Assumption
    plan: Draft
    claim: Claim
    attempts: list[Attempt] = field(default_factory=list)


def relax(plan: Draft, claim: Claim, verdicts: Sequence[StepVerdict], settings: Settings, emit: Emit) -> None:
    """Judge the claim again without each of its assumptions: by those who prove first, and what is then still
    open in special cases and by samples."""
    tell = partial(_tell, claim, settings, emit)
    deadline = worked() + PROVING_SHARE * settings.soft_seconds
    open_still: list[Relaxed] = []
    for at, assumption in enumerate(claim.assumptions):
        emit(Stage(f"without {assumption.name}"))
        begun = worked()
        without = plan.without(assumption.name)
        try:
            relaxed = Relaxed(assumption, without, build(without))
        except SpecError as error:
            emit(Bought(AssumptionVerdict(assumption.name, "needed", reason=error.problem.message)))
            continue
        bought = _known(assumption, verdicts) or _at_once(relaxed)
        if bought is None:
            seconds = _allowed(deadline - worked(), len(claim.assumptions) - at)
            bought = _judged(relaxed, verdicts, _who_prove(settings), seconds)
        if bought is None:
            open_still.append(relaxed)
        else:
            tell(relaxed, bought, begun)
    deadline = max(deadline, worked() + LOOKING_SHARE * settings.soft_seconds)
    for at, relaxed in enumerate(open_still):
        emit(Stage(f"without {relaxed.assumption.name}, in special cases"))
        begun = worked()
        seconds = _allowed(deadline - worked(), len(open_still) - at)
        bought = _looked_at(relaxed, verdicts, settings, seconds)
        tell(relaxed, bought or AssumptionVerdict(relaxed.assumption.name, "unknown", reason=OPEN), begun)


def _allowed(left: float, questions: int) -> float:
    """Most answers take less than their share: whoever needs more may have twice as much."""
    return max(LEAST_SECONDS, left if questions == 1 else 2 * left / questions)


def _tell(
    claim: Claim,
    settings: Settings,
    emit: Emit,
    relaxed: Relaxed,
    bought: AssumptionVerdict,
    begun: float,
) -> None:
    share, assumption = _share(claim, settings), relaxed.assumption
    gap = _gap(relaxed.claim, assumption, share)
    bought = replace(bought, violated=gap is not None, gap=gap)
    if settings.pictures and bought.status != "unneeded":
        seconds = min(share, COST_SECONDS)
        bought = replace(bought, curves=cost(claim, claim.steps[0], assumption, settings.seed, seconds))
    emit(Bought(bought))
    inside = folded(relaxed.attempts)
    outcome: Outcome = "nothing" if bought.status == "unknown" else "told"
    who, work = f"without {assumption.name}", worked() - begun
    emit(Tried(None, Attempt(who, outcome, bought.status, work, inside=inside)))


def _looked_at(
    relaxed: Relaxed, verdicts: Sequence[StepVerdict], settings: Settings, seconds: float
) -> AssumptionVerdict | None:
    """Where sizes are small, where a symbol is, and by search and samples."""
    deadline = worked() + seconds
    assumed = relaxed.assumption.assumed_value is not None
    found = _at_a_small_scale(relaxed, min(LATER_SCALE_SECONDS, seconds)) if assumed else None
    if found is None and not past(deadline):
        found = at_small_sizes(relaxed.assumption, relaxed.plan, relaxed.claim, settings)
    if found is None and not past(deadline):
        found = _at_points(relaxed.assumption, relaxed.claim, SIZES_SECONDS, sized=True)
    if found is None and not assumed and relaxed.claim.layers is not None and not past(deadline):
        found = _at_a_small_scale(relaxed, SCALE_SECONDS)
    if found is None and not past(deadline):
        left = min(deadline - worked(), _seconds(relaxed, settings))
        found = _judged(relaxed, verdicts, _who_look(relaxed, settings), left)
    return found


def _share(claim: Claim, settings: Settings) -> float:
    return settings.soft_seconds / 12 / max(len(claim.assumptions), 1)


def _seconds(relaxed: Relaxed, settings: Settings) -> float:
    """A function in the place of an assumed value is rarely decided soon, a condition less mostly is."""
    share = _share(relaxed.claim, settings)
    assumed = relaxed.assumption.assumed_value is not None
    return share if assumed else max(share, settings.soft_seconds / 20)


def _at_once(relaxed: Relaxed) -> AssumptionVerdict | None:
    """Needed, where a small point or a small scale shows it in no time."""
    found = _at_a_small_point(relaxed.assumption, relaxed.claim)
    if found is None and relaxed.assumption.assumed_value is not None:
        found = _at_a_small_scale(relaxed, SCALE_SECONDS)
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
    if not all(step.is_true for step in verdicts):
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
    found = _at_points(assumption, relaxed, POINTS_SECONDS)
    if found is None and stretched and is_bound:
        found = _at_points(assumption, relaxed, POINTS_SECONDS, stretched, STRETCH)
    return found


def _at_points(
    assumption: Assumption,
    relaxed: Claim,
    seconds: float,
    stretched: Set[str] = frozenset(),
    factor: int = 1,
    sized: bool = False,
) -> AssumptionVerdict | None:
    facts = [step.fact for step in relaxed.steps if isinstance(step.fact, Relation)]
    try:
        with at_most(seconds):
            tried = (broken(relaxed, fact, stretched, factor, sized) for fact in facts)
            found = next(filter(None, tried), None)
    except (Overran, Exception):
        return None
    if found is None:
        return None
    reason = "without it the claim is false"
    return AssumptionVerdict(assumption.name, "needed", counterexample=found, reason=reason)


def _at_a_small_scale(relaxed: Relaxed, seconds: float) -> AssumptionVerdict | None:
    """Needed, where the claim without it is false as a symbol shrinks: the function in the place of its
    assumed value has a power series, and so have its means, in closed form. A claim about any law with some
    moments is no longer true if it is false for a normal one."""
    from verifier.prove.ranges.small_scale import with_known_laws

    claim = with_known_laws(relaxed.claim)
    facts = [step.fact for step in claim.steps if isinstance(step.fact, Relation)]
    deadline = worked() + seconds
    for at, fact in enumerate(facts):
        try:
            with at_most((deadline - worked()) / (len(facts) - at)):
                found = broken_when_small(claim, fact, _sizes_of(relaxed.assumption))
        except (Overran, Exception):
            continue
        if found is not None:
            name, example = found
            reason = f"without it the claim is false for every {name} that is small enough"
            return AssumptionVerdict(relaxed.assumption.name, "needed", counterexample=example, reason=reason)
    return None


def _sizes_of(assumption: Assumption) -> Set[str]:
    """Those of what had a value: an entry more may show that it has another one."""
    if assumption.assumed_value is None or not isinstance(assumption.fact, Relation):
        return frozenset()
    shape = assumption.fact.left.shape
    return shape.rows.names | shape.cols.names


def _who_prove(settings: Settings) -> Settings:
    return replace(settings, engines=tuple(e for e in settings.engines if e.round <= EXACT_ROUND))


def _who_look(relaxed: Relaxed, settings: Settings) -> Settings:
    """A function in the place of its assumed value rarely leaves a closed form to climb on: sample it."""
    climbing = relaxed.assumption.assumed_value is None
    kept = (e for e in settings.engines if e.round > EXACT_ROUND and (climbing or not e.climbs))
    return replace(settings, engines=tuple(kept))


def _judged(
    relaxed: Relaxed, verdicts: Sequence[StepVerdict], settings: Settings, seconds: float
) -> AssumptionVerdict | None:
    """What the engines find in this time; None where that is nothing."""
    silent = [
        Case(relaxed.claim, step, settings, attempts=relaxed.attempts, shown=False)
        for step in relaxed.claim.steps
    ]
    examine_cases(silent, settings, seconds, enough=lambda: _is_broken(silent))
    true = all(step.is_true for step in verdicts)
    found = buys(relaxed.assumption, true, [case.verdict for case in silent])
    return None if found.status == "unknown" else found


def _is_broken(cases: Sequence[Case]) -> bool:
    found = (finding for case in cases for finding in case.findings)
    return any(finding.truth == "false" and finding.grade != "searched" for finding in found)


def _gap(relaxed: Claim, assumption: Assumption, seconds: float) -> str | None:
    """By how much the assumption contradicts the declared laws, if it does."""
    if assumption.independence is None:
        return None
    # Loaded in the worker alone, like the engines: the parent process never needs SymPy.
    from verifier.plan.violations import independence_gap

    try:
        with at_most(OVERRUN * seconds + SLACK):
            return independence_gap(relaxed, assumption, seconds)
    except (Overran, Exception):
        return None
