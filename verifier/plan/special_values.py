"""A claim that nobody could decide, at simple values of its scalars: what fails there fails.

A parameter at 0 takes a branch of a network away, one at 1 a letter out of the closed form; what is left
may be within reach. Only what is false is heard: a special case that is true says nothing of the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Assumption, Claim
from verifier.evidence import EXACT, Finding
from verifier.expr.nodes import Apply, Divide, Extreme, Limit, Number, Power, Relation, Symbol
from verifier.expr.symbols import Dimension, Interval, Positive, Real
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.plan.schedule import examine_cases
from verifier.plan.settings import Engine
from verifier.refute.confirm import Exact, exact_point
from verifier.timer import worked

MOST_CASES = 5
LEAST_SECONDS = 0.2
Values = dict[str, Fraction]
# Where sizes are tiny exact moments are at hand, and proofs are nothing that anybody would hear.
TINY = Engine("search", "verifier.refute.exact_only", 0)


def specialise(case: Case, seconds: float) -> None:
    """Ask about special cases, in closed form as far as there is one, until one of them is refuted."""
    deadline = worked() + seconds
    for values in _cases(case):
        left = (deadline - worked()) / 2  # the first ones are the likely ones
        if left < LEAST_SECONDS:
            return
        there = case.beside(at_values(case.claim, values), case.step)
        if set(_sizes(case)) <= values.keys():
            there.ask(TINY, left)
        if not any(found.truth == "false" for found in there.findings):
            examine_cases([there], there.settings, left)
        for found in there.findings:
            if found.truth == "false" and found.grade in EXACT and found.counterexample is not None:
                told = _told(found, values)
                if not _exists(case.claim, values, told):
                    continue
                case.hear(told)
                case.show()
                return


def _exists(claim: Claim, values: Values, told: Finding) -> bool:
    """Whether something satisfies all assumptions there, those on symbols that the relation does not speak of
    too: no probability vector of length 1 has a norm below 1."""
    # Loaded in the worker alone, like the engines.
    from verifier.exact.values.recheck import admissible

    assert told.counterexample is not None
    point = exact_point(told.counterexample.values) or dict(values)
    try:
        found = [admissible(claim, each).outcome for each in _along(claim, point)]
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return False
    return not any(outcome in ("false", "unsupported") for outcome in found)


def _along(claim: Claim, point: Mapping[str, Exact]) -> list[dict[str, Exact]]:
    """The points that a course through growing symbols stands for: one for each of its values."""
    names = [each.name for each in claim.growing]
    courses = {name: value for name in names if isinstance(value := point.get(name), tuple)}
    steps = zip(*courses.values(), strict=True) if courses else [()]
    return [{**point, **dict(zip(courses, step, strict=True))} for step in steps]


def _cases(case: Case) -> list[Values]:
    """Each real parameter at 0, the last one first: it often switches off what comes last in a network, and
    is dearest. The positive ones as they are and at 1; then all of them at 1, or in the middle of their
    interval; then the sizes at 1, where a softmax is a number and nothing is left to mix."""
    free = _free(case)
    ones = {name: Fraction(1) for name, kind in free.items() if isinstance(kind, Positive)}
    reals = [name for name, kind in free.items() if isinstance(kind, Real)]
    zeros = [{name: Fraction(0)} for name in reversed(reals) if not _divides(case, name)]
    sizes = {name: Fraction(1 if at else 2) for at, name in enumerate(_sizes(case))}
    tried: list[Values] = [*({**sizes, **zero} for zero in zeros[:1]), *zeros[:2]]
    middles = {name: (kind.low + kind.high) / 2 for name, kind in free.items() if isinstance(kind, _Ends)}
    tried.append({**ones, **middles, **dict.fromkeys(reals, Fraction(1))})
    tried.append(dict.fromkeys(sizes, Fraction(1)))
    return [values for values in tried if values][:MOST_CASES]


def _sizes(case: Case) -> list[str]:
    named = names_in(replace(case.claim, steps=(case.step,)))
    free = {name for name in unbound(case.claim) if isinstance(case.claim.symbols[name].kind, Dimension)}
    return [name for name in case.claim.symbols if name in free & named]


def _divides(case: Case, name: str) -> bool:
    """Whether it stands where 0 may have no meaning."""
    for node in walk(case.step.fact):
        match node:
            case Power(_, Number(value)) if value > 0:
                continue
            case Divide(_, part) | Apply("log" | "sqrt", (part,)):
                within = part
            case Power():
                within = node
            case _:
                continue
        if any(isinstance(inner, Symbol) and inner.name == name for inner in walk(within)):
            return True
    return False


def _free(case: Case) -> dict[str, object]:
    """Scalars that the relation speaks of, and no assumption."""
    claim = case.claim
    named = names_in(replace(claim, steps=(case.step,), assumptions=()))
    spoken_of = named & unbound(claim)
    kinds = {name: _ends(item.kind) or item.kind for name, item in claim.symbols.items() if name in spoken_of}
    return {name: kind for name, kind in kinds.items() if isinstance(kind, Real | Positive | _Ends)}


@dataclass(frozen=True)
class _Ends:
    """An interval between two numbers."""

    low: Fraction
    high: Fraction


def _ends(kind: object) -> _Ends | None:
    match kind:
        case Interval(Number(low), Number(high)):
            return _Ends(low, high)
    return None


def unbound(claim: Claim) -> set[str]:
    """Symbols that neither `where` nor an assumption gives or bounds, and over which no limit or extreme is
    taken; that a name has a value says nothing of what is in it."""
    facts = [a.fact for a in claim.assumptions if a.assumed_value is None]
    bound = {part.name for fact in facts for part in walk(fact) if isinstance(part, Symbol)}
    for part in (part for step in claim.steps for part in walk(step.fact)):
        if isinstance(part, Limit):
            bound.add(part.variable.name)
        elif isinstance(part, Extreme):
            bound |= {symbol.name for symbol in part.over}
    return claim.symbols.keys() - bound - claim.where.keys() - {symbol.name for symbol in claim.growing}


def at_values(claim: Claim, values: Values) -> Claim:
    """The claim with these values assumed."""
    facts = [Relation("==", Symbol(name), Number(value)) for name, value in values.items()]
    added = [Assumption("special case", fact, to_text(fact), claim.position) for fact in facts]
    return replace(claim, assumptions=(*claim.assumptions, *added))


def _told(found: Finding, values: Values) -> Finding:
    assert found.counterexample is not None
    shown = {name: int(value) if value.denominator == 1 else str(value) for name, value in values.items()}
    point = {**shown, **found.counterexample.values}
    example = replace(found.counterexample, values=point)
    reason = f"{found.reason}, where {_words(values)}"
    return replace(found, counterexample=example, reason=reason, corrected=None, lhs=None, rhs=None)


def _words(values: Values) -> str:
    return ", ".join(f"{name} == {value}" for name, value in values.items())
