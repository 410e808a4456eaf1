"""Bounds with another factor: the same question again, and the best factor that can be proved."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from verifier.evidence import EXACT, Finding, Truth
from verifier.expr.nodes import Relation
from verifier.run.asking import Case, heard, load_engine
from verifier.run.closed import in_closed_form

RULES = "rules"
NEARLY = Fraction(501, 500)

Proves = Callable[[Fraction], bool]


def answer(case: Case, name: str, fact: Relation, seconds: float) -> Finding:
    """What an engine knows beyond doubt about a relation in the place of the one that the case is about."""
    engine = next(engine for engine in case.settings.engines if engine.name == name)
    step = replace(case.step, fact=fact)
    found = heard(engine, load_engine(engine), case.claim, step, case.budget(engine, seconds))
    return found if found.grade in EXACT else Finding(name, "unknown")


def said(case: Case, name: str, fact: Relation, seconds: float) -> Truth:
    """Whether that relation is true, for whoever looks for one to offer: on what it rests does not matter."""
    return answer(case, name, fact, seconds).truth


def by_rules(case: Case, seconds: float) -> None:
    """The rules of the textbooks again, with the closed forms that others found since: a rule bounds the norm
    of G @ K, but not that of a derivative that comes to G @ K."""
    asked = in_closed_form(case.claim, case.step, case.findings)
    is_open = not any(finding.decides for finding in case.findings)
    if not is_open or asked == case.step or not isinstance(asked.fact, Relation):
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
