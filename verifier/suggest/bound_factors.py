"""Bounds with another factor: the same question again, and the best factor that can be proved."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.evidence import EXACT, Attempt, Finding, Outcome, Truth
from verifier.expr.nodes import Relation
from verifier.expr.text import to_text
from verifier.plan.asking import Case, heard, load_engine
from verifier.plan.closed_for_search import in_closed_form
from verifier.plan.kernel_alone import KERNEL, by_the_kernel
from verifier.timer import worked

RULES = "rules"
NEARLY = Fraction(501, 500)

Proves = Callable[[Fraction], bool]


def answer(case: Case, name: str, fact: Relation, seconds: float) -> Finding:
    """What an engine, or the kernel, knows beyond doubt about another relation than that of the case."""
    begun, step = worked(), replace(case.step, fact=fact)
    if name == KERNEL:
        found = by_the_kernel(case.claim, step, seconds)
    else:
        engine = next(engine for engine in case.settings.engines if engine.name == name)
        found = heard(engine, load_engine(engine), case.claim, step, case.budget(engine, seconds))
        found = found if found.grade in EXACT else Finding(name, "unknown")
    outcome: Outcome = "proved" if found.proves else "refuted" if found.refutes else "nothing"
    case.attempts.append(Attempt(name, outcome, to_text(fact), worked() - begun))
    return found


def first_answer(case: Case, fact: Relation, deadline: float, part: float = 1.0) -> Finding:
    """What the first of those who prove says of it that knows, each in a part of the time that is left."""
    for name in case.provers:
        left = deadline - worked()
        if left > 0 and (found := answer(case, name, fact, part * left)).truth != "unknown":
            return found
    return Finding("nobody", "unknown")


def said(case: Case, name: str, fact: Relation, seconds: float) -> Truth:
    """Whether that relation is true, for whoever looks for one to offer: on what it rests does not matter."""
    return answer(case, name, fact, seconds).truth


def by_rules(case: Case, seconds: float) -> None:
    """The rules of the textbooks again, with the closed forms that others found since: a rule bounds the norm
    of G @ K, but not that of a derivative that comes to G @ K."""
    asked = in_closed_form(case.claim, case.step, case.findings)
    is_open = not any(finding.decides for finding in case.findings)
    if RULES not in case.provers or not is_open or asked == case.step or not isinstance(asked.fact, Relation):
        return
    found = answer(case, RULES, asked.fact, seconds)
    if found.proves:
        case.hear(Finding(RULES, "true", found.grade, "by rules for its closed form"))


def largest(proves: Proves, least: Fraction, most: Fraction) -> Fraction | None:
    """The largest number for which the bound is proved, nearly: then the simplest one next to it."""
    if not proves(least):
        return None
    low, high = least, 2 * least
    while high <= most and proves(high):
        low, high = high, 2 * high
    # Whoever gave a factor away gave away a simple one: that is the first guess.
    middle = simplest((low + high) / 2, high)
    while high > low * NEARLY:
        low, high = (middle, high) if proves(middle) else (low, middle)
        middle = (low + high) / 2
    beyond = simplest(low, high)
    # What is proved for a number is proved for every smaller one.
    return beyond if beyond == low or proves(beyond) else simplest(max(least, low * 49 / 50), low)


def least(says: Callable[[Fraction], Truth], most: Fraction) -> Fraction | None:
    """The least number in [1, most] for which the bound is true, as it is for `most`, if every answer on the
    way is known: then the simplest one next to it."""
    low, high = Fraction(1), most
    while high > low * 101 / 100:
        middle = simplest((2 * low + high) / 3, (low + high) / 2)
        match says(middle):
            case "true":
                high = middle
            case "false":
                low = middle
            case "unknown":
                return None
    within = simplest(low, high)
    return within if within == high or says(within) == "true" else None


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator in [low, high]."""
    return next(
        Fraction(above, below)
        for below in range(1, low.denominator + 1)
        if (above := -(-low * below // 1)) <= high * below
    )
