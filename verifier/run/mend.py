"""What would save a false claim: the weakest of the natural extra conditions under which it is true."""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from verifier.claim.build import Draft, build
from verifier.claim.model import Claim
from verifier.claim.problems import SpecError
from verifier.expr.nodes import Relation
from verifier.expr.symbols import Dimension, FixedMatrix, Interval, Positive, Real
from verifier.judge.decide import decide
from verifier.judge.verdict import WORST_FIRST, Repair, StepVerdict
from verifier.run.asking import Case, examine_cases
from verifier.run.confirm import Exact, exact_point
from verifier.run.events import Emit, Mended, Stage
from verifier.run.settings import Settings
from verifier.run.small import broken
from verifier.timer import Overran, at_most, worked

SECONDS, POINTS_SECONDS = 0.3, 0.03
LEAST_SECONDS = 0.05

_COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
}


@dataclass(frozen=True)
class Condition:
    """A symbol, or the norm of one, compared with a small number or another symbol."""

    name: str
    op: str
    bound: int | str
    is_norm: bool = False

    def __str__(self) -> str:
        return f"{f'norm({self.name})' if self.is_norm else self.name} {self.op} {self.bound}"

    def excludes(self, point: Mapping[str, Exact]) -> bool:
        """Whether it rules the point out. Norms are compared with 1, so their squares will do."""
        left = sum(x * x for x in _entries(point[self.name])) if self.is_norm else point[self.name]
        right = point[self.bound] if isinstance(self.bound, str) else Fraction(self.bound)
        if isinstance(left, tuple) or isinstance(right, tuple):
            return False
        return not _COMPARE[self.op](Fraction(left), right)


def _entries(value: Exact) -> list[Fraction]:
    return [x for part in value for x in _entries(part)] if isinstance(value, tuple) else [value]


def mend(plan: Draft, claim: Claim, verdicts: Sequence[StepVerdict], settings: Settings, emit: Emit) -> None:
    """Try the conditions that rule out the counterexample, the weaker ones first."""
    broken = next((step for step in verdicts if step.verdict == "fails"), None)
    if broken is None or broken.counterexample is None:
        return
    point = exact_point(broken.counterexample.values)
    if point is None:
        return
    deadline = worked() + min(SECONDS, settings.soft_seconds / 4)
    for condition in conditions(claim, point):
        left = deadline - worked()
        if left < LEAST_SECONDS:
            return
        if condition.excludes(point):
            emit(Stage(f"if {condition}"))
            repair = _tried(plan, condition, settings, left)
            if repair is not None:
                emit(Mended(repair))
                return


def conditions(claim: Claim, point: Mapping[str, Exact]) -> Iterator[Condition]:
    """Conditions on the symbols that the counterexample gives values to, weaker ones first."""
    kinds = {
        name: claim.symbols[name].kind for name in point if name in claim.symbols and name not in claim.where
    }
    sizes = [name for name, kind in kinds.items() if isinstance(kind, Dimension)]
    reals = [name for name, kind in kinds.items() if isinstance(kind, Real | Interval)]
    scales = [name for name, kind in kinds.items() if isinstance(kind, Positive)]
    matrices = [name for name, kind in kinds.items() if isinstance(kind, FixedMatrix)]
    yield from (Condition(name, ">=", 2) for name in sizes)
    for op, bound in (("!=", 0), (">=", 0), (">", 0), ("<=", 0), ("<=", 1)):
        yield from (Condition(name, op, bound) for name in reals)
    for op in ("<=", ">="):
        yield from (Condition(name, op, 1) for name in scales)
    yield from (Condition(name, "<=", 1, is_norm=True) for name in matrices)
    for op in ("<=", ">=", "=="):
        yield from (Condition(a, op, b) for a, b in combinations(sizes, 2))
    yield from (Condition(name, "==", 1) for name in (*scales, *sizes))
    yield from (Condition(name, "==", 1, is_norm=True) for name in matrices)
    yield from (Condition(name, "==", 0) for name in reals)


def _tried(plan: Draft, condition: Condition, settings: Settings, seconds: float) -> Repair | None:
    """The claim under one more condition, if the exact engines prove it there."""
    try:
        mended = build(plan.assuming(str(condition)))
    except SpecError:
        return None
    if _is_broken(mended):
        return None
    cases = [
        Case(mended, step, settings, lambda event: None, lambda finding: None, shown=False)
        for step in mended.steps
    ]
    examine_cases(cases, settings, seconds, proving=True)
    found = [decide(case.step, case.findings) for case in cases]
    proved = all(step.evidence in ("proved", "certified") for step in found)
    worst = min((step.verdict for step in found), key=WORST_FIRST.index)
    return Repair(str(condition), worst) if proved and worst in ("holds", "loose") else None


def _is_broken(claim: Claim) -> bool:
    """Whether a small point breaks it still: then nobody needs to look for a proof."""
    facts = [step.fact for step in claim.steps if isinstance(step.fact, Relation)]
    try:
        with at_most(POINTS_SECONDS):
            return any(broken(claim, fact) is not None for fact in facts)
    except (Overran, Exception):
        return False
