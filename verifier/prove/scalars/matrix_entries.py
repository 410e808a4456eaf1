"""A relation between matrices as one between their entries at arbitrary indices."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import SCALAR, Dim
from verifier.expr.symbols import Declared, IndexOf

ONE = n.Number(Fraction(1))


def at_entries(claim: Claim, fact: n.Relation) -> tuple[Claim, n.Relation]:
    """The claim with two new indices, and the relation between the entries there."""
    shape = fact.right.shape if fact.left.shape.is_scalar else fact.left.shape
    symbols, place = dict(claim.symbols), []
    for size, name in zip((shape.rows, shape.cols), _fresh(claim), strict=False):
        place.append(_index(symbols, name, size))
    row, col = place
    made = n.Relation(fact.op, entry(fact.left, row, col), entry(fact.right, row, col))
    return replace(claim, symbols=symbols), made


def _fresh(claim: Claim) -> Iterator[str]:
    taken = {*claim.symbols, *(let.name for let in claim.lets)}
    return (name for k in count() for stem in ("i", "j") if (name := stem + "_" * k) not in taken)


def _index(symbols: dict[str, Declared], name: str, size: Dim) -> n.Node:
    if size.constant == 1:
        return ONE
    symbols[name] = Declared(name, IndexOf(size), SCALAR)
    return n.Symbol(name)


def entry(node: n.Node, row: n.Node, col: n.Node) -> n.Node:
    """(A + B)[i, j] = A[i, j] + B[i, j], E(A)[i, j] = E(A[i, j]) and so on, as far as it is entrywise."""
    if node.shape.is_scalar:
        return node
    match node:
        case n.Expectation(body, given):
            return n.Expectation(entry(body, row, col), given)
        case n.Variance(body):
            return n.Variance(entry(body, row, col))
        case n.Covariance(left, right):
            return n.Covariance(entry(left, row, ONE), entry(right, col, ONE))
        case n.Limit(body, variable, target):
            return n.Limit(entry(body, row, col), variable, target)
        case n.Add(left, right) | n.Subtract(left, right) | n.Multiply(left, right) | n.Divide(left, right):
            return type(node)(entry(left, row, col), entry(right, row, col))
        case n.Negate(arg):
            return n.Negate(entry(arg, row, col))
        case n.Transpose(arg):
            return entry(arg, col, row)
        case n.Ones():
            return ONE
        case n.Zeros():
            return n.Number(Fraction(0))
    return n.Entry(node, row, col)
