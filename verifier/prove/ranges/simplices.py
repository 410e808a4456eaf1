"""softmax(Z) of an arbitrary Z is an arbitrary positive matrix whose rows sum to one.

Where Z occurs in no other way, a relation that holds for all such matrices, zeros included, holds
for all Z, and the matrix has a compact domain where Z has none. At s = softmax(z) the derivative
of one row is diag(s) - s s^T.
"""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.text import to_text
from verifier.expr.walk import expand_lets, rebuild, walk

Fact = n.Relation | n.Within


def without_softmax(claim: Claim, fact: Fact) -> tuple[Claim, Fact]:
    """The relation with stochastic matrices in place of softmax(Z); as it is where Z has another use."""
    if any(a.assumed_value is not None or a.substitution is not None for a in claim.assumptions):
        return claim, fact
    plain = expand_lets(fact)
    inside = {node.arg for node in walk(plain) if isinstance(node, n.RowWise) and node.function == "softmax"}
    for arg in sorted(inside, key=repr):
        symbol = _free(claim, arg)
        if symbol is None or any(_mentions(a.fact, symbol) for a in claim.assumptions):
            continue
        fresh = n.Symbol(f"softmax({to_text(arg)})", arg.shape)
        changed = _replaced(plain, symbol, arg, fresh)
        if not _mentions(changed, symbol):
            declared = replace(
                claim.symbols[symbol.name],
                name=fresh.name,
                shape=arg.shape,
                kind=kinds.FixedMatrix("stochastic"),
            )
            claim, plain = replace(claim, symbols={**claim.symbols, fresh.name: declared}), changed
    return claim, plain


def _free(claim: Claim, arg: n.Node) -> n.Symbol | None:
    """The arbitrary matrix, or the vector written as a row, that the softmax is of."""
    match arg:
        case n.Symbol(name) if claim.symbols[name].kind == kinds.FixedMatrix("matrix"):
            return arg
        case n.Transpose(n.Symbol(name) as inner) if inner.shape.is_vector:
            known = claim.symbols[name].kind in (kinds.FixedMatrix("matrix"), kinds.FixedMatrix("vector"))
            return inner if known else None
    return None


def _mentions(fact: n.Fact, symbol: n.Symbol) -> bool:
    return any(isinstance(node, n.Symbol) and node.name == symbol.name for node in walk(fact))


def _replaced(fact: Fact, symbol: n.Symbol, arg: n.Node, fresh: n.Symbol) -> Fact:
    made = n.RowWise("softmax", arg)

    def change(node: n.Node) -> n.Node:
        match node:
            case n.Derivative(of, by) if of == made and by == symbol:
                return _jacobian(fresh)
            case n.RowWise() if node == made:
                return fresh
        return rebuild(node, change)

    return rebuild(fact, change)


def _jacobian(rows: n.Symbol) -> n.Node:
    """diag(s) - s s^T for each row s, along the diagonal."""
    one = n.Number(Fraction(1))
    row = n.Row(rows, n.Index("row_")) if rows.shape.rows.constant != 1 else rows
    block = n.Subtract(n.DiagMatrix(n.Transpose(row)), n.MatMul(n.Transpose(row), row))
    if rows.shape.rows.constant == 1:
        return block
    return n.BlockDiag(block, n.Range("row_", one, _size(rows)), rows.shape.rows)


def _size(rows: n.Symbol) -> n.Node:
    """The number of rows, which is a symbol or a number."""
    dim = rows.shape.rows
    return n.Number(Fraction(dim.constant)) if dim.constant is not None else n.Symbol(str(dim))
