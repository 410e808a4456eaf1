"""A false statement about means, shown false where a symbol is small: a proof, where sampling has none.

Exact moments of a softmax or a tanh are rare, their power series in a small scale are not. What sampling
refuted at one point keeps that point, which a reader can try; the series is why it is proved.
"""

from dataclasses import replace

from verifier.evidence import Finding
from verifier.expr.nodes import Relation
from verifier.plan.asking import Case
from verifier.plan.small_points import broken_when_small
from verifier.reformulate.bounded_supports import unmet
from verifier.timer import Overran, at_most


def expand(case: Case, seconds: float) -> None:
    """Ask about small scales where a relation between means is refuted by samples alone, or by nobody."""
    fact = case.step.fact
    verdict = case.verdict
    if not isinstance(fact, Relation) or unmet(case.claim) is not None:
        return
    is_open = verdict.disagreement is None and not any(f.decides for f in case.findings)
    if not is_open and verdict.evidence != "sampled":
        return
    try:
        with at_most(seconds):
            found = broken_when_small(case.claim, fact)
    except (Overran, Exception):
        return
    if found is not None:
        name, example = found
        point = verdict.counterexample or example
        shown = replace(point, arithmetic=(*point.arithmetic, *example.arithmetic))
        reason = f"it is false for every {name} that is small enough, by its power series"
        case.hear(Finding("rigorous", "false", "proved", reason, counterexample=shown))
