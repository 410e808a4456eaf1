"""Proofs in sentences: why a step is true, how tight a bound is, what is missing where nothing is proved."""

from collections.abc import Iterator, Mapping

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness
from verifier.judge.verdict import AssumptionVerdict, StepVerdict
from verifier.report.facts import relevant, show, told_sides

# What each rule does, to be read after its conclusion; {} stands for the steps that it rests on.
BECAUSE: Mapping[str, str] = {
    "assumption": "This is assumed.",
    "weaken": "It is weaker than {}.",
    "contract": "Written entry by entry, with derivatives taken, assumed values entered and every mean "
    "contracted by the law of its draws, the two sides are the same rational function.",
    "sign": "The difference of the two sides is a sum of terms of which none is negative.",
    "declared": "The declaration of the symbol says so.",
    "combine": "It is a combination of {} with factors that are not negative; nor is what is left over.",
    "scale": "It is {}, both sides times the same number.",
    "multiply": "It is {}, multiplied by what is not negative.",
    "divide": "It is {}, divided by what is positive.",
    "chain": "{} follow one another.",
    "squares": "The squares of the two sides are in this order, and the right side is not negative: {}.",
    "monotone": "The two sides are one expression, which is monotone in what {} compare.",
    "within": "Both ends: {}.",
    "cauchy_schwarz": "This is the inequality of Cauchy and Schwarz (for other norms, Hölder's).",
    "triangle": "This is the triangle inequality.",
    "submultiplicative": "The norm of a product is at most the product of the norms.",
    "norms": "Norms of one vector or matrix compare so.",
    "entries": "No entry is larger than the norm.",
    "traces": "A trace is bounded by the norm in this way.",
    "means": "The geometric mean is at most the arithmetic mean.",
    "jensen": "This is Jensen's inequality.",
    "tangent": "A convex function lies above its tangents, and a concave one below them.",
    "products_in_mean": "This is the inequality of Cauchy and Schwarz for means.",
    "bounded": "The function takes no larger values.",
    "lipschitz": "The function is Lipschitz with this constant.",
    "semidefinite": "The matrix is positive semidefinite.",
    "elementary": "This is an elementary inequality between functions of a number.",
    "bounded_extreme": "What bounds it at every value bounds the extreme: {}.",
    "reached_extreme": "At one value the extreme is at least as far out: {}.",
    "antisymmetric": "Each side is at most the other: {}.",
    "cover": "The region is cut into parts, and on each of them interval arithmetic shows it.",
    "magnitude": "Bounds by numbers tell the order of magnitude: {}.",
    "monomials": "Term by term, the left side grows no faster than the right side.",
    "bounds": "It follows from a bound and from how the bound grows: {}.",
    "rewritten": "The left side is rewritten: {}.",
    "both": "It is of this order from above and from below: {}.",
    "alike": "The mean square of an entry takes finitely many values, which do not move with the sizes, "
    "and so the sum grows like the number of entries.",
    "tends": "Beside the leading term of the denominator every other term vanishes, and this is what stays.",
    "limit_rewritten": "What tends is rewritten: {}.",
    "family": "Along a family of points that is allowed, the ratio of the sides goes beyond every constant.",
    "elsewhere": "At values that are allowed it tends to something else, or beyond all bounds.",
    "point": "The values of the counterexample are allowed, and there, in exact arithmetic, it is false.",
}


def because(rule: str, premises: tuple[int, ...]) -> str:
    """The sentence on a step; a rule that has none speaks by its name."""
    words = BECAUSE.get(rule, "It follows by this rule from {}." if premises else "It follows by this rule.")
    numbers = [f"({number})" for number in premises]
    told = " and ".join(filter(None, [", ".join(numbers[:-1]), *numbers[-1:]]))
    if "{}" in words:
        return words.format(told or "what is declared")
    return f"{words} It rests on {told}." if told else words


def tightness_words(step: StepVerdict) -> list[str]:
    """Why a true bound is the best one, by how much it could be better, or that nobody knows."""
    known = [finding.tightness for finding in step.findings if finding.tightness is not None]
    match step.tightness:
        case None:
            return []
        case "tight":
            return ["The bound cannot be improved.", *_distinct(map(_reached, known))]
        case "loose":
            better = f" The bound {step.tight} is true as well." if step.tight is not None else ""
            times = f" It is {step.slack:.4g} times as far as it has to be." if step.slack is not None else ""
            return [f"The bound can be improved.{times}{better}", *_distinct(item.note for item in known)]
        case "suspected-loose":
            words = "A search found no point that comes near the bound: perhaps it can be improved."
            return [words, "Nothing proves that it can.", *_distinct(item.note for item in known)]
        case "unknown":
            return ["Whether the bound can be improved is not known."]


def _reached(item: Tightness) -> str | None:
    if item.tight is not True:
        return None
    if item.where:
        return f"The two sides meet, or come as near as one likes, at {show(item.where)}."
    return item.note or "The two sides meet, or come as near as one likes."


def _distinct(words: Iterator[str | None]) -> list[str]:
    found = dict.fromkeys(word for word in words if word)
    return [word if word.endswith(".") else f"{word[0].upper()}{word[1:]}." for word in found]


def why_assumed(claim: Claim, part: AssumptionVerdict) -> list[str]:
    """Why an assumption is needed, or that the claim does without it."""
    reason = [f"{part.reason[0].upper()}{part.reason[1:]}."] if part.reason else []
    if part.status == "unneeded":
        return [*reason, "It can be left out."]
    if part.status != "needed" or part.counterexample is None:
        return reason
    found = relevant(claim, part.counterexample)
    told = " and the ".join(told_sides(found, "is "))
    if not told or not found.values:
        return reason
    words = f"At {show(found.values)} every other assumption is met, and there the {told}."
    return [*reason, words] if part.violated else [*reason, words, "Only this assumption excludes it."]


def tried(step: StepVerdict) -> list[tuple[str, str]]:
    """Who tried a step that nothing decides, and what each is missing."""
    return [(finding.engine, _missing(finding)) for finding in step.findings if not finding.decides]


def _missing(finding: Finding) -> str:
    parts = [finding.reason, f"missing: {finding.missing}" if finding.missing else ""]
    return "; ".join(filter(None, parts)) or "found nothing"
