"""Points that the claim allows, with the values that its invariants take there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from flint import fmpq

from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.exact.values.recheck import admissible
from verifier.expr import nodes as n
from verifier.expr.walk import walk
from verifier.prove.scalars.exact_points import Point, points
from verifier.prove.scalars.scalar_relation import Reading

TWO = n.Number(Fraction(2))


@dataclass(frozen=True)
class Concrete:
    """A point, and the same as values of SymPy symbols and atoms."""

    point: Point
    values: Mapping[sp.Symbol, sp.Expr]

    def of(self, expr: sp.Expr) -> sp.Expr:
        """The expression at the point: in all symbols at once, since one by one 0/0 would be 0."""
        return expr.subs(self.values, simultaneous=True)

    def shown(self, without: frozenset[str]) -> dict[str, object]:
        """The point for people, parameters that a special case sets included."""
        scalars = {
            s.name: _fraction(v) for s, v in self.values.items() if v.is_Rational and s.name.isidentifier()
        }
        named = {**scalars, **self.point}
        return {name: for_people(value) for name, value in named.items() if name not in without}


def allowed(reading: Reading, growing: tuple[sp.Symbol, ...], count: int = 6) -> Iterator[Concrete]:
    """Allowed points as values of all symbols but the growing ones; none if an invariant changes its
    shape as sizes grow."""
    symbols = reading.left.free_symbols | reading.right.free_symbols
    names = {symbol.name for symbol in growing}
    atoms = {a: node for a, node in reading.translator.atoms.items() if a in symbols}
    for node in atoms.values():
        sizes = [part.shape.rows.names | part.shape.cols.names for part in walk(node)]
        if any(size & names for size in sizes):
            return
    # The scales of laws stand in the closed form only.
    parts: tuple[n.Node | n.Fact, ...] = (reading.fact, reading.closed, *atoms.values())
    for point in points(reading.claim, parts, count):
        if admissible(reading.claim, point).outcome != "true":
            continue
        values = _values(reading, symbols - set(growing), atoms, point)
        if values is not None:
            yield Concrete(point, values)


def _values(
    reading: Reading, symbols: set[sp.Basic], atoms: Mapping[sp.Expr, n.Node], point: Point
) -> dict[sp.Symbol, sp.Expr] | None:
    found: dict[sp.Symbol, sp.Expr] = {}
    for symbol in symbols:
        if symbol in atoms:
            value = _atom(reading, atoms[symbol], point)
        else:
            raw = point.get(symbol.name)
            value = (
                None if not isinstance(raw, int | Fraction) else sp.Rational(raw.numerator, raw.denominator)
            )
        if value is None:
            return None
        found[symbol] = value
    return found


def _atom(reading: Reading, node: n.Node, point: Point) -> sp.Expr | None:
    """An invariant at the point; a norm through its square, which is rational."""
    is_norm = isinstance(node, n.Norm)
    try:
        ((value,),) = evaluate(n.Power(node, TWO) if is_norm else node, point, Context.of(reading.claim))
    except Refusal:
        return None
    if not isinstance(value, fmpq):
        return None
    exact = sp.Rational(int(value.p), int(value.q))
    return sp.sqrt(exact) if is_norm else exact


def _fraction(value: sp.Rational) -> int | Fraction:
    return int(value.p) if value.q == 1 else Fraction(int(value.p), int(value.q))


def for_people(value: object) -> object:
    if isinstance(value, list):
        return [for_people(item) for item in value]
    return value if isinstance(value, int) else str(value)
