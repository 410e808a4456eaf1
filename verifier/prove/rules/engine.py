"""Bounds that follow from the textbooks' rules, said at once: a proof takes milliseconds and no torch.

How tight such a bound is, the others find out."""

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.expr.nodes import Growth, Limit, Order, Relation
from verifier.expr.walk import walk
from verifier.prove.rules.bound_form import bounds_of
from verifier.prove.rules.certify import prove_by_rules
from verifier.prove.rules.finite_moments import is_finite
from verifier.timer import worked

NAME = "rules"
SECONDS, SHARE = 0.25, 0.1  # a short proof or none: the others need the time


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """True, or nothing."""
    begun = worked()
    fact = step.fact
    if isinstance(fact, Relation) and is_finite(claim, fact):
        reason = "it grows like a polynomial in variables that have all moments"
        return Finding(NAME, "true", "proved", reason, derivation=(reason,), seconds=worked() - begun)
    bounds = bounds_of(fact) if isinstance(fact, Relation) else ()
    if not bounds or any(isinstance(node, Growth | Order | Limit) for node in walk(fact)):
        return Finding(NAME, "unknown", missing="a bound")
    found = prove_by_rules(claim, bounds[0], begun + min(SECONDS, SHARE * budget.seconds))
    if found is None:
        return Finding(NAME, "unknown", reason="no rule shows it", seconds=worked() - begun)
    reason = f"by {', '.join(dict.fromkeys(found.steps))}"
    return Finding(NAME, "true", "proved", reason, derivation=found.steps, seconds=worked() - begun)
