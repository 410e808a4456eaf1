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
FIXED = (Fraction(1), Fraction(2), Fraction(-1), Fraction(1, 2), Fraction(0))
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
        for assumption in claim.assumptions:
            others = sorted(_others(claim, assumption, way))
            if _ties(claim, assumption, way) and others and not _may_be_fixed(claim, assumption, way, others):
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


def _ties(claim: Claim, assumption: Assumption, way: Way) -> bool:
    """A relation of scalars and of matrices whose sizes stay, in which what moves takes part.

    norm(v) == f(n) is no such tie: the engines know the value."""
    names = _names(assumption)
    match assumption.constraint:
        case Relation("==", Norm(Symbol()) | Power(Norm(Symbol()), Number()), _):
            return False
        case Relation() | Within():
            return bool(names & way.names) and all(_stays(claim, name, way) for name in names)
    return False


def _stays(claim: Claim, name: str, way: Way) -> bool:
    declared = claim.symbols.get(name)
    if declared is None or declared.copies is not None:
        return False
    if isinstance(declared.kind, FixedMatrix):
        sizes = declared.shape.rows.names | declared.shape.cols.names
        return declared.kind.family in PLAIN and not sizes & way.names
    return isinstance(declared.kind, SCALARS)


def _names(assumption: Assumption) -> set[str]:
    return {node.name for node in walk(assumption.fact) if isinstance(node, Symbol)}


def _others(claim: Claim, assumption: Assumption, way: Way) -> set[str]:
    """What is fixed, the sizes of the matrices among it included."""
    names = _names(assumption)
    shapes = [claim.symbols[name].shape for name in names if name in claim.symbols]
    sizes = {name for shape in shapes for name in shape.rows.names | shape.cols.names}
    return (names | sizes) - way.names - claim.where.keys()


def _may_be_fixed(claim: Claim, assumption: Assumption, way: Way, others: list[str]) -> bool:
    """Whether some simple values satisfy the assumption close to the limit."""
    # Loaded in the worker alone, like the engines.
    from verifier.rigorous.compare import compare
    from verifier.rigorous.context import Context

    assert assumption.constraint is not None
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
            met = (compare(assumption.constraint, {**point, **filled, **at}, context) for at in path)
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
