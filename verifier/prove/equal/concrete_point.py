"""A concrete point that breaks a relation, re-checked from the definitions."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Grade
from verifier.exact.values.recheck import admissible, recheck
from verifier.expr import nodes as N
from verifier.prove.equal.small_integer_points import Point, points
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.sum_values import Evaluation
from verifier.prove.forms.workspace import Workspace

_MOST_RECHECKS = 8
_ENOUGH = 24
_MOST_RANDOM = 24
# Of the time: where no small point breaks a relation soon, the search climbs to one faster.
_LOOKING = 0.25
_LEFT_BY_LOOKING, _LEFT_BY_CHECKING = 0.4, 0.25


@dataclass(frozen=True)
class Refuted:
    example: Counterexample
    grade: Grade


def refute(
    claim: Claim, fact: N.Relation, space: Workspace, left: Form, right: Form, clock: Clock, seed: int
) -> Refuted | None:
    """The smallest point found where the closed forms disagree, and the definitions do too."""
    if space.bent:
        return None
    kept = tuple(a for a in claim.assumptions if a.independence is None)
    plain = claim if len(kept) == len(claim.assumptions) else replace(claim, assumptions=kept)
    broken: list[tuple[int, Point, _Broken]] = []
    until = max(clock.left - _LOOKING * clock.seconds, _LEFT_BY_LOOKING * clock.seconds)
    for point in points(claim, fact, space.dims, seed):
        if clock.left < until or len(broken) >= _ENOUGH:
            break
        found = _broken(fact.op, space, left, right, point)
        if found is not None and (not plain.constraints or admissible(plain, point).outcome == "true"):
            broken.append((_cost(claim, point), point, found))
    for _, point, found in sorted(broken, key=lambda item: item[0])[:_MOST_RECHECKS]:
        if clock.left < _LEFT_BY_CHECKING * clock.seconds:
            return None
        if _is_large(claim, point) or plain is not claim:
            # The definitions are out of reach here (too many random entries, or an independence that
            # the declared laws do not have): the exact closed forms decide.
            if found.exact and admissible(plain, point).outcome == "true":
                return Refuted(_example(point, found), "proved")
            continue
        checked = recheck(claim, fact, point)
        if checked.outcome == "false" and checked.counterexample is not None and checked.grade is not None:
            return Refuted(checked.counterexample, checked.grade)
        if checked.outcome == "true":
            return None  # the closed form does not agree with the definition: no verdict rests on it
        if checked.outcome == "unsupported" and found.exact and admissible(claim, point).outcome == "true":
            return Refuted(_example(point, found), "proved")
    return None


def _cost(claim: Claim, point: Point) -> int:
    """How much there is to check: entries of all matrices, the random ones above all."""
    sizes = {name: value for name, value in point.items() if isinstance(value, int)}
    total = 0
    for declared in claim.symbols.values():
        if (declared.shape.rows.names | declared.shape.cols.names) <= sizes.keys():
            total += (8 if declared.is_random else 2) * declared.shape.size.at(sizes)
    entries = map(Fraction, _flat(list(point.values())))
    return total + sum(abs(int(x)) if x.denominator == 1 else 4 for x in entries)


def _is_large(claim: Claim, point: Point) -> bool:
    sizes = {name: value for name, value in point.items() if isinstance(value, int)}
    entries = 0
    for declared in claim.symbols.values():
        if declared.is_random and (declared.shape.rows.names | declared.shape.cols.names) <= sizes.keys():
            entries += declared.shape.size.at(sizes)
    return entries > _MOST_RANDOM


def _flat(value: Any) -> list[Any]:
    return [x for item in value for x in _flat(item)] if isinstance(value, list) else [value]


@dataclass(frozen=True)
class _Broken:
    left: Fraction
    right: Fraction
    exact: bool


def _broken(op: str, space: Workspace, left: Form, right: Form, point: dict[str, Any]) -> _Broken | None:
    """The first entry where the two closed forms are not in the relation."""
    evaluation = Evaluation(space, point)
    try:
        for places in _entries(left, evaluation):
            a, b = evaluation.value(left.value, places), evaluation.value(right.value, places)
            if _breaks(op, a, b, evaluation.exact):
                return _Broken(a, b, evaluation.exact)
    except (Refusal, KeyError, OverflowError, ZeroDivisionError):
        return None
    return None


def _entries(form: Form, evaluation: Evaluation) -> Iterator[dict[str, int]]:
    sizes = [range(1, evaluation.size(axis) + 1) for axis in form.spaces]
    for at in product(*sizes):
        yield dict(zip(form.labels, at, strict=True))


def _breaks(op: str, a: Fraction, b: Fraction, exact: bool) -> bool:
    margin = Fraction(0) if exact else max(abs(a), abs(b), Fraction(1)) * Fraction(1, 10**9)
    match op:
        case "==":
            return abs(a - b) > margin
        case "<=":
            return a > b + margin
        case ">=":
            return a < b - margin
        case "<":
            return a >= b and (exact or a > b + margin)
        case ">":
            return a <= b and (exact or a < b - margin)
    return False


def _example(point: dict[str, Any], found: _Broken) -> Counterexample:
    shown = {name: as_shown(value) for name, value in point.items()}
    lines = (f"left side: {found.left}", f"right side: {found.right}")
    return Counterexample(
        shown, float(found.left), float(found.right), str(found.left), str(found.right), lines
    )


def as_shown(value: Any) -> object:
    """Integers as they are, other numbers as text, matrices as nested rows."""
    if isinstance(value, list):
        return [as_shown(item) for item in value]
    return value if isinstance(value, int) else str(value)
