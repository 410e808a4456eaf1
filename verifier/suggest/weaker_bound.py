"""What a false bound should have been: the least multiple of its right side that can be proved."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement

from verifier.evidence import Counterexample, Truth
from verifier.expr.nodes import (
    Apply,
    Comparison,
    Growth,
    Multiply,
    Node,
    Number,
    Order,
    Power,
    Relation,
    Symbol,
)
from verifier.expr.products import divided, multiplied, times
from verifier.expr.symbols import Dimension
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.plan.asking import Case
from verifier.plan.closed_for_search import in_closed_form
from verifier.suggest.bound_factors import first_answer, least, said
from verifier.timer import worked

MOST_FACTOR = Fraction(64)
SIMPLE_EXPONENT = 6
SIMPLE = 24  # the largest denominator of a factor that a point suggests


def widen(case: Case, seconds: float) -> None:
    """Tell by which factor the right side of a refuted bound is too small, for >= too large."""
    fact = case.step.fact
    if not isinstance(fact, Relation) or fact.op == "==" or not fact.left.shape.is_scalar:
        return
    if isinstance(fact.right, Growth | Order) or _is_strict_alone(case, fact):
        return
    stated = fact
    known = in_closed_form(case.claim, case.step, case.findings).fact
    if isinstance(known, Relation):
        # The left side in closed form: more is known of the norm of a product than of a derivative's.
        fact = Relation(fact.op, known.left, fact.right)
    deadline = worked() + seconds
    right = _at_the_point(case, fact, deadline) or next(
        (found for name in case.provers if (found := _corrected(case, fact, name, deadline))), None
    )
    if right is None:
        return
    refuting = case.refutation
    if fact.op in ("<", ">") and not first_answer(case, replace(fact, right=right), deadline).proves:
        weaker = Relation(_with_equality(fact), stated.left, right)
        case.hear(replace(refuting, instead=to_text(weaker)))
    else:
        case.hear(replace(refuting, corrected=to_text(right)))


def _with_equality(fact: Relation) -> Comparison:
    return "<=" if fact.op in ("<=", "<") else ">="


def _is_strict_alone(case: Case, fact: Relation) -> bool:
    """Whether the sides are equal where `<` is refuted: no factor mends that."""
    example = case.refutation.counterexample
    return fact.op in ("<", ">") and example is not None and example.lhs == example.rhs


def _at_the_point(case: Case, fact: Relation, deadline: float) -> Node | None:
    """The right side times what it lacks at the counterexample: no smaller multiple is true."""
    op, upper = _with_equality(fact), fact.op in ("<=", "<")
    example = case.refutation.counterexample
    factor = None if example is None else _lacking(upper, example)
    if example is None or factor is None:
        return None
    simple = Fraction(factor).limit_denominator(SIMPLE)
    tried = [times(simple if upper else 1 / simple, fact.right)] if _near(simple, factor) else []
    tried += [size for size in _sizes(case) if _is_of_sizes(case, fact.right) and _is_left(size, example)]
    for size in (*_sizes(case), *_powers(case, example, factor)):
        value = _value(size, example.values)
        if value is not None and value > 1 and _near(value, factor):
            tried.append(_resized(upper, fact.right, size))
    for right in tried:
        for engine in (engine.name for engine in case.settings.engines if not engine.is_witness):
            left = deadline - worked()
            if left > 0 and said(case, engine, Relation(op, fact.left, right), left) == "true":
                return right
    return None


def _lacking(upper: bool, example: Counterexample) -> float | None:
    """left/right at the point, for >= right/left, where both are positive."""
    left, right = (example.lhs, example.rhs) if upper else (example.rhs, example.lhs)
    if left is None or right is None or not 0 < right < left < math.inf:
        return None
    return left / right


def _is_of_sizes(case: Case, right: Node) -> bool:
    kinds = (case.claim.symbols[node.name].kind for node in walk(right) if isinstance(node, Symbol))
    return all(isinstance(kind, Dimension) for kind in kinds)


def _is_left(size: Node, example: Counterexample) -> bool:
    """Whether another size is what stands on the left at the point: sqrt(n) in the place of sqrt(d)."""
    value = _value(size, example.values)
    return value is not None and example.lhs is not None and value > 1 and _near(value, example.lhs)


def _near(value: Fraction | float, other: float) -> bool:
    return abs(float(value) - other) <= 1e-9 * other


def _value(size: Node, values: Mapping[str, object]) -> float | None:
    """A size at the point: n, sqrt(n), sqrt(n*m)."""
    match size:
        case Symbol(name):
            found = values.get(name)
            return float(found) if isinstance(found, int) else None
        case Power(Symbol() as one, Number(exponent)):
            found = _value(one, values)
            return None if found is None else found ** float(exponent)
        case Apply("sqrt", (Symbol() as one,)):
            found = _value(one, values)
            return None if found is None else math.sqrt(found)
        case Apply("sqrt", (Multiply(left, right),)):
            first, second = _value(left, values), _value(right, values)
            return None if first is None or second is None else math.sqrt(first * second)
    return None


def _corrected(case: Case, fact: Relation, engine: str, deadline: float) -> Node | None:
    """The right side times a number, or a size, with which the engine proves it."""

    op, upper = _with_equality(fact), fact.op in ("<=", "<")

    def says(right: Node) -> Truth:
        left = deadline - worked()
        return said(case, engine, Relation(op, fact.left, right), left) if left > 0 else "unknown"

    def by(factor: Fraction) -> Node:
        return times(factor if upper else 1 / factor, fact.right)

    if says(by(MOST_FACTOR)) == "true":
        factor = least(lambda factor: says(by(factor)), MOST_FACTOR)
        return None if factor is None else by(factor)
    sized = (_resized(upper, fact.right, size) for size in _sizes(case))
    return next((right for right in sized if says(right) == "true"), None)


def _resized(upper: bool, right: Node, size: Node) -> Node:
    """n times the bound, for >= a bound n times smaller."""
    return multiplied(size, right) if upper else divided(right, size)


def _sizes(case: Case) -> Iterator[Node]:
    """sqrt(n), n, sqrt(n*m): what norms are compared by."""
    names = [name for name, symbol in case.claim.symbols.items() if isinstance(symbol.kind, Dimension)]
    used = [Symbol(name) for name in names if name not in case.claim.where]
    yield from (Apply("sqrt", (size,)) for size in used)
    for first, second in combinations_with_replacement(used, 2):
        yield first if first == second else Apply("sqrt", (Multiply(first, second),))


def _powers(case: Case, example: Counterexample, factor: float) -> Iterator[Node]:
    """n**(1/6), where that is what is lacking at the point."""
    for name, symbol in case.claim.symbols.items():
        size = _value(Symbol(name), example.values) if isinstance(symbol.kind, Dimension) else None
        if size is not None and size > 1 and name not in case.claim.where:
            exponent = Fraction(math.log(factor) / math.log(size)).limit_denominator(SIMPLE_EXPONENT)
            if exponent.denominator > 2:
                yield Power(Symbol(name), Number(exponent))
