"""What every form of the report asks of a verdict."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from verifier.claim.model import VerdictName
from verifier.evidence import Counterexample, Finding, Grade
from verifier.expr.nodes import Node, Relation, Within
from verifier.expr.text import to_text
from verifier.expr.typeset.writing import visible
from verifier.judge.verdict import WORST_FIRST, FailedClaim, StepVerdict, Verdict

MEANING: dict[VerdictName, str] = {
    "holds": "true as stated",
    "loose": "true, but can be improved",
    "fails": "false as stated",
    "inconclusive": "not decided",
    "error": "could not be read",
}


TRUE_BY: dict[Grade, str] = {
    "proved": "symbolically, for every value of the symbols",
    "certified": "by interval arithmetic, over the stated region",
    "sampled": "statistically, with the stated confidence",
    "searched": "optimised against, and nothing was found",
}

FALSE_BY: dict[Grade, str] = {
    "proved": "by a counterexample in exact arithmetic, or by closed forms that differ",
    "certified": "by a counterexample in interval arithmetic",
    "sampled": "by disjoint, replicated confidence intervals",
    "searched": "by a counterexample that a search found",
}


def reason(item: Verdict | FailedClaim) -> str:
    """Why, in one sentence."""
    if isinstance(item, Verdict):
        return item.reason
    return "; ".join(problem.message for problem in item.broken.problems)


def grounds(item: Verdict) -> str | None:
    """What the verdict rests on: `proved, symbolically, for every value of the symbols`."""
    if item.evidence is None:
        return None
    words = FALSE_BY if item.verdict == "fails" else TRUE_BY
    return f"{item.evidence}, {words[item.evidence]}"


def main_step(item: Verdict) -> StepVerdict:
    """The statement, or for a chain the first of its worst lines: the one to show first."""
    return min(item.steps, key=lambda step: WORST_FIRST.index(step.verdict))


def said(finding: Finding) -> VerdictName:
    """An engine's finding in the words of verdicts; only the judge gives verdicts."""
    if finding.truth == "true":
        is_loose = finding.tightness is not None and finding.tightness.tight is False
        return "loose" if is_loose else "holds"
    return "fails" if finding.truth == "false" else "inconclusive"


def left_of(fact: Relation | Within) -> Node:
    """The side that a relation speaks of."""
    return fact.left if isinstance(fact, Relation) else fact.arg


def right_text(fact: Relation | Within) -> str:
    """What it is compared with, as written."""
    if isinstance(fact, Relation):
        return to_text(fact.right)
    return f"[{to_text(fact.low)}, {to_text(fact.high)}]"


def show(value: object) -> str:
    """A value of a point: numbers short, matrices as rows."""
    match value:
        case str():
            return value
        case float():
            return f"{value:.6g}"
        case Fraction() | int() | None:
            return str(value)
        case Mapping():
            return ", ".join(f"{name} = {show(item)}" for name, item in value.items())
        case Iterable():
            return f"[{', '.join(show(item) for item in value)}]"
    return str(value)


def sides(found: Counterexample) -> tuple[str, str]:
    """Both sides at a counterexample, exactly where that is known."""
    return _side(found.lhs_exact, found.lhs), _side(found.rhs_exact, found.rhs)


def _side(exact: str | None, value: float | None) -> str:
    if exact is None:
        return "not evaluated" if value is None else f"about {value:.6g}"
    if value is None or exact.lstrip("-").isdecimal():
        return exact
    return f"{exact} (about {value:.6g})"


def one_line(text: str) -> str:
    """Text from anywhere, fit for one line of a terminal."""
    return visible(" ".join(text.split()))


def in_one_line(found: Counterexample) -> str:
    """n = 1, d = 2: left side 3, right side 2."""
    left, right = sides(found)
    point = show(found.values) or "everywhere"
    return f"{point}: left side {left}, right side {right}"
