"""Between which numbers the values of a tree lie, and so their sign: a fold into spans.

    b: interval(0, 1/2)  gives  1 - b in [1/2, 1];      rho < 1 assumed  gives  1 - rho in (0, oo)
    exp(t), 1 + t**2 and n are positive, norm(a) is not negative, whatever t, n and a are

Of a matrix: of each of its entries. The span holds at every point that declarations and assumptions allow
and at which the tree has a value; where random symbols stand outside of a mean, for every draw.
"""

from dataclasses import dataclass, replace

from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.errors import ShapeError
from verifier.expr.reach import at_least
from verifier.expr.symbols import (
    Bernoulli,
    Dimension,
    FixedMatrix,
    IndexOf,
    Interval,
    Positive,
    Rademacher,
    Uniform,
)
from verifier.facts import functions
from verifier.facts.fold import At, Domain, case, fold
from verifier.facts.known import Known
from verifier.facts.spans import FREE, NONNEGATIVE, ONE, POSITIVE, ZERO, Span
from verifier.facts.whole import is_even, is_whole

_SHARE = Span.between(0, 1)


@dataclass(frozen=True)
class Values(Known, Domain[Span]):
    """The spans of trees, under what is known."""

    def __call__(self, node: N.Node) -> Span:
        return fold(node, self)

    def refined(self, node: N.Node, value: Span) -> Span:
        return value.meet(self.bounds[node]) if self.bounds and node in self.bounds else value

    # --- leaves ----------------------------------------------------------------------------------

    @case(N.Number)
    def _number(self, node: N.Number, at: At[Span]) -> Span:
        return Span.between(node.value, node.value)

    @case(N.Pi)
    def _pi(self, node: N.Pi, at: At[Span]) -> Span:
        return Span.between(3, 4, open=True)

    @case(N.Infinity, N.Order)
    def _beyond(self, node: N.Node, at: At[Span]) -> Span:
        return POSITIVE

    @case(N.Symbol, N.Member)
    def _symbol(self, node: N.Symbol | N.Member, at: At[Span]) -> Span:
        declared = self._declared(node.name)
        return declared.meet(self.replaced(node.name)) if node.name in self.given else declared

    def _declared(self, name: str) -> Span:
        """Of a symbol's values, or of its entries."""
        declared = self.symbols.get(name)
        match None if declared is None else declared.kind:
            case Dimension() | IndexOf():
                return Span.between(1, None)
            case Positive():
                return POSITIVE
            case Interval(low, high) | Uniform(low, high):
                others = self.undeclared(name)
                return Span(others(low).low, others(high).high)
            case FixedMatrix("simplex" | "stochastic") | Bernoulli():
                return _SHARE
            case FixedMatrix("orthogonal"):
                return Span.between(-1, 1)
            case Rademacher():
                return replace(Span.between(-1, 1), nonzero=True)
        return Span()

    @case(N.Index)
    def _index(self, node: N.Index, at: At[Span]) -> Span:
        return self.ranges.get(node.name, Span())

    @case(N.Let)
    def _let(self, node: N.Let, at: At[Span]) -> Span:
        return self.replaced(node.name) if node.name in self.given else at(node.body)

    @case(N.Called, N.After, N.Derivative, N.Growth)
    def _unknown(self, node: N.Node, at: At[Span]) -> Span:
        return Span()

    # --- arithmetic ------------------------------------------------------------------------------

    @case(N.Negate)
    def _negate(self, node: N.Negate, at: At[Span]) -> Span:
        return -at(node.arg)

    @case(N.Add)
    def _add(self, node: N.Add, at: At[Span]) -> Span:
        return at(node.left) + at(node.right)

    @case(N.Subtract)
    def _subtract(self, node: N.Subtract, at: At[Span]) -> Span:
        return at(node.left) + -at(node.right)

    @case(N.Multiply)
    def _multiply(self, node: N.Multiply, at: At[Span]) -> Span:
        return _product(node.left, node.right, at)

    @case(N.Divide)
    def _divide(self, node: N.Divide, at: At[Span]) -> Span:
        return at(node.left) * at(node.right).inverse()

    @case(N.Power)
    def _power(self, node: N.Power, at: At[Span]) -> Span:
        base = at(node.base)
        match node.exponent:
            case N.Number(k) if k.denominator == 1:
                return base.power(int(k))
            case N.Number(k) if k.numerator % 2 == 0 or k.denominator % 2 == 0:
                return POSITIVE if base.is_nonzero or k < 0 else NONNEGATIVE
            case N.Number(k):
                return functions.sign_of_argument(base)
        exponent = at(node.exponent)
        if base.is_nonnegative:
            low = ONE.low if _at_least_one(base) and exponent.is_nonnegative else NONNEGATIVE.low
            high = ONE.high if _at_most_one(base) and exponent.is_nonnegative else FREE
            return Span(low, high, base.is_nonzero)
        even = is_even(node.exponent, self.symbols)
        return Span(NONNEGATIVE.low if even else FREE, nonzero=base.is_nonzero)

    @case(N.MatPower)
    def _matrix_power(self, node: N.MatPower, at: At[Span]) -> Span:
        whole = is_whole(node.exponent, self.symbols) and at(node.exponent).is_nonnegative
        return NONNEGATIVE if whole and at(node.base).is_nonnegative else Span()

    @case(N.Apply)
    def _apply(self, node: N.Apply, at: At[Span]) -> Span:
        match node.function, node.args:
            case "max", (left, right):
                return at(left).largest(at(right))
            case "min", (left, right):
                return -(-at(left)).largest(-at(right))
            case "factorial", (arg,):
                known = at(arg).is_nonnegative or is_whole(arg, self.symbols)
                return POSITIVE if known else Span(nonzero=True)
            case "factorial2", (arg,):
                return POSITIVE if (at(arg) + ONE).is_nonnegative else Span()
            case "binomial", (whole, part):
                return self._binomial(whole, part, at)
        return functions.UNARY[node.function](at(node.args[0]))

    def _binomial(self, whole: N.Node, part: N.Node, at: At[Span]) -> Span:
        match whole:
            case N.Multiply(N.Number(times), same) if times >= 1 and same == part and at(part).is_nonnegative:
                return POSITIVE
        known = at(whole).is_nonnegative and all(is_whole(arg, self.symbols) for arg in (whole, part))
        return NONNEGATIVE if known else Span()

    @case(N.RowWise)
    def _row_wise(self, node: N.RowWise, at: At[Span]) -> Span:
        match node.function:
            case "softmax":
                return replace(_SHARE, nonzero=True)
            case "rmsnorm":
                return functions.sign_of_argument(at(node.arg))
        return Span()

    # --- matrices --------------------------------------------------------------------------------

    @case(N.Transpose, N.VecR, N.Row)
    def _same(self, node: N.Transpose | N.VecR | N.Row, at: At[Span]) -> Span:
        return at(node.arg)

    @case(N.Entry)
    def _entry(self, node: N.Entry, at: At[Span]) -> Span:
        square = node.row == node.col and self._is_semidefinite(node.arg)
        return at(node.arg).meet(NONNEGATIVE) if square else at(node.arg)

    @case(N.DiagPart)
    def _diagonal(self, node: N.DiagPart, at: At[Span]) -> Span:
        return at(node.arg).meet(NONNEGATIVE) if self._is_semidefinite(node.arg) else at(node.arg)

    @case(N.MatMul)
    def _matmul(self, node: N.MatMul, at: At[Span]) -> Span:
        left, right = node.left, node.right
        match left, right:
            case (N.Transpose(one), other) | (one, N.Transpose(other)) if (
                one == other and node.shape.is_scalar
            ):
                return at(one).power(2).total(not _is_size(left.shape.cols))
        return (at(left) * at(right)).total(not _is_size(left.shape.cols))

    @case(N.Inner)
    def _inner(self, node: N.Inner, at: At[Span]) -> Span:
        return _product(node.left, node.right, at).total(not _is_size(node.left.shape.size))

    @case(N.Trace)
    def _trace(self, node: N.Trace, at: At[Span]) -> Span:
        found = at(node.arg).total(not _is_size(node.arg.shape.rows))
        return found.meet(NONNEGATIVE) if self._is_semidefinite(node.arg) else found

    @case(N.Norm)
    def _norm(self, node: N.Norm, at: At[Span]) -> Span:
        arg = at(node.arg)
        if arg.is_zero:
            return ZERO
        return POSITIVE if arg.is_nonzero and _is_size(node.arg.shape.size) else NONNEGATIVE

    @case(N.Kron)
    def _kron(self, node: N.Kron, at: At[Span]) -> Span:
        return at(node.left) * at(node.right)

    @case(N.Eye, N.Commutation)
    def _zeros_and_ones(self, node: N.Eye | N.Commutation, at: At[Span]) -> Span:
        return ONE if node.shape.is_scalar else _SHARE

    @case(N.Ones)
    def _ones(self, node: N.Ones, at: At[Span]) -> Span:
        return ONE

    @case(N.Zeros)
    def _zeros(self, node: N.Zeros, at: At[Span]) -> Span:
        return ZERO

    @case(N.DiagMatrix)
    def _diagonal_matrix(self, node: N.DiagMatrix, at: At[Span]) -> Span:
        return at(node.arg) if node.shape.is_scalar else at(node.arg).join(ZERO)

    @case(N.BlockDiag)
    def _blocks(self, node: N.BlockDiag, at: At[Span]) -> Span:
        return self.within((node.range,))(node.body).join(ZERO)

    @case(N.Hafnian)
    def _hafnian(self, node: N.Hafnian, at: At[Span]) -> Span:
        return NONNEGATIVE if at(node.arg).is_nonnegative else Span()

    def _is_semidefinite(self, node: N.Node) -> bool:
        """Whether the form of a matrix shows that x.T @ A @ x is never negative."""
        match node:
            case N.Symbol(name) if name in self.symbols:
                return self.symbols[name].kind == FixedMatrix("psd")
            case N.MatMul(N.Transpose(left), right) | N.MatMul(left, N.Transpose(right)):
                return left == right
            case N.Covariance(left, right):
                return left == right
        return False

    # --- indices ---------------------------------------------------------------------------------

    @case(N.Sum)
    def _sum(self, node: N.Sum, at: At[Span]) -> Span:
        return self.within(node.ranges)(node.body).total(self.may_be_empty(node.ranges, node.conditions))

    @case(N.Product)
    def _all_multiplied(self, node: N.Product, at: At[Span]) -> Span:
        """Without end, a product of what is not 0 may tend to 0."""
        body = self.within(node.ranges)(node.body)
        nonzero = not any(isinstance(item.high, N.Infinity) for item in node.ranges)
        if not body.is_nonnegative:
            return Span(nonzero=nonzero and body.is_nonzero)
        low = ONE.low if _at_least_one(body) else NONNEGATIVE.low
        return Span(low, ONE.high if _at_most_one(body) else FREE, nonzero and body.is_nonzero)

    @case(N.SubsetSum)
    def _sets(self, node: N.SubsetSum, at: At[Span]) -> Span:
        return NONNEGATIVE if self.within((node.range,))(node.body).is_nonnegative else Span()

    # --- probability and calculus ----------------------------------------------------------------

    @case(N.Expectation)
    def _mean(self, node: N.Expectation, at: At[Span]) -> Span:
        return self.in_mean()(node.body).mean()

    @case(N.Variance)
    def _variance(self, node: N.Variance, at: At[Span]) -> Span:
        return NONNEGATIVE

    @case(N.Covariance)
    def _covariance(self, node: N.Covariance, at: At[Span]) -> Span:
        return NONNEGATIVE if node.left == node.right and node.shape.is_scalar else Span()

    @case(N.Indicator)
    def _indicator(self, node: N.Indicator, at: At[Span]) -> Span:
        return _SHARE

    @case(N.Limit)
    def _limit(self, node: N.Limit, at: At[Span]) -> Span:
        """At a point, the variable may come from where its declaration does not allow it."""
        free = self.without({node.variable.name})
        if not isinstance(node.target, N.Infinity):
            free = free.undeclared(node.variable.name)
        return free(node.body).closure()

    @case(N.Extreme)
    def _extreme(self, node: N.Extreme, at: At[Span]) -> Span:
        body = self.without(symbol.name for symbol in node.over)(node.body)
        return body.supremum() if node.kind == "sup" else -(-body).supremum()


def _product(left: N.Node, right: N.Node, at: At[Span]) -> Span:
    """Of what is multiplied entry by entry."""
    return at(left).power(2) if left == right else at(left) * at(right)


def _at_least_one(span: Span) -> bool:
    return span.low.at is not None and span.low.at >= 1


def _at_most_one(span: Span) -> bool:
    return span.high.at is not None and span.high.at <= 1


def _is_size(dim: Dim) -> bool:
    """Whether it is 1 or more, whatever its symbols are."""
    try:
        return at_least(dim, 1)
    except ShapeError:  # a polynomial beyond all bounds
        return False
