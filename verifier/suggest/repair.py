"""What would save a false claim: the weakest of the natural extra conditions under which it is true."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.claim.problems import SpecError
from verifier.evidence import Attempt, Outcome
from verifier.expr.nodes import Growth, Relation
from verifier.expr.symbols import Positive
from verifier.expr.text import to_text
from verifier.judge.verdict import WORST_FIRST, Repair, StepVerdict
from verifier.plan.asking import Case
from verifier.plan.messages import Emit, Mended, Stage, Tried
from verifier.plan.schedule import examine_cases
from verifier.plan.settings import Settings
from verifier.plan.small_points import broken
from verifier.plan.vacuity import vacuity
from verifier.read.specs.make_claim import Draft, build
from verifier.refute.confirm import Exact, exact_point
from verifier.suggest.bound_factors import by_rules, simplest
from verifier.suggest.extra_conditions import Condition, conditions
from verifier.suggest.point_variants import also_broken
from verifier.timer import Overran, at_most, worked

SHARE, POINTS_SECONDS = 0.05, 0.03
MORE_SHARE = 0.1  # where no corrected right side is known, the condition is all that a reader gets
LEAST_SECONDS = 0.05
LEAST_TRY = 0.6  # for one condition; the first ones leave some time for the others
GENEROUS = 4.0  # engines share out what they are given among several ways, and the first is often the one
MOST_THRESHOLD, HALVINGS = 16, 3


def mend(plan: Draft, claim: Claim, verdicts: Sequence[StepVerdict], settings: Settings, emit: Emit) -> None:
    """Try the conditions that rule out the counterexample, the weaker ones first."""
    false = next((step for step in verdicts if step.verdict == "fails"), None)
    if false is None or false.counterexample is None:
        return
    deadline = worked() + (SHARE if false.corrected else MORE_SHARE) * settings.soft_seconds
    found = [finding.counterexample for finding in false.findings if finding.truth == "false"]
    points = [_known(example.values) for example in (false.counterexample, *found) if example is not None]
    others, stated = _also_broken(claim, false, points[0]), to_text(false.fact)
    for together in conditions(claim, false.counterexample.values, indices_first=not others):
        left = deadline - worked()
        if left < LEAST_SECONDS:
            return
        if stated in map(str, together):
            return  # that it is true where it is true saves nothing, and all others are stronger
        if all(any(one.may_exclude(point) for one in together) for point in (*points, *others)):
            who, begun = f"if {' and '.join(map(str, together))}", worked()
            emit(Stage(who))
            repair = _tried(plan, together, settings, max(left / 2, min(left, LEAST_TRY)))
            outcome: Outcome = "nothing" if repair is None else "proved"
            emit(Tried(None, Attempt(who, outcome, work=worked() - begun)))
            if repair is not None:
                emit(Mended(_weakest(plan, claim, together, repair, settings)))
                return


def _also_broken(claim: Claim, false: StepVerdict, point: dict[str, Exact]) -> list[dict[str, Exact]]:
    """Points next to the counterexample that break the claim too: a condition must rule them out as well."""
    found: list[dict[str, Exact]] = []
    if isinstance(false.fact, Relation) and not isinstance(false.fact.right, Growth):
        try:
            with at_most(2 * POINTS_SECONDS):
                found.extend(also_broken(claim, false.fact, point, POINTS_SECONDS))
        except (Overran, Exception):
            return found
    return found


def _known(values: Mapping[str, object]) -> dict[str, Exact]:
    """What of a point is written as numbers; a pattern of symbolic size is not."""
    alone = (exact_point({name: value}) for name, value in values.items())
    return {name: value for one in alone if one is not None for name, value in one.items()}


def _tried(plan: Draft, together: Sequence[Condition], settings: Settings, seconds: float) -> Repair | None:
    """The claim under more conditions, if the exact engines prove it there."""
    try:
        for condition in together:
            plan = plan.assuming(str(condition))
        mended = build(plan)
    except SpecError:
        return None
    if _is_broken(mended):
        return None
    cases = [Case(mended, step, settings, shown=False) for step in mended.steps]
    try:
        with at_most(seconds):
            examine_cases(cases, settings, GENEROUS * seconds, proving=True)
            for case in cases:
                by_rules(case, seconds)
    except Overran:
        return None
    found = [case.verdict for case in cases]
    if not all(step.is_true for step in found) or vacuity(cases[0]) is not None:
        return None
    worst = min((step.verdict for step in found), key=WORST_FIRST.index)
    return Repair(" and ".join(map(str, together)), worst)


def _weakest(
    plan: Draft,
    claim: Claim,
    together: Sequence[Condition],
    repair: Repair,
    settings: Settings,
) -> Repair:
    """s <= 1 with the largest threshold in the place of 1 that is proved, s >= 1 with the smallest."""
    (condition, *others) = together
    is_scale = condition.form == "value" and isinstance(claim.symbols[condition.name].kind, Positive)
    if others or not is_scale or condition.op == "==" or condition.bound != 1:
        return repair
    low, high, halvings = Fraction(1), Fraction(2), 0
    while halvings < HALVINGS and high <= MOST_THRESHOLD:
        middle = simplest((2 * low + high) / 3, (low + 2 * high) / 3) if halvings else high
        tried = replace(condition, bound=middle if condition.op == "<=" else 1 / middle)
        found = _tried(plan, (tried,), settings, SHARE * settings.soft_seconds)
        if found is None:
            high, halvings = middle, halvings + 1
        else:
            repair, low = found, middle
            high, halvings = (high, halvings + 1) if halvings else (2 * high, 0)
    return repair


def _is_broken(claim: Claim) -> bool:
    """Whether a small point breaks it still: then nobody needs to look for a proof."""
    facts = [step.fact for step in claim.steps if isinstance(step.fact, Relation)]
    try:
        with at_most(POINTS_SECONDS):
            return any(broken(claim, fact) is not None for fact in facts)
    except (Overran, Exception):
        return False
