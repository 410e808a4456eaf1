"""An engine that finds everything false, with a point to show for it that nobody can check."""

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Counterexample, Finding


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    point = Counterexample({"x": "somewhere"}, 1.0, 2.0, "1", "2")
    return Finding("contrary", "false", "proved", reason="it likes nothing", counterexample=point)
