"""0 <= f as f >= 0: a constant 0 bounds the other side, on whichever side it stands.

How tight a bound is is measured against the right side; against an f that may be anything, 0 would never
be tight.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Step
from verifier.evidence import Finding, Tightness
from verifier.expr.nodes import Comparison, Growth, Number, Order, Relation

_TURNED: dict[str, Comparison] = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}
_ZERO = Number(Fraction(0))


def turned(step: Step) -> Step | None:
    """The step read from right to left, if it starts with the bound 0."""
    match step.fact:
        case Relation(op, left, right) if left == _ZERO != right and op in _TURNED:
            if not isinstance(right, Growth | Order):
                return replace(step, fact=Relation(_TURNED[op], right, left))
    return None


def turned_back(finding: Finding) -> Finding:
    """What was found of the turned step, told of the step as it was written."""
    example = finding.counterexample
    if example is not None:
        example = replace(
            example,
            lhs=example.rhs,
            rhs=example.lhs,
            lhs_exact=example.rhs_exact,
            rhs_exact=example.lhs_exact,
        )
    return replace(
        finding, lhs=finding.rhs, rhs=finding.lhs, corrected=None, counterexample=example,
        tightness=finding.tightness and _on_the_left(finding.tightness),
    )  # fmt: skip


def _on_the_left(found: Tightness) -> Tightness:
    """What 0 could be stands on the left, and is no better right side."""
    if found.better is None:
        return found
    return replace(found, better=None, note=f"the 0 on the left could be {found.better}")
