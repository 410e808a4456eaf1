"""What is offered in place of a false or a loose order is judged as the claim was: it must be true itself.

An order read off generic values is often wrong at special ones: r*n + d is Theta(n + d) unless r = 0.
"""

from collections.abc import Callable
from dataclasses import replace

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as n
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.expr.walk import walk

MADE = (n.Expectation, n.Variance, n.Covariance, n.Derivative, n.After, n.Limit, n.Extreme)
Judge = Callable[[n.Relation], Finding]


def proved_only(claim: Claim, fact: n.Fact, found: Finding, judge: Judge) -> Finding:
    """The finding without a correction, or a better order, that is not proved."""
    if not isinstance(fact, n.Relation) or not isinstance(fact.right, n.Growth):
        return found
    tightness, offers = found.tightness, (found.corrected, _closed(fact, found))
    right = next((text for text in offers if text is not None and _is_true(claim, fact, text, judge)), None)
    found = replace(found, corrected=right if found.truth == "false" else None)
    better = None if tightness is None else tightness.better
    if tightness is not None and better is not None and not _is_true(claim, fact, better, judge):
        found = replace(found, tightness=replace(tightness, better=None))
    return found


def _closed(fact: n.Relation, found: Finding) -> str | None:
    """The closed form of the left side, where there was something to work out."""
    if found.truth != "false" or not any(isinstance(node, MADE) for node in walk(fact.left)):
        return None
    return to_text(found.lhs) if isinstance(found.lhs, n.Node) else found.lhs


def _is_true(claim: Claim, fact: n.Relation, text: str, judge: Judge) -> bool:
    try:
        order = elaborate(parse(text), claim.scope)
        assert isinstance(fact.right, n.Growth)
        right = order if isinstance(order, n.Growth) else n.Growth(fact.right.kind, order)
        return judge(n.Relation(fact.op, fact.left, right)).truth == "true"
    except (ExprError, ShapeError):
        return False
