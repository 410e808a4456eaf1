"""Proofs in sentences: why a step is true, how tight a bound is, what is missing where nothing is proved."""

from collections.abc import Iterator, Mapping

from verifier.claim.model import Claim, VerdictName
from verifier.evidence import GRADES, Finding, Tightness
from verifier.expr.nodes import Growth, Relation, Within
from verifier.judge.verdict import AssumptionVerdict, StepVerdict, Verdict
from verifier.report.facts import grows, is_called_false, reason_of, relevant, show, tells, told_sides
from verifier.report.letters import in_letters
from verifier.report.rows import is_checked

WITNESS, FEW_POINTS = "numeric", "points"
UNBROKEN = ("consistent at ", "not broken at ")  # what the witness says of what it did not refute
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
    "monotone": "The two sides are one expression, monotone in what differs; that is compared by {}.",
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
    "chain_rule": "By the chain rule, the derivative is a product of derivatives; its norm is at most the "
    "product of their norms.",
    "commutator": "This is the inequality of Böttcher and Wenzel.",
    "finite": "What is averaged is bounded, or grows no faster than a polynomial in draws with all moments.",
    "homogeneous": "A norm of a multiple, a transpose or a Kronecker product is known from its parts.",
    "instance": "It is one case of what is assumed for every index.",
    "near_uniform": "The slope of softmax is at most 1/2: it moves at most half as far as its argument.",
    "normal_length": "This is how long a vector of independent normal entries is in the mean (Watson).",
    "rmsnorm_slopes": "The derivative of RMSNorm is a multiple of the projection off its argument.",
    "rows_of_length": "The squares of the norms of the rows, which are assumed, add up.",
    "softmax_slopes": "A row of the derivative of softmax is diag(p) - p pᵀ, the variance under its weights.",
    "squeezed": "It lies between 0 and what tends to 0: {}.",
    "tails": "Where the event happens the right side is at least 1, and elsewhere it is not negative.",
    "aligned": "A correlation of 1 leaves no other vectors than multiples of one, with one sign: {}.",
    "mean_square": "What is never negative has mean 0 only if its square has: {}.",
    "never_reached": "A bound keeps the extreme away from the number: {}.",
    "converges": "What is assumed of the distances of the sequence implies it, by a theorem of convergence.",
    "sequence": "The sequence that is given meets every assumption, and does not converge in this way.",
    "series": "The terms decide, by how fast they vanish, compared with powers and logarithms.",
    "slopes": "By the chain rule, no factor of the derivative is larger than its bound.",
    "variances": "What stays between ends, or has bounded slopes, varies no more (Popoviciu, Poincaré).",
    "exponential_moments": "The mean of the exponential is at most that under a normal law.",
    "powers": "Powers of 1 + x lie above the tangent and below the exponential (Bernoulli).",
    "partial_sums": "The sum is compared with an integral.",
    "products": "A product is compared with an exponential of a sum.",
    "weighted": "With weights, by Cauchy and Schwarz or the triangle inequality.",
    "induction": "It is true at the first sizes, and a step from one size to the next keeps it: {}.",
    "moments": "A mean is bounded from below by the second and the fourth moment (Hölder): {}.",
    "compared": "It grows as something else does, of which this is false: {}.",
    "other_side": "One side is known in other words, and with these it fails: {}.",
    "borel_cantelli": "The chances of deviations are summable, by a moment, so that almost surely they end.",
    "mapped": "It is a continuous function of what converges: {}.",
    "isometry": "A multiple of an isometry stretches every vector alike.",
    "point": "The values of the counterexample are allowed, and there it is false.",
}


def because(rule: str, premises: tuple[int, ...]) -> str:
    """The sentence on a step; a rule that has none speaks by its name."""
    words = BECAUSE.get(rule, "It follows by this rule from {}." if premises else "It follows by this rule.")
    numbers = [f"({number})" for number in premises]
    told = " and ".join(filter(None, [", ".join(numbers[:-1]), *numbers[-1:]]))
    if "{}" in words:
        return words.format(told or "what is declared and known")
    return f"{words} It rests on {told}." if told else words


def tightness_words(step: StepVerdict) -> list[str]:
    """Why a true bound is the best one, by how much it could be better, or that nobody knows. Formulas are
    as in the language."""
    known = [finding.tightness for finding in step.findings if finding.tightness is not None]
    begun = "A guess: the" if "tightness" in step.guesses else "The"
    is_order = isinstance(step.fact, Relation) and isinstance(step.fact.right, Growth)
    what = "order" if is_order else "bound"
    match step.tightness:
        case None:
            return []
        case "tight":
            words = f"{begun} {what} cannot be improved."
            return [words, *_distinct(_reached(item, is_order) for item in known)]
        case "loose":
            better = "" if step.tight is None else f" With {step.tight} on the right it is true as well."
            times = f" {_times(step)}" if step.slack is not None else ""
            return [
                f"{begun} {what} can be improved.{times}{better}",
                *_distinct(item.note for item in known),
            ]
        case "suspected-loose":
            words = "A search found no point that comes near the bound: perhaps it can be improved."
            return [words, "Nothing proves that it can.", *_distinct(item.note for item in known)]
        case "unknown":
            return ["Whether the bound can be improved is not known."]


def _times(step: StepVerdict) -> str:
    """How far off a bound is, on the side on which it is."""
    if isinstance(step.fact, Within):
        return f"It is {step.slack:.4g} times as wide as it has to be."
    return f"The right side could be {step.slack:.4g} times {'larger' if grows(step.fact) else 'smaller'}."


def _reached(item: Tightness, is_order: bool) -> str | None:
    if item.tight is not True:
        return None
    if is_order:
        return item.note or "The left side grows as fast as that."
    if item.where:
        return f"The two sides meet, or come as near as one likes, at {show(item.where)}."
    return item.note or "The two sides meet, or come as near as one likes."


def _distinct(words: Iterator[str | None]) -> list[str]:
    found = dict.fromkeys(word for word in words if word)
    return [word if word.endswith(".") else f"{word[0].upper()}{word[1:]}." for word in found]


def why_assumed(claim: Claim, part: AssumptionVerdict, below: bool = False) -> list[str]:
    """Why an assumption is needed, or that the claim does without it. `below`: its point stands there."""
    reason = [f"{part.reason[0].upper()}{part.reason[1:]}."] if part.reason else []
    if part.is_guess:
        reason.insert(0, "This is a guess.")
    if part.status == "unneeded":
        return [*reason, "It can be left out."]
    if part.status != "needed" or part.counterexample is None:
        return reason
    found = relevant(claim, part.counterexample)
    told = " and the ".join(told_sides(in_letters(claim, found), "is "))
    if not told or not found.values:
        return reason
    place = "the point below" if below else show(found.values)
    words = f"At {place} every other assumption is met, and there the {told}."
    return [*reason, words] if part.violated else [*reason, words, "Only this assumption excludes it."]


def why(verdict: VerdictName) -> str:
    """What stands above the reasons."""
    if verdict == "error":
        return "Why it cannot be judged"
    if verdict == "fails":
        return "Why it is false"
    return "Why it is true" if verdict in ("holds", "loose") else "Why it is open"


def how_sure(item: Verdict) -> str:
    """What a verdict rests on, and whether somebody else came to it too."""
    if item.verdict == "error":
        return "Nothing was judged: there is nothing that could be true or false."
    if is_called_false(item):
        return "Nothing is proved: an engine calls it false, and its word is not enough."
    if not item.grounds:
        return "Nothing is proved: that nothing was found against it does not make it true."
    found = (finding for step in item.grounds for finding in step.findings)
    engines = sorted({finding.engine for finding in found if finding.decides} - {WITNESS, FEW_POINTS})
    if is_checked(item):
        words = "a proof that the kernel checked, step by step."
    elif item.evidence == "sampled":
        words = "samples alone: two replicated intervals exclude it, and there is no proof."
    else:
        words = f"the word of an engine ({', '.join(engines)}): the kernel has checked no proof of all of it."
    return f"It rests on {words}{_witnessed(item)}"


def _witnessed(item: Verdict) -> str:
    """Whether a second witness, who shares nothing with a proof but the tree, speaks too."""
    truth = "false" if item.verdict == "fails" else "true"
    found = [finding for step in item.grounds for finding in step.findings]
    if any(finding.engine == WITNESS and finding.truth == truth for finding in found):
        return " Sampling, which knows nothing of it, says the same."
    seen = next((f.reason for f in found if f.engine == FEW_POINTS and f.reason.startswith(truth)), None)
    if seen is not None:
        return f" Exact arithmetic finds it {seen}."
    asked = [finding for finding in found if finding.engine == WITNESS]
    looked = next((finding for finding in asked if finding.reason.startswith(UNBROKEN)), None)
    if looked is None:
        return " Sampling says nothing of it." if asked else " Nothing was sampled."
    if looked.samples and not any(map(tells, looked.samples)):
        return " Sampling says nothing of it: its intervals are too wide."
    said = looked.reason.partition("; ")[0]
    return f" Sampling alone did not see it: {said}." if truth == "false" else f" Sampling agrees: {said}."


def unproved(step: StepVerdict) -> list[str]:
    """What is known of a step for which the kernel has no proof, and what is missing."""
    deciding = [finding for finding in step.findings if finding.decides]
    if step.verdict == "error":
        known = (finding.undefined or finding.vacuous for finding in step.findings)
        words = next(filter(None, known), step.reason)
        return [f"{words[:1].upper()}{words[1:]}."]
    if step.verdict not in ("holds", "loose", "fails"):
        return ["Nothing decides it. What was tried, and what is missing:"] if step.findings else []
    reason = f"{step.reason[:1].upper()}{step.reason[1:]}."
    best = min(deciding, key=lambda finding: GRADES.index(finding.grade or "searched"), default=None)
    who = f"Nobody but the {best.engine} engine" if best is not None else "Nobody"
    return [reason, f"Missing: a proof that the kernel can check. {who} answers for it."]


def tried(step: StepVerdict) -> list[tuple[str, str]]:
    """Who tried a step that nothing decides, and what each is missing; of what is decided and has a proof
    nothing more is said."""
    if step.verdict in ("holds", "loose", "fails", "error"):
        return []
    open_still = step.verdict == "unrefuted"  # else those who decided it contradict each other
    found = (finding for finding in step.findings if open_still or not finding.decides)
    return list(dict.fromkeys((finding.engine, _missing(finding)) for finding in found))


def _missing(finding: Finding) -> str:
    if finding.decides:
        return f"says that it is {finding.truth}: {finding.reason}; missing: a proof that the kernel accepts"
    parts = [reason_of(finding), f"missing: {finding.missing}" if finding.missing else ""]
    return "; ".join(filter(None, parts)) or "found nothing"
