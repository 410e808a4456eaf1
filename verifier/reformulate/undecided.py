"""What a finding leaves open."""

from verifier.claim.model import Step
from verifier.evidence import Finding
from verifier.judge.decide import needs_tightness


def is_open(found: Finding, step: Step) -> bool:
    """Whether it is true, or how tight it is."""
    if found.proves:
        return needs_tightness(step.fact) and is_tight(found) is None
    return not found.refutes


def is_tight(found: Finding) -> bool | None:
    return None if found.tightness is None else found.tightness.tight
