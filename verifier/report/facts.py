"""What every form of the report asks of a verdict."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isfinite

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Claim, VerdictName
from verifier.evidence import Counterexample, Finding, Sample
from verifier.expr.nodes import Node, Relation, Within
from verifier.expr.text import to_text
from verifier.expr.unseen import visible
from verifier.judge.verdict import Verdict

SHORT = re.compile(r"-?\d{1,12}|-?\d{1,3}/\d{1,3}")  # numbers that need no decimals beside them
MEANING: dict[VerdictName, str] = {
    "holds": "true as stated",
    "loose": "true, but can be improved",
    "fails": "false as stated",
    "unrefuted": "neither proved nor broken",
    "inconclusive": "not decided",
    "error": "could not be judged",
}


def is_called_false(item: Verdict) -> bool:
    """By an engine whose word is not enough."""
    refuted = any(finding.refutes for step in item.steps for finding in step.findings)
    return item.verdict == "unrefuted" and refuted


def meaning(item: Verdict) -> str:
    """What the verdict means, in a few words."""
    return "called false, without a checked proof" if is_called_false(item) else MEANING[item.verdict]


def relevant(claim: Claim, found: Counterexample) -> Counterexample:
    """The counterexample without symbols that the statement does not use."""
    silent = claim.symbols.keys() - names_in(claim)
    found = fitting(claim, found)
    return replace(found, values={name: value for name, value in found.values.items() if name not in silent})


def fitting(claim: Claim, found: Counterexample) -> Counterexample:
    """The counterexample without matrices that stand for one of the sizes that were tried: at the others they
    would have no entries."""
    tried = {name for name, value in found.values.items() if runs_along(value, found.ratios)}
    shapes = {name: item.shape for name, item in claim.symbols.items() if name not in tried}
    sized = {name for name, shape in shapes.items() if tried & (shape.rows.names | shape.cols.names)}
    silent = {name for name in sized if isinstance(found.values.get(name), list | tuple)}
    return replace(found, values={name: value for name, value in found.values.items() if name not in silent})


def reason_of(finding: Finding) -> str:
    """Why an engine said what it did; nothing where what it is missing says it already."""
    return "" if finding.missing and finding.reason in finding.missing else finding.reason


def grows(fact: Relation | Within) -> bool:
    """Whether what bounds the left side lies below it."""
    return isinstance(fact, Relation) and fact.op in (">=", ">")


def tells(sample: Sample) -> bool:
    """Whether its interval is shorter than what it is about."""
    return sample.high - sample.low <= max(abs(sample.estimate), abs(sample.claimed or 0.0))


def said(finding: Finding) -> VerdictName:
    """An engine's finding in the words of verdicts; only the judge gives verdicts."""
    if finding.vacuous is not None or finding.undefined is not None:
        return "error"
    if finding.proves:
        known = finding.tightness
        return "loose" if known is not None and known.tight is False and known.proved else "holds"
    if finding.truth == "true":
        return "unrefuted"
    return "fails" if finding.truth == "false" else "inconclusive"


def runs_along(value: object, ratios: Sequence[object]) -> bool:
    """Whether it is a number for each of the ratios."""
    if not ratios or not isinstance(value, list | tuple) or len(value) != len(ratios):
        return False
    return not any(isinstance(cell, list | tuple) for cell in value)


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


def sides(found: Counterexample) -> tuple[str | None, str | None]:
    """Both sides at a counterexample, exactly where that is known; None for one that has no value there."""
    return _side(found.lhs_exact, found.lhs), _side(found.rhs_exact, found.rhs)


def told_sides(found: Counterexample, verb: str = "") -> list[str]:
    """left side 3, right side 2: those that have a value."""
    named = zip(("left side", "right side"), sides(found), strict=True)
    return [f"{name} {verb}{value}" for name, value in named if value is not None]


def _side(exact: str | None, value: float | None) -> str | None:
    if exact is None:
        return None if value is None else f"about {value:.6g}"
    if value is None or not isfinite(value) or SHORT.fullmatch(exact):
        return exact
    return f"{exact} (about {value:.6g})"


def one_line(text: str) -> str:
    """Text from anywhere, fit for one line of a terminal."""
    return visible(" ".join(text.split()))


def _ratios(found: Counterexample) -> str:
    """ratio = [1, 2, 4]: left side over right side, at each of the sizes."""
    name = "left side / right side" if "ratio" in found.values else "ratio"
    return f"{name} = {show(found.ratios)}" if found.ratios else ""


def in_one_line(found: Counterexample) -> str:
    """n = 1, d = 2: left side 3, right side 2."""
    spans = {"lhs": found.lhs_exact, "rhs": found.rhs_exact}  # orders, which are told as the two sides
    values = {name: value for name, value in found.values.items() if spans.get(name, "") != value}
    point = ", ".join(filter(None, [show(values), _ratios(found)])) or "everywhere"
    told = told_sides(found) if found.lhs is not None or found.lhs_exact is not None else []
    return f"{point}: {', '.join(told)}" if told else point
