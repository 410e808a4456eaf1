"""Extremes that depend on parameters: never beyond what is stated, and reached at a point of closed form.

    sup(f, x) == c   if   f <= c for every x   and   f == c at x = r * a**e   or as x tends to infinity
                     or   f is concave          and   f == c at x = log(a) or the like, where it is level

The point is guessed: a short number times powers of the parameters. A guess that exact arithmetic does not
refute at two values of the parameters is proved for all of them by an engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from verifier.claim.model import Assumption, Claim
from verifier.claim.undefined import requirements
from verifier.evidence import Finding, Grade, Tightness, weakest
from verifier.exact.values.recheck import recheck
from verifier.expr.nodes import Comparison, Extreme, Infinity, Limit, Negate, Node, Number, Relation, Symbol
from verifier.expr.products import Product
from verifier.expr.symbols import Dimension, Interval, Kind, Positive, Real
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.plan.concave_peaks import is_concave, is_smooth, slope, stationary_points
from verifier.suggest.bound_factors import first_answer
from verifier.timer import past, worked

NUMBERS = tuple(Fraction(x) for x in ("1", "-1", "2", "-2", "1/2", "-1/2"))
POWERS = tuple(Fraction(x) for x in ("0", "1", "-1", "1/2", "-1/2", "2", "-2"))
WHOLE_POWERS = tuple(Fraction(x) for x in ("0", "1", "2"))
PLACES = ((Fraction(4), Fraction(9)), (Fraction(1, 4), Fraction(25)))
MOST_PARAMETERS = 2
PARAMETERS = (Real, Positive, Dimension, Interval)


@dataclass(frozen=True)
class Question:
    """sup(body, over) against right; `beyond` is the relation that nothing crosses. `grades`: of every
    answer that the conclusion rests on."""

    body: Node
    over: Symbol
    right: Node
    beyond: Comparison
    parameters: tuple[str, ...]
    grades: list[Grade | None] = field(default_factory=list)


def attain(case: Case, seconds: float) -> None:
    """Say that an extreme is what is stated, if nobody could tell."""
    question = _question(case)
    if question is None:
        return
    deadline = worked() + seconds
    bound = Relation(question.beyond, question.body, question.right)
    until = worked() + seconds / 2
    is_bound = _says(case, question, case.claim, bound, until)
    place = _place(case, question, deadline) if is_bound else _peak(case, question, deadline)
    if place is not None:
        reason = f"never beyond it, and reached for {question.over.name} {place}"
        assert isinstance(case.step.fact, Relation)
        tight = None if case.step.fact.op == "==" else Tightness(True, Fraction(0), Fraction(0))
        case.hear(Finding("rules", "true", weakest(*question.grades), reason, tightness=tight))


def _question(case: Case) -> Question | None:
    """The claim as one about a scalar and few parameters."""
    match case.step.fact:
        case Relation("==" | "<=" | ">=", Extreme(kind, body, (Symbol() as over,)), right):
            inside = {node.name for node in walk(case.step.fact) if isinstance(node, Symbol)} - {over.name}
        case _:
            return None
    symbols = case.claim.symbols
    if any(isinstance(node, Symbol) and node.name == over.name for node in walk(right)):
        return None
    plain = all(isinstance(symbols[name].kind, PARAMETERS) for name in inside)
    if case.claim.assumptions or not isinstance(symbols[over.name].kind, Real | Positive) or not plain:
        return None
    if not 1 <= len(inside) <= MOST_PARAMETERS:
        return None
    return Question(
        body, over, right, "<=" if kind == "sup" else ">=", tuple(name for name in symbols if name in inside)
    )


def _says(case: Case, question: Question, claim: Claim, fact: Relation, deadline: float) -> bool:
    found = first_answer(replace(case, claim=claim, findings=[]), fact, deadline)
    if found.proves:
        question.grades.append(found.grade)
    return found.proves


def _peak(case: Case, question: Question, deadline: float) -> str | None:
    """Where the slope of a concave function is 0: there it is highest, whatever the parameters are."""
    if not isinstance(case.claim.symbols[question.over.name].kind, Real):
        return None
    if not is_smooth(case.claim, question.body, question.over):
        return None

    def says(claim: Claim, fact: Relation) -> bool:
        return _says(case, question, claim, fact, deadline)

    equal, flat = Relation("==", question.body, question.right), slope(question.body, question.over)
    if not is_concave(question.body, question.over, question.beyond, lambda fact: says(case.claim, fact)):
        return None
    for point in stationary_points(case.claim, question.parameters, question.right):
        there = _at(case.claim, question.over, point)
        may_be = all(_may_be_equal(there, equal, place) for place in _places(case.claim, question))
        if may_be and says(there, flat) and says(there, equal):
            return f"= {to_text(point)}"
    return None


def _place(case: Case, question: Question, deadline: float) -> str | None:
    """Where the stated value is reached, or approached."""
    equal = Relation("==", question.body, question.right)
    for point in _points(case, question):
        if past(deadline):
            return None
        there = _at(case.claim, question.over, point)
        if all(_may_be_equal(there, equal, place) for place in _places(case.claim, question)) and (
            _is_known(case, question, there, (equal,), deadline)
            and _is_defined(case, there, question, deadline)
        ):
            return f"= {to_text(point)}"
    for end in (Infinity(), Negate(Infinity())):
        limit = Relation("==", Limit(question.body, question.over, end), question.right)
        if _says(case, question, case.claim, limit, deadline):
            return f"-> {to_text(end)}"
    return None


def _is_known(
    case: Case, question: Question, claim: Claim, facts: tuple[Relation, ...], deadline: float
) -> bool:
    return any(_says(case, question, claim, fact, deadline) for fact in facts)


def _is_defined(case: Case, there: Claim, question: Question, deadline: float) -> bool:
    """Whether the body has a value there at all parameters: a*x/(a**2 + x**2) has none at x = a for a = 0."""
    needed = requirements(question.body, {question.over.name})
    return needed is not None and all(_is_known(case, question, there, choice, deadline) for choice in needed)


def _points(case: Case, question: Question) -> Iterator[Node]:
    """0, 1, -1, 1/a, a/2, sqrt(a)*b, ..., the simple ones first."""
    positive = isinstance(case.claim.symbols[question.over.name].kind, Positive)
    if not positive:
        yield Number(Fraction(0))
    kinds = [case.claim.symbols[name].kind for name in question.parameters]
    choices = [WHOLE_POWERS if isinstance(kind, Real | Interval) else POWERS for kind in kinds]
    found = []
    for number, *powers in product(NUMBERS, *choices):
        if positive and (number < 0 or any(isinstance(kind, Real | Interval) for kind in kinds)):
            continue
        bases = [(Symbol(name), power) for name, power in zip(question.parameters, powers, strict=True)]
        cost = NUMBERS.index(number) + 2 * sum(POWERS.index(power) for power in powers)
        found.append((cost, Product(number, tuple((b, e) for b, e in bases if e)).node))
    yield from (node for _, node in sorted(found, key=lambda item: item[0]))


def _places(claim: Claim, question: Question) -> Iterator[dict[str, Fraction]]:
    for values in PLACES:
        at = dict(zip(question.parameters, values, strict=False))
        yield {name: _inside(claim.symbols[name].kind, value) for name, value in at.items()}


def _inside(kind: Kind, value: Fraction) -> Fraction:
    """A value between the ends, where there are any."""
    match kind:
        case Interval(Number(low), Number(high)):
            return low + (high - low) / (1 + value)
    return value


def _at(claim: Claim, over: Symbol, point: Node) -> Claim:
    """The claim at this point: derivatives are taken first, then the value enters."""
    fact = Relation("==", over, point)
    return replace(claim, assumptions=(Assumption("where", fact, to_text(fact), claim.position),))


def _may_be_equal(claim: Claim, equal: Relation, place: dict[str, Fraction]) -> bool:
    found = recheck(claim, equal, place)
    return found.outcome == "true" or found.is_equality
