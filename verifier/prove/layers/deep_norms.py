"""Bounds on means of norms after many layers, from closed forms of their second and fourth moments."""

from contextlib import suppress
from dataclasses import replace

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.prove.equal.closed_form import closed_form
from verifier.prove.forms.deadline import Clock
from verifier.prove.layers.depth import unroll
from verifier.prove.means.means_of_norms import examine_roots
from verifier.prove.scalar_engine import examine
from verifier.prove.scalars.closed_scalars import Closing
from verifier.prove.scalars.index_sums import close_sum
from verifier.prove.scalars.scalar_refusal import Clock as ScalarClock
from verifier.prove.scalars.scalar_refusal import Refused

_OTHERS = (N.Limit, N.Growth, N.Order, N.Extreme, N.Infinity)


def examine_deep(claim: Claim, step: Step, budget: Budget, clock: Clock) -> Finding | None:
    """E |F(after(X, L))| <= r where E |F|**2 <= r**2; None where this says nothing."""
    fact = step.fact
    if not isinstance(fact, N.Relation) or any(isinstance(part, _OTHERS) for part in walk(fact)):
        return None
    closing = Closing(claim, closed_form, unroll, close_sum, ScalarClock(max(clock.left / 2, 0.05)))

    def close(node: N.Node) -> N.Node | None:
        with suppress(Refused):
            return closing.close(node)
        return None

    def judge(claim: Claim, fact: N.Relation) -> Finding:
        return examine(claim, replace(step, fact=fact), replace(budget, seconds=max(clock.left / 4, 0.05)))

    return examine_roots(claim, fact, clock, close, (judge,), budget.seed)
