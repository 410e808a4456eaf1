"""How tight a bound between means is that is proved.

Jensen's inequality and its kin show a bound whose sides have no closed form: how close they come is then seen
from their power series in a small scale, from what they come to without noise, or measured along the ways in
which sizes and scalars may grow.
"""

from verifier.evidence import Finding, Tightness
from verifier.expr.nodes import (
    Extreme,
    Growth,
    Limit,
    Node,
    Order,
    Relation,
)
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.plan.schedule import examine_cases
from verifier.plan.small_points import met_when_small
from verifier.reformulate.noiseless import without_noise
from verifier.timer import Overran, at_most, worked

MEASURED, QUIET = 4, 2  # times as long as for the power series


def meet(case: Case, seconds: float) -> None:
    """Tell how tight the bound is, if nobody knows."""
    fact = case.step.fact
    proof = next((f for f in case.findings if f.proves), None)
    if proof is None or any(f.tightness is not None and f.tightness.tight is not None for f in case.findings):
        return
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
    inner = case.beside(*made)
    examine_cases([inner], inner.settings, seconds)
    if inner.verdict.tightness != "tight":
        return None
    return Tightness(True, note="it is approached as the noise vanishes")


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
        from verifier.refute.closeness.averages import how_tight

        with at_most(seconds):
            return how_tight(case.claim, fact, rng, worked() + 0.7 * seconds)
    except (Overran, Exception):
        return None


def _is_no_number(node: Node) -> bool:
    return isinstance(node, Growth | Order | Limit | Extreme)
