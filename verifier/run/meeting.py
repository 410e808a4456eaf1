"""How tight a bound between means is that is proved.

Jensen's inequality and its kin show a bound whose sides have no closed form: how close they come is then seen
from their power series in a small scale, from what they come to without noise, or measured along the ways in
which sizes and scalars may grow.
"""

from dataclasses import replace

from verifier.claim.noiseless import without_noise
from verifier.evidence import Finding, Tightness
from verifier.expr.nodes import (
    Covariance,
    Expectation,
    Extreme,
    Growth,
    Limit,
    Node,
    Order,
    Relation,
    Variance,
)
from verifier.expr.walk import walk
from verifier.judge.decide import decide, needs_tightness
from verifier.run.asking import Case, examine_cases
from verifier.run.events import Stage
from verifier.run.small import met_when_small
from verifier.timer import Overran, at_most, worked

MEASURED, QUIET = 4, 2  # times as long as for the power series
AVERAGES = (Expectation, Variance, Covariance)


def meet(case: Case, seconds: float) -> None:
    """Tell how tight the bound is, if nobody knows."""
    fact = case.step.fact
    if not needs_tightness(fact):
        return
    proof = next((f for f in case.findings if f.proves), None)
    known = any(f.tightness is not None and f.tightness.tight is not None for f in case.findings)
    if proof is None or known or not any(isinstance(part, AVERAGES) for part in walk(fact)):
        return
    case.emit(Stage(f"where both sides meet: {case.step.text[:60]}"))
    found = meeting(case, fact, seconds) if isinstance(fact, Relation) else None
    found = found or _without_noise(case, QUIET * seconds)
    if found is None and isinstance(fact, Relation):
        found = _measured(case, fact, MEASURED * seconds)
    if found is not None:
        case.hear(Finding(proof.engine, "true", proof.grade, proof.reason, tightness=found))


def _without_noise(case: Case, seconds: float) -> Tightness | None:
    """That the bound is approached as the noise in it vanishes; None where that is not seen."""
    made = without_noise(case.claim, case.step)
    if made is None:
        return None
    claim, step = made
    inner = replace(case, claim=claim, step=step, tell=_nobody, tell_again=_nobody, findings=[], shown=False)
    examine_cases([inner], case.settings, seconds)
    if decide(step, inner.findings).tightness != "tight":
        return None
    return Tightness(True, note="it is approached as the noise vanishes")


def _nobody(finding: Finding) -> None:
    """Whom findings on the way are told."""


def meeting(case: Case, fact: Relation, seconds: float) -> Tightness | None:
    """That the bound is approached as a symbol shrinks; None where that is not seen."""
    try:
        with at_most(seconds):
            met = met_when_small(case.claim, fact)
    except (Overran, Exception):
        return None
    return Tightness(True, note="both sides meet as a symbol shrinks") if met else None


def _measured(case: Case, fact: Relation, seconds: float) -> Tightness | None:
    if case.claim.growing or case.claim.layers is not None or any(map(_is_no_number, walk(fact))):
        return None
    # Loaded in the worker alone, like the engines: the parent process never needs torch.
    import numpy as np

    rng = np.random.default_rng(0)
    try:
        from verifier.search.averages import how_tight

        with at_most(seconds):
            return how_tight(case.claim, fact, rng, worked() + 0.7 * seconds)
    except (Overran, Exception):
        return None


def _is_no_number(node: Node) -> bool:
    return isinstance(node, Growth | Order | Limit | Extreme)
