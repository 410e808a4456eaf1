"""Sums over all entries as trees in the entries at one index, and what is declared of these entries."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import fmpq

from verifier.claim.model import Claim
from verifier.exact.enclosures.domains import Domain
from verifier.exact.numbers.constants import ONE, ZERO, sign
from verifier.exact.numbers.refusals import Unsupported
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.dims import Dim
from verifier.expr.walk import rebuild, substitute, walk

INDICES = ("i_", "j_")
UNIT = n.Number(Fraction(1))


def squared(arg: n.Node) -> n.Node:
    return n.Power(entry_of(arg), n.Number(Fraction(2)))


def canonical(body: n.Node, ranges: tuple[n.Range, ...]) -> tuple[n.Node, tuple[Dim, ...]]:
    """The body in the indices i_ and j_, and how far these run."""
    if len(ranges) > len(INDICES):
        raise Unsupported("a sum over more than two indices")
    spans = []
    for span in ranges:
        if span.low != UNIT:
            raise Unsupported("a sum that does not begin at 1")
        match span.high:
            case n.Symbol(high):
                spans.append(Dim.of(high))
            case n.Number(high) if high.denominator == 1:
                spans.append(Dim.of(int(high)))
            case _:
                raise Unsupported("a sum whose length is not a dimension")
    renamed: dict[n.Node, n.Node] = {
        n.Index(span.index): n.Index(name) for span, name in zip(ranges, INDICES, strict=False)
    }
    return _inner(substitute(body, renamed)), tuple(spans)


def _inner(body: n.Node) -> n.Node:
    """Every entry of an expression as an expression of entries."""

    def change(node: n.Node) -> n.Node:
        match node:
            case n.Let(_, inner):
                return change(inner)
            case n.Entry(arg, row, col):
                return entry_of(arg, row, col)
        return rebuild(node, change)

    return change(body)


def entry_of(node: n.Node, row: n.Node | None = None, col: n.Node | None = None) -> n.Node:
    """The entry of a matrix made entry by entry; of a vector at the index i_."""
    if row is None or col is None:
        rows, cols = node.shape.rows.constant == 1, node.shape.cols.constant == 1
        row = UNIT if rows else n.Index(INDICES[0])
        col = UNIT if cols else n.Index(INDICES[0 if rows else 1])
    match node:
        case n.Let(_, body):
            return entry_of(body, row, col)
        case n.Symbol() if not node.shape.is_scalar:
            return n.Entry(node, row, col)
        case n.Transpose(arg):
            return entry_of(arg, col, row)
        case n.Ones():
            return UNIT
        case n.Zeros():
            return n.Number(Fraction(0))
        case n.Add() | n.Subtract() | n.Multiply() | n.Divide():
            left, right = _scalar_or_entry(node.left, row, col), _scalar_or_entry(node.right, row, col)
            return replace(node, left=left, right=right)
        case n.Negate(arg):
            return n.Negate(entry_of(arg, row, col))
        case n.Power(base, exponent):
            return n.Power(entry_of(base, row, col), exponent)
        case n.Apply(name, args):
            return n.Apply(name, tuple(_scalar_or_entry(arg, row, col) for arg in args))
    if node.shape.is_scalar:
        return node
    raise Unsupported(f"the entries of {type(node).__name__}")


def _scalar_or_entry(node: n.Node, row: n.Node, col: n.Node) -> n.Node:
    return node if node.shape.is_scalar else entry_of(node, row, col)


def declared(claim: Claim, node: n.Entry) -> tuple[Domain, Any]:
    """Where an entry ranges, and the sum over the index if that is known."""
    assert isinstance(node.arg, n.Symbol)
    kind = claim.symbols[node.arg.name].kind
    domain, total = Domain(), None
    match kind:
        case kinds.FixedMatrix("simplex"):
            domain, total = Domain(ZERO, ONE), ONE
        case kinds.FixedMatrix("stochastic"):
            domain = Domain(ZERO, ONE)
            total = ONE if isinstance(node.row, n.Number) else None
        case kinds.FixedMatrix():
            pass  # what else the class asks of it makes the region smaller
        case _:
            raise Unsupported(f"the entries of {node.arg.name}")
    for assumption in claim.assumptions:
        for op, end in _limits(assumption.constraint, node.arg):
            if op in ("<=", "<", ">=", ">"):
                domain = domain.cut(op, fmpq(end.numerator, end.denominator))
    return domain, total


def _limits(fact: n.Fact | None, symbol: n.Symbol) -> list[tuple[str, Fraction]]:
    """x >= 0, all(x[i] > 0, i, 1, n), all(abs(x[i]) <= 1, i, 1, n), all(x[i] in [0, 1], i, 1, n)."""
    match fact:
        case n.ForAll(n.Relation(op, left, n.Number(end)), ranges, ()):
            match left:
                case n.Entry(arg, row, col) if arg == symbol and _is_every(symbol, row, col, ranges):
                    return [(op, end)]
                case n.Apply("abs", (n.Entry(arg, row, col),)) if arg == symbol and op in ("<=", "<"):
                    whole = _is_every(symbol, row, col, ranges)
                    return [(op, end), (">=" if op == "<=" else ">", -end)] if whole else []
        case n.Relation(op, left, n.Number(end)) if left == symbol:
            return [(op, end)]
        case n.Relation(op, left, n.Zeros()) if left == symbol:
            return [(op, Fraction(0))]
    return []


def _is_every(symbol: n.Symbol, row: n.Node, col: n.Node, ranges: tuple[n.Range, ...]) -> bool:
    """The ranges run over all entries of the symbol."""
    sizes: dict[n.Node, str] = {n.Index(span.index): _text(span.high) for span in ranges if span.low == UNIT}
    places = [
        (p, size) for p, size in ((row, symbol.shape.rows), (col, symbol.shape.cols)) if size.constant != 1
    ]
    return len(places) == len(ranges) and all(sizes.get(place) == str(size) for place, size in places)


def _text(node: n.Node) -> str:
    match node:
        case n.Symbol(name):
            return name
        case n.Number(value):
            return str(value)
    return "?"


def rooted(claim: Claim, part: n.Node | n.Fact) -> frozenset[str]:
    """Symbols of whose entries a logarithm or a root is taken: it has a value for positive ones alone (and
    for 0, which is a limit of these, or left out). A quotient tells the sign of one by the other's."""
    found: set[str | None] = set()
    quotients: list[set[str | None]] = []
    for node in walk(part):
        match node:
            case n.Apply("log", (n.Divide(over, under),)):
                quotients.append({_symbol(over), _symbol(under)})
            case n.Apply("log" | "sqrt", (arg,)):
                found.add(_symbol(arg))
            case n.Power(base, n.Number(exponent)) if exponent.denominator > 1:
                found.add(_symbol(base))
    for pair in quotients:
        signed = pair & (found | {name for name in claim.symbols if _never_negative(claim, name)})
        found |= pair if signed and None not in pair else set()
    return frozenset(name for name in found if name is not None)


def _never_negative(claim: Claim, name: str) -> bool:
    shape = claim.symbols[name].shape
    if shape.is_scalar or not isinstance(claim.symbols[name].kind, kinds.FixedMatrix):
        return False
    index = n.Index(INDICES[0])
    return not_negative(declared(claim, n.Entry(n.Symbol(name, shape), index, index))[0])


def _symbol(node: n.Node) -> str | None:
    match node:
        case n.Symbol(name) if not node.shape.is_scalar:
            return name
        case n.Entry(n.Symbol(name), row, col) if isinstance(row, n.Index) or isinstance(col, n.Index):
            return name
    return None


def not_negative(domain: Domain) -> bool:
    return domain.low is not None and sign(domain.low) >= 0
