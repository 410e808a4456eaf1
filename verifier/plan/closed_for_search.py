"""What the exact engines made of expectations and derivatives, handed on to the search.

An expectation cannot be climbed, its closed form can; a derivative can, but it costs a Jacobian at every
point, and the rules read little in it. The search then looks for the worst case of the closed form; what
it finds is checked against the relation as written wherever that can be done.
"""

from collections.abc import Sequence
from dataclasses import replace

from verifier.claim.model import Claim, Step
from verifier.evidence import Finding
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.nodes import Covariance, Derivative, Expectation, Node, Relation, Variance, Within
from verifier.expr.syntax import parse
from verifier.expr.walk import walk

AVERAGES = (Expectation, Variance, Covariance)


def in_closed_form(claim: Claim, step: Step, findings: Sequence[Finding]) -> Step:
    """The step without expectations, where the findings hold a closed form of each; else as it is."""
    match step.fact:
        case Relation(op, left, right):
            first, second = _side(claim, left, findings, "lhs"), _side(claim, right, findings, "rhs")
            if first is not None and second is not None:
                return replace(step, fact=Relation(op, first, second))
        case Within(arg, low, high) if not _averages(low) and not _averages(high):
            first = _side(claim, arg, findings, "lhs")
            if first is not None:
                return replace(step, fact=Within(first, low, high))
    return step


def _side(claim: Claim, side: Node, findings: Sequence[Finding], name: str) -> Node | None:
    """The closed form of a side with expectations or derivatives, else the side itself; None where there are
    expectations and no closed form is known."""
    if not _averages(side) and not _slopes(side):
        return side
    for finding in findings:
        given = getattr(finding, name)
        try:
            known = elaborate(parse(given), claim.scope) if isinstance(given, str) else given
        except (ExprError, ShapeError):
            continue
        if isinstance(known, Node) and known.shape == side.shape and not (_averages(known) or _slopes(known)):
            return known
    return None if _averages(side) else side


def _averages(node: Node) -> bool:
    return any(isinstance(part, AVERAGES) for part in walk(node))


def _slopes(node: Node) -> bool:
    return any(isinstance(part, Derivative) for part in walk(node))
