"""What a loose bound may be improved to: something that is true at every size.

Tightness is judged from size 2 on, so a multiple of the bound that is right there may fail at size 1. Where
it does, or where no multiple is known, the closed form of the left side is the bound to state.
"""

from collections.abc import Callable
from dataclasses import replace

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.elaborate import elaborate
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.prove.lower.lowering import walked

_MADE = (N.Expectation, N.Variance, N.Covariance, N.Derivative)


def improvable(
    claim: Claim, fact: N.Relation | N.Within, found: Finding, judge: Callable[[N.Relation], Finding]
) -> Finding:
    """The finding with a better bound that is not refuted, where the bound is loose."""
    tight = found.tightness
    if not isinstance(fact, N.Relation) or found.truth != "true" or tight is None or tight.tight is not False:
        return found
    better = tight.better
    if better is not None:
        offered = replace(fact, right=elaborate(parse(better), claim.scope))
        better = None if judge(offered).truth == "false" else better
    if better is None and found.lhs is not None and _is_derived(fact.left):
        text = found.lhs if isinstance(found.lhs, str) else to_text(found.lhs)
        better = None if _is_derived(elaborate(parse(text), claim.scope)) else text
    return replace(found, tightness=replace(tight, better=better))


def _is_derived(node: N.Node) -> bool:
    return any(isinstance(part, _MADE) for part in walked(node))
