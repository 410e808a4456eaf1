"""A verdict with its evidence, in one plain sentence."""

from collections.abc import Mapping

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Grade
from verifier.expr.nodes import Growth, Relation, Within
from verifier.expr.unicode import to_unicode
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.report.facts import grows, is_called_false, relevant, runs_along, show, sides, told_sides
from verifier.report.letters import in_letters

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
        case "unrefuted" if is_called_false(item):
            return "Not decided: it is called false, and no checked proof shows that it is."
        case "unrefuted" if any(finding.proves for finding in step.findings):
            return "Not decided: it is called true, and no checked proof shows that it is."
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
        way = "larger" if grows(step.fact) else "smaller"
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


def _broken_at(claim: Claim, step: StepVerdict) -> str:
    """: at n = 1, d = 2 the left side is 24 and the right side is 20."""
    found = in_letters(claim, relevant(claim, step.counterexample)) if step.counterexample else None
    if found is None:
        return ""
    if found.values.keys() == {"lhs", "rhs"}:  # orders of magnitude, which need no point
        left, right = sides(found)
        return f": the left side is {left} and the right side is {right}"
    if isinstance(step.fact, Relation) and isinstance(step.fact.right, Growth):
        return _grows_apart(found, step.fact.right)
    if isinstance(step.fact, Within) and found.lhs is not None and found.rhs is not None:
        value, end = sides(found)
        return (
            f": {_where(found.values)} it is {value}, {'above' if found.lhs > found.rhs else 'below'} {end}"
        )
    told = told_sides(found, "is ")
    return f": {_where(found.values)} {' and '.join(f'the {side}' for side in told)}" if told else ""


def _where(values: Mapping[str, object]) -> str:
    point = "" if any(isinstance(value, list | tuple) for value in values.values()) else show(values)
    if values and not point:
        return "at the point below"
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
    tried = {name: list(column) for name, column in sizes.items() if runs_along(column, found.ratios)}
    if not tried or len(known) < 2:
        return ""
    ends = (f"{show(ratio)} at {_sizes(tried, at)}" for at, ratio in (known[0], known[-1]))
    return f": the left side over the right side is {' and '.join(ends)}"


def _sizes(tried: Mapping[str, list[object]], at: int) -> str:
    """n = m = 10, or n = 10, m = 100."""
    values = {name: show(column[at]) for name, column in tried.items()}
    if len({*values.values()}) == 1:
        return " = ".join([*values, *{*values.values()}])
    return show(values)
