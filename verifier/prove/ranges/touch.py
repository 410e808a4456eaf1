"""A bound that is met at the simplest point of all is tight: every size, number and entry is 1, or every
number is 0. Exact arithmetic says so in no time; that nothing is met there says nothing."""

from collections.abc import Iterator
from fractions import Fraction

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding, Tightness
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.point_context import Point
from verifier.exact.values.recheck import recheck
from verifier.expr.nodes import Number, Relation
from verifier.expr.symbols import Dimension
from verifier.timer import worked

NAME = "touch"
_ZERO = Number(Fraction(0))


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """Tight, or nothing: of the truth it says nothing."""
    begun = worked()
    at = next((point for point in _points(claim) if _is_met(claim, step.fact, point)), None)
    if at is None:
        return Finding(NAME, "unknown", missing="a simple point at which both sides are equal")
    found = Tightness(True, Fraction(0), Fraction(0), where=at)
    return Finding(NAME, "unknown", reason="both sides meet", tightness=found, seconds=worked() - begun)


def _points(claim: Claim) -> Iterator[Point]:
    if claim.layers is not None or claim.random:
        return
    for value in (1, 0):
        yield {
            name: 1 if isinstance(symbol.kind, Dimension) else value if symbol.shape.is_scalar else [[value]]
            for name, symbol in claim.symbols.items()
        }


def _is_met(claim: Claim, fact: object, point: Point) -> bool:
    """Both sides have one value there: a value of 0 counts where the bound is 0 everywhere."""
    if not isinstance(fact, Relation) or fact.op not in ("<=", ">=") or not fact.right.shape.is_scalar:
        return False
    asked = [Relation("==", fact.left, fact.right)]
    if fact.right != _ZERO:
        asked.append(Relation("!=", fact.right, _ZERO))
    try:
        return all(recheck(claim, relation, point).outcome == "true" for relation in asked)
    except Refusal:
        return False
