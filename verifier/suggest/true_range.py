"""What a refuted range should have been: the true range of the same expression.

A search within a much wider range finds the values that are reached next to its ends; what it takes for the
true range is believed once an engine says that nothing lies outside.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.evidence import Finding
from verifier.expr.elaborate import elaborate
from verifier.expr.nodes import Add, Apply, Multiply, Node, Number, Relation, Subtract, Within
from verifier.expr.syntax import parse
from verifier.plan.asking import Case, heard, load_engine
from verifier.plan.settings import Engine
from verifier.prove.rules.bound_form import is_infinite
from verifier.timer import worked

WIDER = 8  # times the ends, on each side


def rerange(case: Case, seconds: float) -> None:
    """Tell the true range in the place of a refuted one."""
    fact = case.step.fact
    if not isinstance(fact, Within) or is_infinite(fact.low) or is_infinite(fact.high):
        return
    searching = next((engine for engine in case.settings.engines if engine.climbs), None)
    if searching is None:
        return
    deadline = worked() + seconds
    text = _true_range(case, fact, searching, seconds / 2)
    if text is not None and _is_true(case, fact, text, deadline):
        case.hear(replace(case.refutation, corrected=text))


def _true_range(case: Case, fact: Within, engine: Engine, seconds: float) -> str | None:
    found = _asked(case, engine, _wider(fact), seconds)
    loose = found.truth != "false" and found.tightness is not None and found.tightness.tight is False
    return found.tightness.better if loose and found.tightness is not None else None


def _wider(fact: Within) -> Within:
    """[low - r, high + r] with r = 8*(1 + |low| + |high|)"""
    one: Node = Number(Fraction(1))
    size = Add(Add(one, Apply("abs", (fact.low,))), Apply("abs", (fact.high,)))
    reach = Multiply(Number(Fraction(WIDER)), size)
    return Within(fact.arg, Subtract(fact.low, reach), Add(fact.high, reach))


def _is_true(case: Case, fact: Within, text: str, deadline: float) -> bool:
    """Whether an engine says that nothing lies outside of the range."""
    low, _, high = text.removeprefix("[").removesuffix("]").partition(", ")
    ends = (elaborate(parse(end), case.claim.scope) for end in (low, high))
    stated = Within(fact.arg, *ends)
    engines = [engine for engine in case.settings.engines if not engine.is_witness]
    for at, engine in enumerate(engines):
        share = (deadline - worked()) / (len(engines) - at)
        if share > 0 and (found := _asked(case, engine, stated, share)).truth != "unknown":
            return found.truth == "true"
    return False


def _asked(case: Case, engine: Engine, fact: Within | Relation, seconds: float) -> Finding:
    step = replace(case.step, fact=fact)
    return heard(engine, load_engine(engine), case.claim, step, case.budget(engine, seconds))
