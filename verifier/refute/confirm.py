"""A counterexample found in floating point is believed once exact arithmetic agrees."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.evidence import EXACT, Finding
from verifier.exact.values.recheck import recheck, recheck_in_company
from verifier.expr.nodes import Covariance, Expectation, Growth, Limit, Order, Variance
from verifier.expr.walk import walk
from verifier.timer import Overran, at_most

DOUBT_SECONDS = 0.5

Exact = Fraction | tuple["Exact", ...]


def confirm(claim: Claim, step: Step, finding: Finding) -> Finding:
    """The finding, upgraded to exact evidence, left as statistics, or taken back.

    Replicated, disjoint confidence intervals stand on their own. A single evaluation in floating
    point does not: unless the point is confirmed without it, the engine has not spoken.
    """
    if finding.truth != "false" or finding.grade in EXACT:
        return finding
    statistical = _statistical(step)
    point = exact_point(finding.counterexample.values) if finding.counterexample else None
    if point is None:
        return finding if statistical else _taken_back(finding, "its point cannot be written exactly")
    checked = recheck(claim, step.fact, point)
    if checked.outcome == "false":
        example = checked.counterexample or finding.counterexample
        return replace(finding, grade=checked.grade, counterexample=example)
    if statistical and checked.outcome == "true":
        words = f"{finding.engine} says false ({finding.reason}), exact moments say true at the same point"
        return replace(finding, truth="unknown", grade=None, disagreement=words)
    if statistical:
        return finding
    return _taken_back(finding, checked.reason or f"exact arithmetic says {checked.outcome}")


def against_the_original(claim: Claim, step: Step, finding: Finding) -> Finding:
    """A counterexample to the closed form of a relation, held against the relation as written.

    Where exact arithmetic decides the relation at that point, its is the word. Else nothing is refuted: a
    closed form has values where a side has none, at a kink or where a mean is infinite."""
    if finding.truth != "false" or finding.counterexample is None:
        return finding
    point = exact_point(finding.counterexample.values)
    checked = None if point is None else recheck_in_company(claim, step.fact, point)
    if checked is None or checked.outcome not in ("true", "false"):
        why = (
            checked.reason
            if checked is not None and checked.reason
            else "its point cannot be written exactly"
        )
        return _taken_back(finding, f"the point is one of a closed form, {why}")
    if checked.outcome == "false":
        example = checked.counterexample or finding.counterexample
        return replace(finding, grade=checked.grade, counterexample=example)
    words = f"the closed form is broken ({finding.reason}), exact moments say true at the same point"
    return replace(finding, truth="unknown", grade=None, disagreement=words)


def doubted(claim: Claim, step: Step, finding: Finding) -> Finding:
    """What is said to be false with a point that shows it, held against exact arithmetic at that very point.

    Whoever says so may have mixed up two values of one symbol: where the relation is true at the point, or
    the point is none of the claim's, nobody is believed. Where a side has no value, the point refutes
    nothing."""
    if finding.truth != "false" or finding.grade not in EXACT or finding.counterexample is None:
        return finding  # a point of samples may meet its assumptions up to rounding
    if any(isinstance(node, Growth | Order | Limit) for node in walk(step.fact)):
        return finding  # what shows it is no single point
    point = exact_point(finding.counterexample.values)
    try:
        with at_most(DOUBT_SECONDS):
            checked = recheck(claim, step.fact, point) if point else None
    except (Overran, ArithmeticError, LookupError, TypeError, ValueError):
        return finding
    if checked is not None and checked.outcome == "undefined":
        return _taken_back(finding, f"a side has no value there, {checked.reason}")
    if checked is None or not (checked.outcome == "true" or checked.excluded):
        return finding
    says = "that this point is none of the claim's" if checked.excluded else "true at the same point"
    words = f"{finding.engine} says false ({finding.reason}), exact arithmetic says {says}"
    return replace(finding, truth="unknown", grade=None, disagreement=words)


def _statistical(step: Step) -> bool:
    return any(isinstance(node, Expectation | Variance | Covariance) for node in walk(step.fact))


def _taken_back(finding: Finding, why: str) -> Finding:
    reason = f"{finding.reason}; not confirmed without floating point: {why}"
    return replace(finding, truth="unknown", grade=None, reason=reason)


def exact_point(values: Mapping[str, object]) -> dict[str, Exact] | None:
    """Values as exact rationals and nested tuples of them; None where one is not a number."""
    point: dict[str, Exact] = {}
    for name, value in values.items():
        exact = _exact(value)
        if exact is None:
            return None
        point[name] = exact
    return point


def _exact(value: object) -> Exact | None:
    if isinstance(value, int | float | Fraction | str):
        try:
            return Fraction(value)
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
    if isinstance(value, list | tuple):
        items = [_exact(item) for item in value]
        return None if any(item is None for item in items) else tuple(items)  # type: ignore[arg-type]
    return None
