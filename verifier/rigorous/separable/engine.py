"""One relation between sums, for every number of entries."""

from typing import Any

from flint import ctx

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import expand_lets
from verifier.rigorous.problem import ranged
from verifier.rigorous.refusals import Refusal
from verifier.rigorous.rooms import BITS
from verifier.rigorous.separable.entries import rooted
from verifier.rigorous.separable.means import by_means, needs_upper
from verifier.rigorous.separable.pointwise import by_shares
from verifier.rigorous.separable.sums import Sums, without_signs
from verifier.rigorous.simplices import without_softmax
from verifier.timer import worked

SHARE = 0.4  # of the time that is left, for one way to a proof


def prove_sums(claim: Claim, small: n.Node, large: n.Node, deadline: float) -> str | None:
    """How small <= large follows for all values of the symbols, in words; None if it does not."""
    if any(a.assumed_value is not None or a.substitution is not None for a in claim.assumptions):
        return None
    claim, fact = without_softmax(claim, expand_lets(n.Relation("<=", small, large)))
    assert isinstance(fact, n.Relation)
    before = ctx.prec
    ctx.prec = BITS
    try:
        sums = Sums(claim, rooted(claim, fact))
        room: Any = sums.value(n.Subtract(fact.right, fact.left))
        if not sums.entries:
            return None
        domains = ranged(claim, room).domains
        for each in ((sums, room), without_signs(sums, room, needs_upper)):
            for way in (by_shares, by_means):
                now = worked()
                found = way(*each, domains, now + SHARE * (deadline - now))
                if found is not None:
                    return found
    except (Refusal, RecursionError, OverflowError):
        return None
    finally:
        ctx.prec = before
    return None
