"""Rows that assumptions bound: what averages of them can be."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.prove.rules.magnitude_forms import HALF, Magnitude, Reader, of_dim


def bounded_rows(claim: Claim) -> Mapping[N.Node, Magnitude]:
    """X and c, where all(norm(X[i]) <= c, i, 1, n) is assumed of its n rows, or the same of powers."""
    reader = Reader(claim.symbols)
    found: dict[N.Node, Magnitude] = {}
    for item in claim.assumptions:
        match item.fact:
            case N.ForAll(
                N.Relation("<=" | "<" | "==", left, right), (N.Range(index, N.Number(low), high),), ()
            ) if low == 1:
                base, exponent = _power(left)
                bound = reader.read(right)
                match base:
                    case N.Norm(N.Row(N.Symbol() as matrix, N.Index(name)), "fro") if name == index:
                        if bound is not None and _is_dim(high, matrix.shape.rows) and exponent > 0:
                            size = bound.raised(1 / exponent)
                            if size is not None:
                                found[matrix] = size
    return found


def _power(node: N.Node) -> tuple[N.Node, Fraction]:
    match node:
        case N.Power(base, N.Number(exponent)):
            return base, exponent
    return node, Fraction(1)


def _is_dim(node: N.Node, dim: Dim) -> bool:
    match node:
        case N.Symbol(name):
            return dim == Dim.of(name)
        case N.Number(value):
            return value.denominator == 1 and dim == Dim.of(int(value))
    return False


def averages_of_rows(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(X) <= sqrt(n) c, norm(P @ X) <= sqrt(m) c for n rows of norm at most c, m rows of probabilities"""
    match atom:
        case N.Norm(arg, "fro" | "2"):
            matrix = _averaged(reader, arg)
            root = of_dim(arg.shape.rows)
            size = None if root is None else root.raised(HALF)
            if matrix in reader.rows and size is not None:
                yield size * reader.rows[matrix]


def _averaged(reader: Reader, node: N.Node) -> N.Node:
    """What the matrices of probabilities in front are applied to."""
    match node:
        case N.MatMul(left, right) if _is_averaging(reader, left):
            return _averaged(reader, right)
        case N.MatMul(N.MatMul(first, second), third):
            return _averaged(reader, N.MatMul(first, N.MatMul(second, third)))
    return node


def _is_averaging(reader: Reader, node: N.Node) -> bool:
    """Rows that are not negative and sum to 1."""
    match node:
        case N.RowWise("softmax"):
            return True
        case N.Symbol(name):
            return reader.kind(name) == K.FixedMatrix("stochastic")
        case N.MatMul(left, right):
            return _is_averaging(reader, left) and _is_averaging(reader, right)
        case N.Divide(N.Ones(shape), size):
            return _is_dim(size, shape.cols)
    return False
