"""What the steps of a chain show together: first against last."""

from verifier.evidence import GRADES, Finding, weakest
from verifier.judge.decide import needs_tightness
from verifier.plan.asking import Case
from verifier.plan.schedule import examine_cases


def conclude(case: Case, seconds: float) -> None:
    """Where every step is proved it follows, but for how tight it is; else it is asked about too."""
    proofs = [[found.grade for found in step.findings if found.proves] for step in case.parts]
    if all(proofs):
        # Each step on the best evidence that there is for it, the whole on the weakest of these.
        grade = weakest(*(min(grades, key=lambda one: GRADES.index(one or "searched")) for grades in proofs))
        case.hear(Finding("rules", "true", grade, "it follows from the steps"))
    if not all(proofs) or needs_tightness(case.step.fact):
        examine_cases([case], case.settings, seconds)
