"""Small points in exact arithmetic and nothing else: for those who only want to know whether it is false."""

import numpy as np

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.expr.nodes import Growth, Limit, Order, Relation
from verifier.expr.walk import walk
from verifier.prove.rules.bound_form import bounds_of
from verifier.refute.ascent.exact_ascent import ascend
from verifier.refute.conclusions import NAME
from verifier.refute.domain.space import Domain
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import worked


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """False, or nothing."""
    deadline, fact = worked() + budget.seconds, step.fact
    bounds = bounds_of(fact) if isinstance(fact, Relation) else ()
    if not bounds or any(isinstance(node, Growth | Order | Limit) for node in walk(fact)):
        return Finding(NAME, "unknown", missing="a bound")
    rng = np.random.default_rng(budget.seed)
    try:
        found = ascend(Domain(claim, fact), bounds[0], rng, deadline)
    except (RefusedError, UndefinedError) as refusal:
        return Finding(NAME, "unknown", reason=str(refusal))
    if found is None or found.counterexample is None:
        return Finding(NAME, "unknown", reason="no counterexample at tiny sizes, by exact moments")
    reason = "a counterexample, checked by exact moments"
    return Finding(NAME, "false", found.grade, reason, counterexample=found.counterexample)
