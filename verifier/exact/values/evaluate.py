"""Evaluate a tree at a concrete point without floating point.

Structure is handled here (products, sums, blocks, derivatives by jets); arithmetic is that of the
values. Bound to numbers a tree gives numbers, bound to `Variable`s it gives functions of them.
"""

from dataclasses import dataclass
from typing import final

from flint import arb, ctx, fmpq

from verifier.exact.numbers import operations as ar
from verifier.exact.numbers import value_matrices as mx
from verifier.exact.numbers.constants import HALF, ONE, ZERO, Closed
from verifier.exact.numbers.difference_signs import decided
from verifier.exact.numbers.jets import base_value
from verifier.exact.numbers.polynomial import Poly
from verifier.exact.numbers.refusals import Imprecise, Undefined, Unsupported
from verifier.exact.numbers.value_matrices import Matrix
from verifier.exact.values import expectations as expectation
from verifier.exact.values.derivatives import jacobian
from verifier.exact.values.long_sums import long_sum
from verifier.exact.values.pairings_and_subsets import check_paired, elementary, hafnian
from verifier.exact.values.point_context import Context, Point, as_value
from verifier.exact.values.point_environment import Environment
from verifier.exact.values.scalar_extremes import extreme, limit
from verifier.expr import nodes as n


def evaluate(node: n.Node, point: Point, context: Context | None = None, bits: int = 64) -> Matrix:
    """The value of the tree at the point, in balls of about `bits` bits where it is not exact.

    Raises Undefined where it has no value, Imprecise where the bits do not suffice, Unsupported
    where nothing here computes it."""
    before = ctx.prec
    ctx.prec = bits
    try:
        return Evaluator(context or Context(), point).value(node)
    finally:
        ctx.prec = before


@final
@dataclass(frozen=True)
class Evaluator(Environment):
    """One `match` over all nodes, in four parts."""

    def value(self, node: n.Node) -> Matrix:
        match node:
            case n.Number(value):
                return mx.scalar(as_value(value))
            case n.Pi():
                return mx.scalar(ar.PI_VALUE)
            case n.Infinity():
                raise Unsupported("oo as a value")
            case n.Symbol():
                return self.symbol(node)
            case n.Member(name, _, index):
                return self.member(name, self.integer(index))
            case n.Index(name):
                if name not in self.indices:
                    raise Unsupported(f"the index {name} outside its sum")
                return mx.scalar(fmpq(self.indices[name]))
            case n.Let():
                return self.let(node)
            case n.After(state, depth):
                return self.after(state, self.integer(depth))
            case n.Add() | n.Subtract() | n.Multiply() | n.Divide():
                return self._entrywise(node)
            case n.Negate(arg):
                return mx.entrywise(self.value(arg), lambda x: -x)
            case n.Power(base, exponent):
                return self._power(base, self.scalar(exponent))
            case n.MatMul(left, right):
                return mx.matmul(self.value(left), self.value(right))
            case n.MatPower(base, exponent):
                return mx.matpower(self.value(base), self.rational(exponent))
            case n.Transpose(arg):
                return mx.transpose(self.value(arg))
            case n.Apply(name, args):
                return self._apply(name, [self.value(arg) for arg in args])
            case n.RowWise(name, arg):
                rowwise = {"softmax": mx.softmax, "rmsnorm": mx.rmsnorm, "layernorm": mx.layernorm}
                return rowwise[name](self.value(arg))
        return self._linear_algebra(node)

    def _linear_algebra(self, node: n.Node) -> Matrix:
        match node:
            case n.Norm(arg, kind):
                return mx.scalar(self._norm(self.value(arg), kind))
            case n.Trace(arg):
                square = self.value(arg)
                return mx.scalar(mx.total([square[i][i] for i in range(len(square))]))
            case n.Hafnian(arg):
                check_paired(self.dim(arg.shape.rows))
                return mx.scalar(hafnian(self.value(arg)))
            case n.Inner(left, right):
                products = mx.paired(self.value(left), self.value(right), lambda x, y: x * y)
                return mx.scalar(mx.total(mx.entries(products)))
            case n.Eye(side):
                return mx.eye(self.dim(side))
            case n.Ones(shape) | n.Zeros(shape):
                fill = ONE if isinstance(node, n.Ones) else ZERO
                return mx.build(self.dim(shape.rows), self.dim(shape.cols), lambda i, j: fill)
            case n.DiagMatrix(arg):
                column = self.value(arg)
                rows = len(column)
                return mx.build(rows, rows, lambda i, j: column[i][0] if i == j else ZERO)
            case n.DiagPart(arg):
                square = self.value(arg)
                return mx.build(len(square), 1, lambda i, j: square[i][i])
            case n.Kron(left, right):
                return mx.kron(self.value(left), self.value(right))
            case n.VecR(arg):
                return tuple((value,) for value in mx.entries(self.value(arg)))
            case n.Commutation(rows, cols):
                return mx.commutation(self.dim(rows), self.dim(cols))
        return self._indexed(node)

    def _indexed(self, node: n.Node) -> Matrix:
        match node:
            case n.BlockDiag(body, span, _):
                return mx.block_diagonal([inner.value(body) for inner in self.each((span,), ())])
            case n.Entry(arg, row, col):
                return mx.scalar(_pick(self.value(arg), self.integer(row), self.integer(col)))
            case n.Row(arg, row):
                return (_row(self.value(arg), self.integer(row)),)
            case n.Sum() if (found := long_sum(self, node)) is not None:
                return found
            case n.Sum(body, ranges, conditions) | n.Product(body, ranges, conditions):
                return self._fold(node, [inner.value(body) for inner in self.each(ranges, conditions)])
            case n.SubsetSum(body, span, order):
                values = [inner.scalar(body) for inner in self.each((span,), ())]
                return mx.scalar(elementary(values, self.integer(order)))
            case n.Called(function):
                raise Unsupported(f"a value of the function {function}")
            case n.Derivative(of, by):
                return jacobian(self, of, by)
            case n.Expectation(body, given):
                return expectation.expect(self, body, given)
            case n.Variance(body):
                return expectation.variance(self, body)
            case n.Covariance(left, right):
                return expectation.covariance(self, left, right)
            case n.Indicator(fact):
                return mx.scalar(self._indicator(fact))
            case n.Limit():
                return mx.scalar(limit(self, node))
            case n.Extreme():
                return mx.scalar(extreme(self, node))
            case n.Growth() | n.Order():
                raise Unsupported("a rate of growth or an order of magnitude as a value")
        raise Unsupported(f"the node {type(node).__name__}")

    # --- operations ---------------------------------------------------------------------------

    def _entrywise(self, node: n.Add | n.Subtract | n.Multiply | n.Divide) -> Matrix:
        left, right = self.value(node.left), self.value(node.right)
        match node:
            case n.Add():
                return mx.paired(left, right, lambda x, y: x + y)
            case n.Subtract():
                return mx.paired(left, right, lambda x, y: x - y)
            case n.Multiply():
                return mx.paired(left, right, lambda x, y: x * y)
            case n.Divide():
                if mx.size(right) == (1, 1):
                    scale = ar.inverse(right[0][0])
                    return mx.entrywise(left, lambda x: x * scale)
                return mx.paired(left, right, ar.divide)

    def _power(self, base: n.Node, exponent: ar.Value) -> Matrix:
        """norm(A)**2 is the sum of squares itself: no root is taken and squared again."""
        bare = base
        while isinstance(bare, n.Let) and bare.name not in self.lets and self.assumed(bare) is None:
            bare = bare.body
        even = isinstance(exponent, fmpq) and exponent.q == 1 and exponent.p % 2 == 0
        if isinstance(bare, n.Norm) and bare.kind == "fro" and even:
            squares = mx.sum_of_squares(self.value(bare.arg))
            return mx.scalar(ar.power(squares, exponent / 2))
        return mx.entrywise(self.value(base), lambda x: ar.power(x, exponent))

    def _apply(self, name: str, args: list[Matrix]) -> Matrix:
        if len(args) == 1:
            return mx.entrywise(args[0], lambda x: ar.apply(name, x))
        if name == "binomial":
            return mx.paired(args[0], args[1], ar.binomial)
        return mx.paired(args[0], args[1], lambda x, y: ar.extreme(name, x, y))

    def _norm(self, arg: Matrix, kind: n.NormKind) -> ar.Value:
        match kind:
            case "fro":
                return mx.frobenius(arg)
            case "2":
                return mx.spectral(arg)
            case "1":
                return mx.total([ar.kinked("abs", x) for x in mx.entries(arg)])
            case "oo":
                first, *rest = [ar.kinked("abs", x) for x in mx.entries(arg)]
                for value in rest:
                    first = ar.extreme("max", first, value)
                return first

    def _indicator(self, fact: n.Relation | n.Within) -> ar.Value:
        """1 where the relation is true, else 0; (1 + sign(u))/2 for u > 0 with a random u."""
        if isinstance(fact, n.Within):
            low = n.Relation(">=", fact.arg, fact.low)
            return self._indicator(low) * self._indicator(n.Relation("<=", fact.arg, fact.high))
        if isinstance(fact.right.arg if isinstance(fact.right, n.Negate) else fact.right, n.Infinity):
            return ONE
        gap = base_value(self.scalar(fact.left) - self.scalar(fact.right))
        if isinstance(gap, Poly) and fact.op != "==":
            side = gap.apply("sign")
            return (ONE + side if fact.op in (">", ">=") else ONE - side) * HALF
        if not isinstance(gap, fmpq | Closed | arb):
            raise Unsupported("an indicator of something that is not a number")
        truth = decided(fact.op, gap)
        if truth is None:
            raise Imprecise("an event on its boundary")
        return ONE if truth else ZERO

    def _fold(self, node: n.Sum | n.Product, parts: list[Matrix]) -> Matrix:
        rows, cols = self.dim(node.shape.rows), self.dim(node.shape.cols)
        start = ZERO if isinstance(node, n.Sum) else ONE
        result = mx.build(rows, cols, lambda i, j: start)
        for part in parts:
            join = (lambda x, y: x + y) if isinstance(node, n.Sum) else (lambda x, y: x * y)
            result = mx.paired(result, part, join)
        return result


def _row(matrix: Matrix, row: int) -> tuple[ar.Value, ...]:
    if not 1 <= row <= len(matrix):
        raise Undefined(f"row {row} of a matrix with {len(matrix)} rows")
    return matrix[row - 1]


def _pick(matrix: Matrix, row: int, col: int) -> ar.Value:
    values = _row(matrix, row)
    if not 1 <= col <= len(values):
        raise Undefined(f"column {col} of a matrix with {len(values)} columns")
    return values[col - 1]
