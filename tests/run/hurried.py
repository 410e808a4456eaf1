"""An engine that works for a moment; what it then says is the name of the claim that it is asked about."""

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.timer import past, worked

MOMENT = 0.1
asked: list[float] = []


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """`proved` is what it would say with more time; `cut` does not suffice however much there is; `idle` has
    nothing more to try."""
    asked.append(budget.seconds)
    end = worked() + MOMENT
    while worked() <= end:
        pass
    act = claim.id.partition("#")[2]
    if act == "idle":
        return Finding("hurried", "unknown", reason="no rule applies")
    if act == "proved" and len(asked) > 1:
        return Finding("hurried", "true", "proved", reason="there was time")
    assert past(end)
    return Finding("hurried", "true", "searched", reason="looked at a few points")
