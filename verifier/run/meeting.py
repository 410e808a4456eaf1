"""A bound between means that is proved, and tight because both sides meet where a symbol shrinks to 0.

Jensen's inequality and its kin show a bound whose sides have no closed form: how close they come is then seen
from their power series in a small scale.
"""

from verifier.evidence import Finding, Tightness
from verifier.expr.nodes import Covariance, Expectation, Relation, Variance
from verifier.expr.walk import walk
from verifier.judge.decide import needs_tightness
from verifier.run.asking import Case
from verifier.run.events import Stage
from verifier.run.factors import EXACT
from verifier.run.small import met_when_small
from verifier.timer import Overran, at_most

AVERAGES = (Expectation, Variance, Covariance)


def meet(case: Case, seconds: float) -> None:
    """Tell that the bound is tight, if nobody knows and both sides meet."""
    fact = case.step.fact
    if not isinstance(fact, Relation) or not needs_tightness(fact):
        return
    proof = next((f for f in case.findings if f.truth == "true" and f.grade in EXACT), None)
    known = any(f.tightness is not None and f.tightness.tight is not None for f in case.findings)
    if proof is None or known or not any(isinstance(part, AVERAGES) for part in walk(fact)):
        return
    case.emit(Stage(f"where both sides meet: {case.step.text[:60]}"))
    found = meeting(case, fact, seconds)
    if found is not None:
        case.hear(Finding(proof.engine, "true", proof.grade, proof.reason, tightness=found))


def meeting(case: Case, fact: Relation, seconds: float) -> Tightness | None:
    """That the bound is approached as a symbol shrinks; None where that is not seen."""
    try:
        with at_most(seconds):
            met = met_when_small(case.claim, fact)
    except (Overran, Exception):
        return None
    return Tightness(True, note="both sides meet as a symbol shrinks") if met else None
