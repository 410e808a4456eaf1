"""A limit or an order in a symbol that an assumption ties to others: `s <= 1/d` says how s moves as d grows.

In a limit, and in an order, the other symbols are fixed. Where no fixed values satisfy the assumption all the
way, a sequence is meant, and what is true or false of fixed values says nothing of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

from verifier.claim.model import Assumption, Claim
from verifier.expr.nodes import (
    Growth,
    Infinity,
    Limit,
    Negate,
    Node,
    Norm,
    Number,
    Power,
    Relation,
    Symbol,
    Within,
)
from verifier.expr.symbols import Dimension, FixedMatrix, IndexOf, Integer, Interval, Kind, Positive, Real
from verifier.expr.walk import walk

FAR = (Fraction(10**6), Fraction(10**12))
FIXED = (Fraction(1), Fraction(2), Fraction(-1), Fraction(1, 2), Fraction(0), Fraction(1, 8))
SCALARS = Dimension | IndexOf | Integer | Interval | Positive | Real
PLAIN = ("matrix", "vector")
MOST_POINTS = 40


@dataclass(frozen=True)
class Way:
    """Symbols that move, and values of them further and further on; several grow at any speeds."""

    names: frozenset[str]
    targets: tuple[tuple[dict[str, Fraction], ...], ...]


def moving(claim: Claim, fact: Relation | Within) -> str | None:
    """What would have to be known of the limit, in words; None where fixed values are meant."""
    for way in _ways(claim, fact):
        for assumption, condition in _conditions(claim):
            others = sorted(_others(claim, condition, way))
            if _ties(claim, condition, way) and others and not _may_be_fixed(claim, condition, way, others):
                names = ", ".join(sorted(way.names))
                return f"how {', '.join(others)} move with {names}, as {assumption.name} has it"
    return None


def _ways(claim: Claim, fact: Relation | Within) -> Iterator[Way]:
    for node in walk(fact):
        if isinstance(node, Limit):
            name = node.variable.name
            yield Way(frozenset([name]), (tuple({name: at} for at in _near(node.target)),))
    if isinstance(fact, Relation) and isinstance(fact.right, Growth) and claim.growing:
        names = [symbol.name for symbol in claim.growing]
        speeds = product((1, 2, 3), repeat=len(names))
        paths = (
            tuple({k: far**v for k, v in zip(names, speed, strict=True)} for far in FAR) for speed in speeds
        )
        yield Way(frozenset(names), tuple(paths))


def _conditions(claim: Claim) -> Iterator[tuple[Assumption, Relation | Within]]:
    """What is assumed; of a symbol that has a value, that the value is of its kind: a positive c = 1 - a - b
    asks for 1 - a - b > 0."""
    for item in claim.assumptions:
        declared = None if item.substitution is None else claim.symbols.get(item.substitution[0].name)
        match item.constraint:
            case Relation() | Within() as condition:
                yield item, condition
        if item.substitution is None or declared is None:
            continue
        value = item.substitution[1]
        match declared.kind:
            case Positive():
                yield item, Relation(">", value, Number(Fraction(0)))
            case Interval(low, high):
                finite = not isinstance(low, Negate) or not isinstance(low.arg, Infinity)
                yield from [(item, Relation(">=", value, low))] if finite else []
                yield from [(item, Relation("<=", value, high))] if not isinstance(high, Infinity) else []


def _ties(claim: Claim, condition: Relation | Within, way: Way) -> bool:
    """A relation of scalars and of matrices whose sizes stay, in which what moves takes part.

    norm(v) == f(n) is no such tie: the engines know the value."""
    names = _names(condition)
    match condition:
        case Relation("==", Norm(Symbol()) | Power(Norm(Symbol()), Number()), _):
            return False
    return bool(names & way.names) and all(_stays(claim, name, way) for name in names)


def _stays(claim: Claim, name: str, way: Way) -> bool:
    declared = claim.symbols.get(name)
    if declared is None or declared.copies is not None:
        return False
    if isinstance(declared.kind, FixedMatrix):
        sizes = declared.shape.rows.names | declared.shape.cols.names
        return declared.kind.family in PLAIN and not sizes & way.names
    return isinstance(declared.kind, SCALARS)


def _names(condition: Relation | Within) -> set[str]:
    return {node.name for node in walk(condition) if isinstance(node, Symbol)}


def _others(claim: Claim, condition: Relation | Within, way: Way) -> set[str]:
    """What is fixed, the sizes of the matrices among it included."""
    names = _names(condition)
    shapes = [claim.symbols[name].shape for name in names if name in claim.symbols]
    sizes = {name for shape in shapes for name in shape.rows.names | shape.cols.names}
    return (names | sizes) - way.names - claim.where.keys()


def _may_be_fixed(claim: Claim, condition: Relation | Within, way: Way, others: list[str]) -> bool:
    """Whether some simple values satisfy the assumption close to the limit."""
    # Loaded in the worker alone, like the engines.
    from verifier.exact.values.compare_at_point import compare
    from verifier.exact.values.point_context import Context

    context = Context.of(claim)
    matrices = [name for name in others if isinstance(claim.symbols[name].kind, FixedMatrix)]
    scalars = [name for name in others if name not in matrices]
    choices = [[v for v in FIXED if _is_of_kind(claim.symbols[name].kind, v)] for name in scalars]
    choices += [list(FIXED) for _ in matrices]
    for values in islice(product(*choices), MOST_POINTS):
        fixed = dict(zip((*scalars, *matrices), values, strict=True))
        point: dict[str, Any] = {**claim.where, **{name: fixed[name] for name in scalars}}
        filled = {name: _filled(claim, name, fixed[name], point) for name in matrices}
        for path in way.targets:
            met = (compare(condition, {**point, **filled, **at}, context) for at in path)
            if path and all(found.outcome == "true" for found in met):
                return True
    return False


def _filled(claim: Claim, name: str, value: Fraction, sizes: dict[str, Fraction]) -> list[list[Fraction]]:
    """The matrix with this value in every entry."""
    shape = claim.symbols[name].shape
    whole = {size: int(sizes[size]) for size in shape.rows.names | shape.cols.names}
    return [[value] * shape.cols.at(whole) for _ in range(shape.rows.at(whole))]


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
