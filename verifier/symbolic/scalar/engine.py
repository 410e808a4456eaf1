"""The scalar exact engine: one relation in, one finding out."""

from collections.abc import Callable

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.expr import nodes as n
from verifier.symbolic.scalar import equality
from verifier.symbolic.scalar.closing import ClosedForm, Closing
from verifier.symbolic.scalar.reading import ENGINE, Reading, read
from verifier.symbolic.scalar.refuse import Clock, Refused

Decide = Callable[[Reading], Finding]


def examine(claim: Claim, step: Step, budget: Budget, closed_form: ClosedForm | None = None) -> Finding:
    """What can be said exactly of one relation between scalars."""
    clock = Clock(budget.seconds)
    try:
        return _examine(claim, step.fact, clock, closed_form or _closed_form)
    except Refused as refusal:
        return Finding(ENGINE, "unknown", missing=refusal.reason, reason=refusal.reason, seconds=clock.spent)


def _examine(claim: Claim, fact: n.Fact, clock: Clock, closed_form: ClosedForm) -> Finding:
    closing = Closing(claim, closed_form, _unroll, clock)
    match fact:
        case n.Relation("==", left, right) if left.shape.is_scalar and right.shape.is_scalar:
            return equality.decide(read(claim, fact, closing))
    raise Refused("a relation between scalars")


def _closed_form(claim, node):
    return None


def _unroll(closing: Closing, node: n.Node) -> n.Node:
    raise Refused("layers")
