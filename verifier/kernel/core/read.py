"""From the tree to the core form: what a statement says, entry by entry.

Derivatives are taken while reading; assumed values and substitutions enter afterwards, as the language says.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.dims import ONE, Dim
from verifier.expr.walk import substitute, walk
from verifier.kernel.core.axes import columns, common, finest, fixed, numbered, pairs, plain, rows, swapped
from verifier.kernel.core.draws import apart_from, draws, known_draws
from verifier.kernel.core.events import indicator
from verifier.kernel.core.functions import COMPOSED, OTHERS, PI, SLOPES
from verifier.kernel.core.indexing import Indexing
from verifier.kernel.core.products import hafnian, mean_of_product, over_sets, product
from verifier.kernel.core.states import state_at
from verifier.kernel.core.terms import (
    HALF,
    UNIT,
    ZERO,
    Call,
    Fn,
    Mean,
    Num,
    Positions,
    Pow,
    Sum,
    Term,
    Var,
    delta,
    deltas,
    inverse,
    minus,
    number,
    of_dim,
    plus,
    power,
    times,
)
from verifier.kernel.core.vary import derivative
from verifier.kernel.rejected import Rejected

MOST_FACTORS = 64
MOST_CHOSEN = 4
Close = Callable[[Term], Term]


def _no_closed_form(term: Term) -> Term:
    raise Rejected("outside", "the derivative of a mean")


@dataclass
class Reader(Indexing):
    """Reads trees under a context. `close` finds the closed form of a mean whose derivative is asked for."""

    close: Close = _no_closed_form
    cut: Mapping[str, N.Node] = field(default_factory=dict)  # `let` names that a derivative is taken by

    def scalar(self, node: N.Node) -> Term:
        if not node.shape.is_scalar:
            raise Rejected("outside", "a matrix where a number is needed")
        return self.entry(node, (), ())

    def entry(self, node: N.Node, row: Positions, col: Positions) -> Term:
        """The entry of a matrix at a row and a column."""
        self.budget.spend()
        match node:
            case N.Number(value):
                return Num(value)
            case N.Pi():
                return PI
            case N.Symbol(name):
                return Var(name, (*row, *col))
            case N.Index(name):
                return Var(self.bound(name))
            case N.Member(name, _, index) if name in self.context.symbols:
                return Var(name, (self.position(index), *row, *col))
            case N.After(_, depth):
                return Var(state_at(self.context, node), (self.position(depth), *row, *col))
            case N.Let(name, body):
                if name in self.context.held or name in self.cut:
                    return Var(name, (*row, *col))
                return self.closed().entry(body, row, col)
            case N.Add(left, right):
                return plus(self._broadcast(left, row, col), self._broadcast(right, row, col))
            case N.Subtract(left, right):
                return minus(self._broadcast(left, row, col), self._broadcast(right, row, col))
            case N.Multiply(left, right):
                return times(self._broadcast(left, row, col), self._broadcast(right, row, col))
            case N.Divide(left, right):
                return times(self._broadcast(left, row, col), inverse(self._broadcast(right, row, col)))
            case N.Negate(arg):
                return times(number(-1), self.entry(arg, row, col))
            case N.Power(base, exponent):
                return Pow(self.entry(base, row, col), self.scalar(exponent))
            case N.Apply(function, args):
                return self._apply(function, tuple(self._broadcast(arg, row, col) for arg in args))
            case N.Called(function, arg):
                return self._closed_call(function, arg)
        return self._linear(node, row, col)

    def _linear(self, node: N.Node, row: Positions, col: Positions) -> Term:
        """Linear algebra."""
        match node:
            case N.Ones():
                return UNIT
            case N.Zeros():
                return ZERO
            case N.Eye():
                return deltas(row, col)
            case N.Transpose(arg):
                return self.entry(arg, col, row)
            case N.MatMul(left, right):
                inner = columns(left), rows(right)
                axis = fixed(finest(inner), left.shape.cols)

                def term(k: Positions) -> Term:
                    first, second = (numbered(k, axis, other) for other in inner)
                    return times(self.entry(left, row, first), self.entry(right, second, col))

                return self.over(axis, term)
            case N.MatPower(base, N.Number(value)) if value.denominator == 1 and 0 < value <= 8:
                factors = [base] * int(value)
                product = factors.pop()
                for factor in factors:
                    product = N.MatMul(factor, product)
                return self.entry(product, row, col)
            case N.Norm(arg, kind):
                return self._norm(arg, kind)
            case N.Trace(arg):
                axis = fixed(common((rows(arg), columns(arg))), arg.shape.rows)
                return self.over(axis, lambda k: self.entry(arg, k, k))
            case N.Inner(left, right):
                return self.everywhere(
                    (left, right), lambda i, j: times(self.entry(left, i, j), self.entry(right, i, j))
                )
            case N.Kron(left, right):
                (i, k), (j, m) = pairs(left, row, col)
                return times(self.entry(left, i, j), self.entry(right, k, m))
            case N.VecR(arg):
                at = len(fixed(rows(arg), arg.shape.rows))
                return self.entry(arg, row[:at], row[at:])
            case N.Commutation(first, second):
                return deltas(row, swapped(col, first, second))
            case N.BlockDiag(body, ranged, counted):
                return self._block(body, ranged, counted, row, col)
            case N.DiagMatrix(arg):
                return times(deltas(row, col), self.entry(arg, row, ()))
            case N.DiagPart(arg):
                return self.entry(arg, row, row)
            case N.Row(arg, index):
                return self.entry(arg, self.one_position(index, rows(arg)), col)
            case N.Entry(arg, first, second):
                return self.entry(
                    arg, self.one_position(first, rows(arg)), self.one_position(second, columns(arg))
                )
        return self._analysis(node, row, col)

    def _analysis(self, node: N.Node, row: Positions, col: Positions) -> Term:
        """Sums, rows, means and derivatives."""
        match node:
            case N.Sum(body, ranges, conditions):
                return self._sum(body, ranges, conditions, row, col)
            case N.SubsetSum(body, ranged, N.Number(order)) if (
                order.denominator == 1 and 0 <= order <= MOST_CHOSEN
            ):
                return self._chosen(body, ranged, int(order))
            case N.Product(body, (ranged,), ()):
                return self._product(body, ranged, row, col)
            case N.RowWise(function, arg):
                return self._rowwise(function, arg, row, col)
            case N.Expectation(body, given):
                if (assumed := self._assumed_mean(body, given)) is not None:
                    return self.entry(assumed, row, col)
                if not given and (found := mean_of_product(self, body)) is not None:
                    return found
                held = known_draws(self.context, given)
                over, apart = draws(self.context, body) - held, apart_from(self.context, body, given)
                return Mean(over, self.entry(body, row, col), apart)
            case N.Variance(body):
                over, value = draws(self.context, body), self.entry(body, row, col)
                return minus(Mean(over, power(value, 2)), power(Mean(over, value), 2))
            case N.Covariance(left, right):
                first, second = draws(self.context, left), draws(self.context, right)
                a, b = self.entry(left, row, ()), self.entry(right, col, ())
                return minus(Mean(first | second, times(a, b)), times(Mean(first, a), Mean(second, b)))
            case N.Derivative(of, by):
                return derivative(self, of, by, row, col)
            case N.Hafnian(arg):
                return hafnian(self, arg)
            case N.SubsetSum():
                return over_sets(self, node)
            case N.Indicator(N.Relation(op, left, right)) if op in ("<", "<=", ">", ">="):
                return indicator(self.scalar, op, left, right)
        return self._number(node)

    def _assumed_mean(self, body: N.Node, given: tuple[N.Node, ...]) -> N.Node | None:
        """What E(body, given) is assumed to be, or what it is of the matrix of which the body is an entry."""
        for fact in self.context.assumptions:
            match fact, body:
                case N.Relation("==", N.Expectation(known, same), value), _ if given and same == given:
                    if known == body:
                        return value
                    if isinstance(body, N.Entry) and body.arg == known and value.shape == known.shape:
                        return N.Entry(value, body.row, body.col)
        return None

    def _number(self, node: N.Node) -> Term:
        """A number of which nothing is known but what it depends on."""
        if not node.shape.is_scalar or isinstance(node, N.Infinity | N.Growth | N.Order):
            raise Rejected("outside", f"{type(node).__name__} has no core form")
        return self._closed_call("", node)

    def _closed_call(self, function: str, arg: N.Node) -> Term:
        if _has_indices(arg):
            raise Rejected("outside", "a function of something that an index runs through")
        if _has_states(arg) or self._in_layers(arg):
            raise Rejected("outside", "the state of a network of symbolic depth")
        return Call(function, arg)

    def _in_layers(self, node: N.Node) -> bool:
        """Whether a symbol stands in a tree of which each layer has its own."""
        members = (part.name for part in walk(node) if isinstance(part, N.Member))
        return any(name not in self.context.symbols for name in members)

    # Sums

    def closed(self) -> "Reader":
        """For the body of a `let`, which sees no index around it."""
        return replace(self, indices={}) if self.indices else self

    def _broadcast(self, node: N.Node, row: Positions, col: Positions) -> Term:
        return self.scalar(node) if node.shape.is_scalar else self.entry(node, row, col)

    def _sum(
        self,
        body: N.Node,
        ranges: tuple[N.Range, ...],
        conditions: tuple[N.Condition, ...],
        row: Positions,
        col: Positions,
    ) -> Term:
        inner, bound = self, []
        for ranged in ranges:
            low, high = inner.position(ranged.low), inner.position(ranged.high)
            name = f"%{next(self.fresh)}"
            bound.append((name, low, high))
            inner = replace(inner, indices={**inner.indices, ranged.index: name})
        total = times(*map(inner.condition, conditions), inner.entry(body, row, col))
        for name, low, high in reversed(bound):
            total = Sum(name, low, high, total)
        return total

    def _chosen(self, body: N.Node, ranged: N.Range, order: int) -> Term:
        """The sum over sets of indices by sums of powers p_j: k e_k = sum of (-1)**(j - 1) e_{k - j} p_j."""
        powers = [
            self._sum(N.Power(body, N.Number(Fraction(j))), (ranged,), (), (), ())
            for j in range(1, order + 1)
        ]
        found: list[Term] = [UNIT]
        for k in range(1, order + 1):
            parts = (
                times(number(Fraction((-1) ** (j - 1), k)), found[k - j], powers[j - 1])
                for j in range(1, k + 1)
            )
            found.append(plus(*parts))
        return found[order]

    def _product(self, body: N.Node, ranged: N.Range, row: Positions, col: Positions) -> Term:
        low, high = self.position(ranged.low).constant, self.position(ranged.high).constant
        if low is None or high is None:
            if not body.shape.is_scalar:
                raise Rejected("outside", "a product of a symbolic number of matrices")
            return product(self, body, ranged)
        if high - low >= MOST_FACTORS:
            raise Rejected("too-large", f"a product of more than {MOST_FACTORS} factors")
        factors = []
        for value in range(low, high + 1):
            at = N.Number(Fraction(value))
            inner = _with_index(body, ranged.index, at)
            factors.append(self.entry(inner, row, col))
        return times(*factors)

    # Functions

    def _apply(self, function: str, args: tuple[Term, ...]) -> Term:
        if function in COMPOSED:
            return COMPOSED[function](args[0])
        if function in SLOPES or function in OTHERS:
            return Fn(function, args)
        raise Rejected("outside", f"the function {function}")

    def _norm(self, arg: N.Node, kind: str) -> Term:
        vector = arg.shape.is_vector or arg.shape.rows == ONE
        if kind == "fro" or (kind == "2" and vector):
            return Pow(self.everywhere((arg,), lambda i, j: power(self.entry(arg, i, j), 2)), HALF)
        if kind == "1":
            return self.everywhere((arg,), lambda i, j: Fn("abs", (self.entry(arg, i, j),)))
        return self._number(N.Norm(arg, "2" if kind == "2" else "oo"))

    def _rowwise(self, function: str, arg: N.Node, row: Positions, col: Positions) -> Term:
        axis, width = fixed(columns(arg), arg.shape.cols), of_dim(arg.shape.cols)
        value = self.entry(arg, row, col)
        if function == "softmax":
            total = self.over(axis, lambda k: Fn("exp", (self.entry(arg, row, k),)))
            return times(Fn("exp", (value,)), inverse(total))
        if function == "layernorm":
            centre = times(inverse(width), self.over(axis, lambda k: self.entry(arg, row, k)))
        else:
            centre = ZERO
        squares = self.over(axis, lambda k: power(minus(self.entry(arg, row, k), centre), 2))
        root = Pow(times(inverse(width), squares), number(Fraction(-1, 2)))
        return times(minus(value, centre), root)

    def _block(self, body: N.Node, ranged: N.Range, counted: Dim, row: Positions, col: Positions) -> Term:
        if not plain(counted):
            raise Rejected("outside", "a single block")
        first, last = self.position(ranged.low), self.position(ranged.high)
        if first != Dim.of(1) or last != counted:
            raise Rejected("outside", "blocks that are not numbered from 1")
        (name, *others) = sorted(row[0].names)
        if others or row[0] != Dim.of(name):
            raise Rejected("outside", "one block by its number")
        inner = replace(self, indices={**self.indices, ranged.index: name})
        return times(delta(row[0], col[0]), inner.entry(body, row[1:], col[1:]))


def _has_indices(node: N.Node) -> bool:
    """Whether an index that is bound around a tree stands in it."""
    return any(isinstance(part, N.Index) for part in walk(node))


def _has_states(node: N.Node) -> bool:
    return any(isinstance(part, N.After) for part in walk(node))


def _with_index(body: N.Node, index: str, value: N.Node) -> N.Node:
    return substitute(body, {N.Index(index): value})
