"""An assumption that contradicts the declared symbols, and by how much."""

from fractions import Fraction

from verifier.claim.model import Assumption, Claim, Step
from verifier.evidence import Budget
from verifier.expr.nodes import Covariance, Node, Number, Power, Relation
from verifier.expr.text import to_text
from verifier.prove.engine import examine
from verifier.prove.equal.closed_form import closed_form

POWERS = ((1, 1), (1, 2), (2, 1), (2, 2))


def independence_gap(claim: Claim, assumption: Assumption, seconds: float) -> str | None:
    """Cov(f**a, g**b) under the declared laws, where `independent(f, g)` is assumed and it is not zero, for
    the least powers that show it.

    `claim` is the claim without the assumption. None: not violated, or not known to be."""
    fact = assumption.independence
    if fact is None or not (fact.left.shape.is_scalar and fact.right.shape.is_scalar):
        return None
    share = seconds / len(POWERS)
    gaps = (_gap(claim, assumption, _power(fact.left, a), _power(fact.right, b), share) for a, b in POWERS)
    return next((gap for gap in gaps if gap is not None), None)


def _gap(claim: Claim, assumption: Assumption, f: Node, g: Node, seconds: float) -> str | None:
    gap = closed_form(claim, Covariance(f, g), seconds)
    if gap is None or gap == Number(Fraction(0)):
        return None
    # A closed form that is not written as 0 may still be 0; an exact point must show otherwise.
    vanishes = Step(Relation("==", gap, Number(Fraction(0))), assumption.text, assumption.position)
    found = examine(claim, vanishes, Budget(seconds))
    return to_text(gap) if found.truth == "false" else None


def _power(node: Node, exponent: int) -> Node:
    return node if exponent == 1 else Power(node, Number(Fraction(exponent)))
