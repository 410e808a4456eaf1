"""An engine that finds everything true, proved and tight."""

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding, Tightness


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    return Finding("agreeable", "true", "proved", reason="it likes everything", tightness=Tightness(True))
