"""What an assumption buys, from the verdicts on the claim without it."""

from collections.abc import Sequence

from verifier.claim.model import Assumption
from verifier.judge.verdict import AssumptionVerdict, StepVerdict


def buys(assumption: Assumption, true: bool, without: Sequence[StepVerdict]) -> AssumptionVerdict:
    """`needed` if the claim is refuted without it, `unneeded` if it is still true, else `unknown`.

    For a claim that is false already, an assumption can neither be needed nor unneeded for its
    truth, unless dropping it changes nothing in the refutation.
    """
    name = assumption.name
    refuted = next((step for step in without if step.verdict == "fails"), None)
    if refuted is not None and true:
        return AssumptionVerdict(
            name, "needed", counterexample=refuted.counterexample, reason="without it the claim is false"
        )
    if all(step.is_true for step in without):
        return AssumptionVerdict(name, "unneeded", reason="the claim is true without it")
    if refuted is not None:
        reason = "the claim is false with and without it"
        return AssumptionVerdict(name, "unknown", counterexample=refuted.counterexample, reason=reason)
    return AssumptionVerdict(name, "unknown", reason="not decided without it")
