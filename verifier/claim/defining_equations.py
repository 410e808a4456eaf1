"""Equations that name what they define, and second equations for the same name, as relations.

    A == A.T        r == tanh(r)        x == P @ x        x == 2*y with y == x/2

To put the right side in the place of the left one would never end. Such an equation says which values are
allowed, like any other condition, so it is turned round: A.T == A defines nothing. Of a matrix without a
class A == A.T says that it is symmetric, which is a class of its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, FixedMatrix
from verifier.expr.walk import Part, children

Values = Mapping[str, N.Node]


def without_circles(
    assumptions: Iterable[Assumption], symbols: Mapping[str, Declared]
) -> tuple[Assumption, ...]:
    """The assumptions, each equation that would lead back to its own name as a relation; the earlier ones of
    a circle, and the first one for a name, keep their meaning."""
    found: list[Assumption] = []
    values: dict[str, N.Node] = {}
    for item in assumptions:
        pair = item.assumed_value or item.substitution
        if pair is None:
            found.append(item)
            continue
        target, value = pair
        if target.name in values or target.name in _reached(value, values, symbols):
            found.append(replace(item, fact=_relation(target, value), written=item.fact))
            continue
        values[target.name] = value
        found.append(item)
    return tuple(found)


def with_symmetric(
    assumptions: Iterable[Assumption], symbols: Mapping[str, Declared]
) -> Mapping[str, Declared]:
    """The symbols, those symmetric of which an assumption says A == A.T."""
    found = dict(symbols)
    for item in assumptions:
        match item.fact:
            case N.Relation("==", N.Transpose(N.Symbol(name) as left), N.Symbol() as right) if left == right:
                declared = symbols[name]
                if declared.kind == FixedMatrix("matrix") and declared.copies is None:
                    found[name] = replace(declared, kind=FixedMatrix("symmetric"))
    return found


def _reached(value: N.Node, values: Values, symbols: Mapping[str, Declared]) -> set[str]:
    """Every name that the value rests on, with the values that names have by now and the laws of symbols."""
    found: set[str] = set()
    todo: list[Part] = [value]
    while todo:
        part = todo.pop()
        if not isinstance(part, N.Symbol | N.Member | N.Let):
            todo += children(part)
            continue
        if part.name not in found:
            found.add(part.name)
            todo += [values[part.name]] if part.name in values else _behind(part, symbols)
        todo += [part.index] if isinstance(part, N.Member) else []
    return found


def _behind(part: N.Symbol | N.Member | N.Let, symbols: Mapping[str, Declared]) -> Iterator[N.Node]:
    """The body of a `let` name; the parameters of a law."""
    if isinstance(part, N.Let):
        yield part.body
    elif part.name in symbols:
        yield from (node for node in vars(symbols[part.name].kind).values() if isinstance(node, N.Node))


def _relation(target: N.Symbol | N.Let, value: N.Node) -> N.Relation:
    """The equation as one that gives no value to a name."""
    if not isinstance(value, N.Symbol | N.Let):
        return N.Relation("==", value, target)
    shape = target.shape
    nothing = N.Number(Fraction(0)) if shape.is_scalar else N.Zeros(shape)
    return N.Relation("==", N.Subtract(target, value), nothing)
