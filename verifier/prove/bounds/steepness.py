"""Upper bounds of derivatives, by the chain rule.

The slope of F in X is norm(D(F, X), 2), as a map from Frobenius norm to Frobenius norm:

    slope(A @ B)      <= slope(A) norm(B, 2) + norm(A, 2) slope(B)
    slope(phi(Z))     <= sup|phi'| slope(Z)
    slope(softmax(Z)) <= slope(Z) / 2                 diag(p) - p p' has spectral norm at most 1/2
    slope(inner(A,B)) <= slope(A) norm(B) + norm(A) slope(B)

    norm(D(f, X)) = slope(f) for a scalar f,          norm(D(F, X)) <= sqrt(min(sizes)) slope(F)
    norm(D(softmax(Z), Z))**2 <= rows / 4             s - 2 sum p**3 + s**2 <= s - s**2 for s = norm(p)**2
    norm(diag(p) - p p')**2   <= 1/16 + e + e**2      where all of p but one weight are at most e

The last one: with q the one weight and t the sum of squares of the others, at most e (1 - q), the square is
at most q**2 (1 - q)**2 + (1 + 2 q**2) t + t**2, and (1 + 2 q**2) (1 - q) <= 1.
"""

from typing import Protocol

import sympy as sp

from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.walk import expand_lets, substitute, walk
from verifier.prove.forms.refusal import Refusal

Norm = str  # "fro", "2", "entry": the largest entry in absolute value; "row": the largest norm of a row


class Known(Protocol):
    """What is known of values: bounds of scalars and of norms, sizes, assumed values."""

    def scalar(self, node: n.Node) -> sp.Expr: ...
    def exact(self, node: n.Node) -> sp.Expr: ...
    def norm(self, node: n.Node, kind: Norm) -> sp.Expr: ...
    def size(self, dim: Dim) -> sp.Expr: ...
    def assumed(self, let: n.Let) -> n.Node | None: ...
    def beside_one(self, weights: n.Node) -> sp.Expr | None: ...


STEEP = {
    "relu": sp.Integer(1),
    "tanh": sp.Integer(1),
    "sin": sp.Integer(1),
    "cos": sp.Integer(1),
    "atan": sp.Integer(1),
    "abs": sp.Integer(1),
    "softplus": sp.Integer(1),
    "sigmoid": sp.Rational(1, 4),
    "gelu": sp.Rational(112_891, 100_000),  # Phi(sqrt(2)) + sqrt(2) phi(sqrt(2)) = 1.128904...
    "silu": sp.Rational(109_984, 100_000),  # 1.099839..., where x tanh(x/2) = 2
    "erf": 2 / sp.sqrt(sp.pi),
    "Phi": 1 / sp.sqrt(2 * sp.pi),
}


def jacobian(known: Known, of: n.Node, by: n.Node, kind: Norm) -> sp.Expr:
    """A bound of a norm of D(of, by)."""
    match expand_lets(of):
        case n.RowWise("softmax", arg) if kind == "fro" and _is_itself(arg, expand_lets(by)):
            value = known.assumed(of) if isinstance(of, n.Let) else None
            one = (
                sp.Rational(1, 2)
                if value is None
                else sp.Min(sp.Rational(1, 2), _beside_a_peak(known, value))
            )
            return sp.sqrt(known.size(of.shape.rows)) * one
    steep = slope(known, of, by)
    if kind != "fro" or of.shape.is_scalar or by.shape.is_scalar:
        return steep
    return sp.sqrt(sp.Min(known.size(of.shape.size), known.size(by.shape.size))) * steep


def slope(known: Known, node: n.Node, by: n.Node) -> sp.Expr:
    """A bound of norm(D(node, by), 2); by one entry or row, at most by all of them."""
    while isinstance(by, n.Entry | n.Row):
        by = by.arg
    if not isinstance(by, n.Symbol | n.Let | n.Member):
        raise Refusal("a derivative by this")
    if node == by:
        return sp.Integer(1)
    if not _reaches(node, by):
        return sp.Integer(0)
    match node:
        case n.Let(_, body):  # an assumed value keeps the derivative of what made it, at that value
            value = known.assumed(node)
            return slope(known, body, by) if value is None else _at_value(known, value, body, by)
        case n.Add(left, right) | n.Subtract(left, right):
            # A number beside a matrix is one in every entry.
            ones = sp.sqrt(known.size(node.shape.size))
            parts = (left, right)
            return sum(slope(known, x, by) * (ones if x.shape != node.shape else 1) for x in parts)
        case n.Negate(arg) | n.Transpose(arg) | n.VecR(arg) | n.DiagMatrix(arg) | n.DiagPart(arg):
            return slope(known, arg, by)
        case n.Entry(arg) | n.Row(arg) | n.Norm(arg, "fro" | "2"):
            return slope(known, arg, by)
        case n.Multiply(left, right) if left.shape.is_scalar or right.shape.is_scalar:
            one, other = (left, right) if left.shape.is_scalar else (right, left)
            return _product(known, slope(known, one, by), other, "fro") + _product(
                known, slope(known, other, by), one, "scalar"
            )
        case n.Multiply(left, right):
            return _product(known, slope(known, left, by), right, "entry") + _product(
                known, slope(known, right, by), left, "entry"
            )
        case n.Divide(left, right) if not _reaches(right, by) and right.shape.is_scalar:
            return slope(known, left, by) / known.exact(right)
        case n.MatMul(left, right):
            return _product(known, slope(known, left, by), right, "2") + _product(
                known, slope(known, right, by), left, "2"
            )
        case n.Inner(left, right):
            return _product(known, slope(known, left, by), right, "fro") + _product(
                known, slope(known, right, by), left, "fro"
            )
        case n.Apply(function, (arg,)) if function in STEEP:
            return STEEP[function] * slope(known, arg, by)
        case n.RowWise("softmax", arg):
            return slope(known, arg, by) / 2
        case n.Sum(body, (n.Range(name, n.Number(low), high),), ()) if low >= 1:
            if isinstance(by, n.Member) and _only_own(body, by, name):
                return slope(known, _own(body, by, name), by)
            return known.exact(high) * slope(known, body, by)
    raise Refusal("a bound of this derivative")


def _at_value(known: Known, value: n.Node, body: n.Node, by: n.Node) -> sp.Expr:
    """diag(p) - p p' lies below diag(p): its spectral norm is at most the largest weight, too."""
    match body:
        case n.RowWise("softmax", arg):
            top = known.norm(value, "entry")
            return sp.Min(sp.Rational(1, 2), top, _beside_a_peak(known, value)) * slope(known, arg, by)
    return slope(known, body, by)


def _is_itself(arg: n.Node, by: n.Node) -> bool:
    """The variable, or the variable transposed: its entries in another order."""
    return (arg.arg if isinstance(arg, n.Transpose) else arg) == by


def _beside_a_peak(known: Known, weights: n.Node) -> sp.Expr:
    """norm(diag(p) - p p') where all weights of a row but one are small; 1 where nothing says so."""
    small = known.beside_one(weights)
    return sp.Integer(1) if small is None else sp.sqrt(sp.Rational(1, 16) + small + small**2)


def _product(known: Known, steep: sp.Expr, factor: n.Node, kind: str) -> sp.Expr:
    """slope times the norm of the other factor, which need not be known where the slope is 0."""
    if steep == 0:
        return sp.Integer(0)
    return steep * (known.scalar(factor) if kind == "scalar" else known.norm(factor, kind))


def _reaches(node: n.Node, by: n.Node) -> bool:
    """Whether it may depend on the variable: a mean does through a law, a state through its layers."""
    if any(isinstance(x, n.Expectation | n.Variance | n.Covariance | n.After) for x in walk(node)):
        return True
    if isinstance(by, n.Member):
        return any(isinstance(part, n.Member) and part.name == by.name for part in walk(node))
    return by in walk(node)


def _only_own(body: n.Node, by: n.Member, index: str) -> bool:
    """Every member of the family in the body is the one of this index."""
    members = [part for part in walk(body) if isinstance(part, n.Member) and part.name == by.name]
    return all(part.index == n.Index(index) for part in members)


def _own(body: n.Node, by: n.Member, index: str) -> n.Node:
    return substitute(body, {n.Index(index): by.index})
