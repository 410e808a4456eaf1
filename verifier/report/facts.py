"""What every form of the report asks of a verdict."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim, VerdictName
from verifier.claim.names import names_in
from verifier.evidence import Counterexample, Finding, Grade
from verifier.expr.nodes import Growth, Node, Relation, Within
from verifier.expr.text import to_text
from verifier.expr.unicode import to_unicode
from verifier.expr.unseen import visible
from verifier.judge.verdict import StepVerdict, Verdict

SHORT = re.compile(r"-?\d{1,12}|-?\d{1,3}/\d{1,3}")  # numbers that need no decimals beside them
MEANING: dict[VerdictName, str] = {
    "holds": "true as stated",
    "loose": "true, but can be improved",
    "fails": "false as stated",
    "unrefuted": "neither proved nor broken",
    "inconclusive": "not decided",
    "error": "could not be judged",
}


TRUE_BY: dict[Grade, str] = {
    "proved": "proved symbolically, for every value of the symbols",
    "certified": "certified by interval arithmetic",
}

FALSE_BY: dict[Grade, str] = {
    "proved": "proved in exact arithmetic",
    "certified": "certified in interval arithmetic",
    "sampled": "sampled: two replicated confidence intervals exclude it",
    "searched": "found by a search in floating point",
}


def sentence(item: Verdict) -> str:
    """The verdict with its evidence, in one plain sentence."""
    step = item.main
    match item.verdict:
        case "holds" | "loose":
            return f"{_truth(item, step)} ({_by(item, TRUE_BY)}{_region(step)})."
        case "fails":
            what = f"Step {item.steps.index(step) + 1} is false" if item.claim.is_chain else "False as stated"
            return f"{what}{_broken_at(item.claim, step)} ({_by(item, FALSE_BY)})."
        case "unrefuted":
            return f"Neither proved nor broken: a search and samples found nothing against it{_region(step)}."
        case "inconclusive":
            return "Not decided: no engine could show that it is true, and none that it is false."
        case "error":
            return "The claim asks for something that cannot be judged."


def _truth(item: Verdict, step: StepVerdict) -> str:
    if item.verdict == "holds":
        stated = "Every line is true" if item.claim.is_chain else "True as stated"
        return stated + _OPEN_TIGHTNESS.get(step.tightness or "", "")
    if step.slack is not None and step.slack > 1:
        upwards = isinstance(step.fact, Relation) and step.fact.op in (">=", ">")
        way = "larger" if upwards else "smaller"
        return f"True, but the right side could be {step.slack:.4g} times {way}"
    return "True, but it can be improved"


_OPEN_TIGHTNESS = {
    "suspected-loose": "; a search suspects that it can be improved, which is not proved",
    "unknown": "; how tight it is is not known",
}


def _by(item: Verdict, words: Mapping[Grade, str]) -> str:
    return words[item.evidence] if item.evidence is not None else "without evidence"


def _region(step: StepVerdict) -> str:
    regions = [f.region for f in step.findings if f.grade == step.evidence and f.region]
    return f", {regions[0]}" if regions and len(regions[0]) <= 80 else ""


def relevant(claim: Claim, found: Counterexample) -> Counterexample:
    """The counterexample without symbols that the statement does not use."""
    silent = claim.symbols.keys() - names_in(claim)
    values = {name: value for name, value in found.values.items() if name not in silent}
    return replace(found, values=values)


def _broken_at(claim: Claim, step: StepVerdict) -> str:
    """: at n = 1, d = 2 the left side is 24 and the right side is 20."""
    found = relevant(claim, step.counterexample) if step.counterexample is not None else None
    if found is None:
        return ""
    if found.values.keys() == {"lhs", "rhs"}:  # orders of magnitude, which need no point
        left, right = sides(found)
        return f": the left side is {left} and the right side is {right}"
    if isinstance(step.fact, Relation) and isinstance(step.fact.right, Growth):
        return _grows_apart(found, step.fact.right)
    told = told_sides(found, "is ")
    return f": {_where(found.values)} {' and '.join(f'the {side}' for side in told)}" if told else ""


def _where(values: Mapping[str, object]) -> str:
    point = show(values)
    return f"at {point}" if 0 < len(point) <= 60 else "at the point below" if point else "everywhere"


def _grows_apart(found: Counterexample, rate: Growth) -> str:
    """What a point says of an order: one side is 0 there and the other is not, or their ratio runs away."""
    sizes = {name: value for name, value in found.values.items() if isinstance(value, list | tuple)}
    held = {name: value for name, value in found.values.items() if name not in sizes}
    if found.lhs == 0 and found.rhs is None:
        return f": {_where(held)} the left side is 0 and the claimed rate {to_unicode(rate.body)} is not"
    if found.rhs == 0 and found.lhs is None:
        return f": {_where(held)} the claimed rate {to_unicode(rate.body)} is 0 and the left side is not"
    known = [(at, ratio) for at, ratio in enumerate(found.ratios) if ratio is not None]
    named = next((name for name, tried in sizes.items() if len(tried) == len(found.ratios)), None)
    if named is None or len(known) < 2:
        return ""
    ends = (
        f"{show(ratio)} at {named} = {show(list(sizes[named])[at])}" for at, ratio in (known[0], known[-1])
    )
    return f": the left side over the right side is {' and '.join(ends)}"


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
    if value is None or SHORT.fullmatch(exact):
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
    point = ", ".join(filter(None, [show(found.values), _ratios(found)])) or "everywhere"
    told = told_sides(found) if found.lhs is not None or found.lhs_exact is not None else []
    return f"{point}: {', '.join(told)}" if told else point
