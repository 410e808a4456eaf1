"""A limit in a symbol that an assumption ties to others: `s <= 1/d` says how s moves as d grows.

In a limit the other symbols are fixed. Where no fixed values satisfy the assumption all the way, a sequence
is meant, and what is true or false of fixed values says nothing of it.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from typing import Any

from verifier.claim.model import Assumption, Claim
from verifier.expr.nodes import Infinity, Limit, Negate, Node, Number, Relation, Symbol, Within
from verifier.expr.symbols import Dimension, IndexOf, Integer, Interval, Kind, Positive, Real
from verifier.expr.walk import walk

FAR = (Fraction(10**6), Fraction(10**12))
FIXED = (Fraction(1), Fraction(2), Fraction(-1), Fraction(1, 2), Fraction(0))
SCALARS = Dimension | IndexOf | Integer | Interval | Positive | Real
MOST_POINTS = 40


def moving(claim: Claim, fact: Relation | Within) -> str | None:
    """What would have to be known of the limit, in words; None where fixed values are meant."""
    limits = [node for node in walk(fact) if isinstance(node, Limit)]
    for limit in limits:
        for assumption in claim.assumptions:
            others = sorted(_names(assumption) - {limit.variable.name} - claim.where.keys())
            if (
                _ties(claim, assumption, limit)
                and others
                and not _may_be_fixed(claim, assumption, limit, others)
            ):
                return f"how {', '.join(others)} move with {limit.variable.name}, as {assumption.name} has it"
    return None


def _ties(claim: Claim, assumption: Assumption, limit: Limit) -> bool:
    """A relation of scalars that the variable of the limit takes part in."""
    names = _names(assumption)
    plain = all(name in claim.symbols and isinstance(claim.symbols[name].kind, SCALARS) for name in names)
    return assumption.constraint is not None and limit.variable.name in names and plain


def _names(assumption: Assumption) -> set[str]:
    return {node.name for node in walk(assumption.fact) if isinstance(node, Symbol)}


def _may_be_fixed(claim: Claim, assumption: Assumption, limit: Limit, others: list[str]) -> bool:
    """Whether some simple values satisfy the assumption close to the limit."""
    # Loaded in the worker alone, like the engines.
    from verifier.rigorous.compare import compare
    from verifier.rigorous.context import Context

    assert assumption.constraint is not None
    context = Context.of(claim)
    near = list(_near(limit.target))
    for values in islice(product(FIXED, repeat=len(others)), MOST_POINTS):
        fixed = dict(zip(others, values, strict=True))
        if not all(_is_of_kind(claim.symbols[name].kind, value) for name, value in fixed.items()):
            continue
        point: dict[str, Any] = {**claim.where, **fixed}
        met = (compare(assumption.constraint, {**point, limit.variable.name: at}, context) for at in near)
        if near and all(found.outcome == "true" for found in met):
            return True
    return False


def _is_of_kind(kind: Kind, value: Fraction) -> bool:
    match kind:
        case Dimension() | IndexOf():
            return value >= 1 and value.denominator == 1
        case Integer():
            return value.denominator == 1
        case Positive():
            return value > 0
    return True


def _near(target: Node) -> Iterator[Fraction]:
    """Two values of the variable close to its limit."""
    match target:
        case Infinity():
            yield from FAR
        case Negate(Infinity()):
            yield from (-far for far in FAR)
        case Number(value):
            yield from (value + 1 / far for far in FAR)
