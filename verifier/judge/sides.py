"""What a verdict shows of a relation: its sides in closed form, and the right side that would be true."""

from collections.abc import Sequence

from verifier.claim.model import Step
from verifier.evidence import Finding
from verifier.expr.nodes import (
    After,
    Covariance,
    Derivative,
    Expectation,
    Extreme,
    Growth,
    Limit,
    Node,
    Product,
    Relation,
    Sum,
    Variance,
    Within,
)
from verifier.expr.text import to_text
from verifier.expr.walk import walk

OPEN = (Expectation, Variance, Covariance, Derivative, Limit, Extreme, Sum, Product, After)  # no closed forms
LONGEST = 300  # of a sum that is offered as a correction


def correction(fact: Relation | Within, findings: Sequence[Finding]) -> str | None:
    """The right side that would be true: an order for an order. That a mean, a sum or a bound is itself
    corrects nothing."""
    found: list[str] = [finding.corrected for finding in findings if finding.corrected is not None]
    if isinstance(fact, Relation) and isinstance(fact.right, Growth):
        return next((_of_kind(fact, text) for text in found), None)
    if isinstance(fact, Relation):
        closed = fact.op == "==" and not any(isinstance(part, OPEN) for part in walk(fact.left))
        said = set() if closed else {to_text(side) for side in (fact.left, fact.right)}
        found = [text for text in found if text not in said and not (_is_open(text) and len(text) > LONGEST)]
    return next(iter(sorted(found, key=_is_open)), None)


def _is_open(text: str) -> bool:
    """What is added up is better than a sum."""
    return "sum(" in text or "prod(" in text


def speaker(findings: Sequence[Finding]) -> Finding | None:
    return next((finding for finding in findings if finding.lhs is not None), None)


def side(main: Finding | None, findings: Sequence[Finding], step: Step, side: str) -> str:
    """A closed form where an engine found one, else the side as written: a range for a range, an order for
    an order."""
    for finding in [main, *findings] if main else findings:
        value = getattr(finding, side)
        text = to_text(value) if isinstance(value, Node) else str(value)
        if value is not None and (side == "lhs" or isinstance(step.fact, Relation) or text.startswith("[")):
            return text if side == "lhs" else _of_kind(step.fact, text)
    if isinstance(step.fact, Relation):
        return to_text(step.fact.left if side == "lhs" else step.fact.right)
    if side == "lhs":
        return to_text(step.fact.arg)
    return f"[{to_text(step.fact.low)}, {to_text(step.fact.high)}]"


def _of_kind(fact: Relation | Within, text: str) -> str:
    """O(n) where a closed form of what it speaks of was found."""
    if not isinstance(fact, Relation) or not isinstance(fact.right, Growth):
        return text
    return text if text.startswith(f"{fact.right.kind}(") else f"{fact.right.kind}({text})"
