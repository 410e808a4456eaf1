"""A mean exists only if the mean of the absolute value is finite: what engines may say of a relation with
means.

Where a mean has no value, there is nothing to judge. Where it has one under conditions, these are premises,
and what they leave out is told. Where it is open whether it has one, no engine is asked: symmetry and
cancellation need the mean that they speak of.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TypeGuard

from verifier.claim.integrability import is_finite, standing
from verifier.claim.model import Assumption, Claim, Step
from verifier.evidence import Finding
from verifier.expr.nodes import Fact, Infinity, Node, Number, Relation, Symbol
from verifier.expr.sizes import rational
from verifier.expr.text import to_text
from verifier.expr.walk import substitute

NAME = "means"


def without_value(claim: Claim, step: Step) -> Finding | None:
    """Said of a relation with a mean that does not exist, and of one that says whether a mean is finite."""
    answer = _finite(claim, step.fact)
    if answer is not None:
        reason = "the mean is finite" if answer else "the mean is infinite"
        return Finding(NAME, "true" if answer != _says_infinite(step.fact) else "false", "proved", reason)
    undefined = standing(claim, step.fact).undefined
    return None if undefined is None else Finding(NAME, "unknown", reason=undefined, undefined=undefined)


def _finite(claim: Claim, fact: Fact) -> bool | None:
    """Whether the mean of E(f) < oo, or of E(f) == oo, is finite; None where that is open."""
    if _says_infinite(fact):
        return is_finite(claim, replace(fact, op="<"))
    return is_finite(claim, fact)


def _says_infinite(fact: Fact) -> TypeGuard[Relation]:
    return isinstance(fact, Relation) and fact.op == "==" and isinstance(fact.right, Infinity)


def where_finite(claim: Claim, step: Step, name: str, ask: Callable[[Claim], Finding]) -> Finding:
    """What is said where all means of the relation exist."""
    if _says_infinite(step.fact):
        return Finding(name, "unknown", missing="whether the mean is infinite")
    found = standing(claim, step.fact)
    if isinstance(step.fact, Relation) and isinstance(step.fact.right, Infinity):
        if is_finite(claim, step.fact) is not None:
            return Finding(name, "unknown", reason="whether the mean is finite is known")
        if found.conditions:
            return Finding(name, "unknown", missing=" and ".join(map(to_text, found.conditions)))
    if found.undefined is not None or found.missing is not None:
        return Finding(name, "unknown", missing=found.missing, undefined=found.undefined)
    added = (Assumption("a-finite-mean", fact, to_text(fact), claim.position) for fact in found.conditions)
    said = ask(replace(claim, assumptions=(*claim.assumptions, *added)) if found.conditions else claim)
    if said.truth == "false" and not all(_is_met(claim, fact, said) for fact in found.enough):
        return Finding(name, "unknown", missing=f"that the mean is finite unless {to_text(found.enough[0])}")
    return replace(said, excluded=(*said.excluded, *found.excluded)) if found.excluded else said


def unless_open(claim: Claim, step: Step, finding: Finding) -> Finding:
    """What was found by a way around the engines, as draw by draw: taken back where a mean may not exist."""
    if finding.truth == "unknown" or finding.engine == NAME:
        return finding
    missing = standing(claim, step.fact).missing
    return finding if missing is None else Finding(finding.engine, "unknown", missing=missing)


def _is_met(claim: Claim, fact: Relation, said: Finding) -> bool:
    """Whether the counterexample is where the mean is known to be finite."""
    values = said.counterexample.values if said.counterexample else {}
    numbers = {**values, **claim.where}
    at: dict[Node, Node] = {
        Symbol(name): Number(Fraction(value))
        for name, value in numbers.items()
        if isinstance(value, int | Fraction | str) and _is_number(value)
    }
    there = substitute(fact, at)
    left, right = rational(there.left), rational(there.right)
    return left is not None and right is not None and (left > right if fact.op == ">" else left < right)


def _is_number(value: int | Fraction | str) -> bool:
    return not isinstance(value, str) or value.lstrip("-").replace("/", "", 1).isdecimal()
