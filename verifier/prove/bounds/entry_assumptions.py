"""What assumptions say of single entries: all(a[k] <= c, k, 2, n), a[1] == order(1), simplex(n)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.symbols import FixedMatrix
from verifier.prove.forms.refusal import Refusal

HALF = sp.Rational(1, 2)


@final
@dataclass(frozen=True)
class Bounds:
    """low <= x <= high, both positive numbers; None where nothing is known."""

    low: sp.Expr | None
    high: sp.Expr | None


def bounds(claim: Claim, node: n.Node) -> Bounds:
    """Of a product of entries and numbers that are not negative; Refusal for anything else."""
    match node:
        case n.Number(value) if value > 0:
            exact = sp.Rational(value.numerator, value.denominator)
            return Bounds(exact, exact)
        case n.Let(_, body):
            return bounds(claim, body)
        case n.Apply("abs", (arg,)):
            return bounds(claim, arg)
        case n.Multiply(left, right):
            a, b = bounds(claim, left), bounds(claim, right)
            return Bounds(_times(a.low, b.low), _times(a.high, b.high))
        case n.Divide(left, right):
            a, b = bounds(claim, left), bounds(claim, right)
            return Bounds(_times(a.low, _inverse(b.high)), _times(a.high, _inverse(b.low)))
        case n.Power(base, n.Number(k)) if k > 0:
            a = bounds(claim, base)
            power = sp.Rational(k.numerator, k.denominator)
            return Bounds(*(None if end is None else end**power for end in (a.low, a.high)))
        case n.Entry(n.Symbol(), _, _):
            return entry(claim, node)
    raise Refusal("bounds of an entry")


def _times(left: sp.Expr | None, right: sp.Expr | None) -> sp.Expr | None:
    return None if left is None or right is None else left * right


def _inverse(value: sp.Expr | None) -> sp.Expr | None:
    return None if value is None else 1 / value


def entry(claim: Claim, node: n.Entry) -> Bounds:
    """The best that the assumptions say of an entry that is not negative."""
    arg = node.arg
    assert isinstance(arg, n.Symbol)
    weight = _is_weight(claim, arg)
    lows: list[sp.Expr] = []
    highs: list[sp.Expr] = [sp.Integer(1)] if weight else []
    for op, side in _said(claim, node):
        low, high = _ends(op, side)
        lows += [] if low is None or low < 0 else [low]
        highs += [] if high is None else [high]
    if not weight and not lows:
        raise Refusal("an entry that may be negative")
    return Bounds(sp.Max(*lows) if lows else None, sp.Min(*highs) if highs else None)


def _is_weight(claim: Claim, symbol: n.Symbol) -> bool:
    kind = claim.symbols[symbol.name].kind
    return isinstance(kind, FixedMatrix) and kind.family in ("simplex", "stochastic")


def _ends(op: str, side: n.Node) -> tuple[sp.Expr | None, sp.Expr | None]:
    match side:
        case n.Order(low, high):
            ends = sp.Integer(10) ** (low - HALF), sp.Integer(10) ** (high + HALF)
        case n.Number(value):
            exact = sp.Rational(value.numerator, value.denominator)
            ends = exact, exact
        case _:
            return None, None
    below = ends[0] if op in ("==", ">=", ">") else None
    return below, ends[1] if op in ("==", "<=", "<") else None


def _said(claim: Claim, node: n.Entry) -> Iterator[tuple[str, n.Node]]:
    """Relations that hold for this entry: about it, or about every entry of a range it lies in."""
    for fact in claim.constraints:
        match fact:
            case n.Relation(op, n.Entry() as left, right) if left == node:
                yield op, right
            case n.ForAll(n.Relation(op, n.Entry(arg, row, col), right), ranges, ()) if arg == node.arg:
                shape = node.arg.shape
                places = ((row, node.row, shape.rows), (col, node.col, shape.cols))
                if all(_covers(claim, said, asked, dim, ranges) for said, asked, dim in places):
                    yield op, right


def reaches_end(claim: Claim, item: n.Range, dim: Dim) -> bool:
    """Whether the range goes to the last index of this size."""
    match item.high:
        case n.Symbol(name):
            return claim.dims.get(name, Dim.of(name)) == dim
        case n.Number(value):
            return dim.constant == value
    return False


def _covers(claim: Claim, said: n.Node, asked: n.Node, dim: Dim, ranges: tuple[n.Range, ...]) -> bool:
    """Whether an index of the assumption takes the value that is asked for."""
    if said == asked:
        return True
    for item in ranges:
        if said == n.Index(item.index) and isinstance(item.low, n.Number) and reaches_end(claim, item, dim):
            start = item.low.value
            return start <= 1 or (start == 2 and _is_not_one(claim, asked)) or _at_least(asked, start)
    return False


def _at_least(asked: n.Node, start: object) -> bool:
    return isinstance(asked, n.Number) and asked.value >= start  # type: ignore[operator]


def _is_not_one(claim: Claim, asked: n.Node) -> bool:
    for fact in claim.constraints:
        match fact:
            case n.Relation("!=", left, n.Number(value)) if left == asked and value == 1:
                return True
            case n.Relation(">", left, n.Number(value)) if left == asked and value >= 1:
                return True
    return False


def covers_all(claim: Claim, ranges: tuple[n.Range, ...], place: n.Node, dim: Dim, start: int = 1) -> bool:
    """Whether this index runs over all of start..dim."""
    for item in ranges:
        if place == n.Index(item.index):
            begins = isinstance(item.low, n.Number) and item.low.value <= start
            return begins and reaches_end(claim, item, dim)
    return False


def largest(claim: Claim, symbol: n.Symbol) -> sp.Expr | None:
    """A bound of every entry, from an assumption about all of them."""
    return _largest(claim, symbol, {})


def beside_one(claim: Claim, weights: n.Node) -> sp.Expr | None:
    """A bound of all entries of each row but the first, or of all; the rows are those of weights, or the one
    row of a vector that stands transposed."""
    match weights:
        case n.Symbol():
            return _largest(claim, weights, {"col": 2})
        case n.Transpose(n.Symbol() as vector) if vector.shape.cols.constant == 1:
            return _largest(claim, vector, {"row": 2})
    return None


def _largest(claim: Claim, symbol: n.Symbol, starts: Mapping[str, int]) -> sp.Expr | None:
    """A bound of the sizes of the entries from some row or column on, from assumptions about all of them:
    of their absolute values, or of those of entries that are not negative."""
    said = [_ends(op, side) for op, side in _said_of_all(claim, symbol, starts)]
    sizes = [_ends(op, side)[1] for op, side in _said_of_all(claim, symbol, starts, "abs")]
    tops = [high for high in sizes if high is not None]
    if _is_weight(claim, symbol) or any(low is not None and low >= 0 for low, _ in said):
        tops += [high for _, high in said if high is not None]
    return tops[0] if tops else None


def _said_of_all(
    claim: Claim, symbol: n.Symbol, starts: Mapping[str, int], function: str | None = None
) -> Iterator[tuple[str, n.Node]]:
    """Relations that hold for every entry from some row or column on, or for a function of it."""
    for fact in claim.constraints:
        match fact:
            case n.ForAll(n.Relation(op, left, right), ranges, ()):
                pass
            case _:
                continue
        match left:
            case n.Entry(arg, row, col) if function is None:
                pass
            case n.Apply(f, (n.Entry(arg, row, col),)) if f == function:
                pass
            case _:
                continue
        sides = (("row", row, symbol.shape.rows), ("col", col, symbol.shape.cols))
        if arg == symbol and all(
            dim.constant == 1 or covers_all(claim, ranges, place, dim, starts.get(side, 1))
            for side, place, dim in sides
        ):
            yield op, right
