"""Evaluate a tree at a concrete point without floating point.

Structure is handled here (products, sums, blocks, derivatives by jets); arithmetic is that of the
values. Bound to numbers a tree gives numbers, bound to `Variable`s it gives functions of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from flint import ctx, fmpq

from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.rigorous import arithmetic as ar
from verifier.rigorous import expectation
from verifier.rigorous import matrices as mx
from verifier.rigorous.closed import ONE, ZERO
from verifier.rigorous.context import Context, Point, as_matrix, as_value, lookup
from verifier.rigorous.jets import Jet, base_value, slope
from verifier.rigorous.matrices import Matrix
from verifier.rigorous.refusals import Undefined, Unsupported

_levels = count(1)


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


@dataclass(frozen=True)
class Evaluator:
    """One environment: the point, values that override it, and indices in scope."""

    context: Context
    point: Point
    symbols: Mapping[str, Matrix] = field(default_factory=dict)
    members: Mapping[tuple[str, int], Matrix] = field(default_factory=dict)
    lets: Mapping[str, Matrix] = field(default_factory=dict)
    indices: Mapping[str, int] = field(default_factory=dict)
    cache: dict[tuple[str, int], Matrix] = field(default_factory=dict)

    def value(self, node: n.Node) -> Matrix:
        match node:
            case n.Number(value):
                return mx.scalar(as_value(value))
            case n.Pi():
                return mx.scalar(ar.PI_VALUE)
            case n.Infinity():
                raise Unsupported("oo as a value")
            case n.Symbol():
                return self._symbol(node)
            case n.Member(name, _, index):
                return self._member(name, self.integer(index))
            case n.Index(name):
                if name not in self.indices:
                    raise Unsupported(f"the index {name} outside its sum")
                return mx.scalar(fmpq(self.indices[name]))
            case n.Let():
                return self._let(node)
            case n.After(state, depth):
                return self._after(state, self.integer(depth))
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
                side = len(column)
                return mx.build(side, side, lambda i, j: column[i][0] if i == j else ZERO)
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
            case n.Sum(body, ranges, conditions) | n.Product(body, ranges, conditions):
                return self._fold(node, [inner.value(body) for inner in self.each(ranges, conditions)])
            case n.Derivative(of, by):
                return self._derivative(of, by)
            case n.Expectation(body, given):
                return expectation.expect(self, body, given)
            case n.Variance(body):
                return expectation.variance(self, body)
            case n.Covariance(left, right):
                return expectation.covariance(self, left, right)
            case n.Limit():
                raise Unsupported("a limit at a concrete point")
            case n.Extreme(kind, _, _):
                raise Unsupported(f"a {kind} at a concrete point")
            case n.Growth() | n.Order():
                raise Unsupported("a rate of growth or an order of magnitude as a value")
        raise Unsupported(f"the node {type(node).__name__}")

    # --- scalars ------------------------------------------------------------------------------

    def scalar(self, node: n.Node) -> ar.Value:
        matrix = self.value(node)
        assert mx.size(matrix) == (1, 1), "the tree is checked: a scalar is 1-by-1"
        return matrix[0][0]

    def rational(self, node: n.Node) -> fmpq:
        value = self.scalar(node)
        if not isinstance(value, fmpq):
            raise Unsupported("an index, a size or an exponent that is not an exact number")
        return value

    def integer(self, node: n.Node) -> int:
        value = self.rational(node)
        if value.q != 1:
            raise Undefined(f"the index {value}")
        return int(value.p)

    def dim(self, size: Dim) -> int:
        values = {}
        for name in size.names:
            ((value,),) = self._symbol(n.Symbol(name))
            if not isinstance(value, fmpq) or value.q != 1:
                raise Unsupported(f"the dimension {name} without a concrete size")
            values[name] = int(value.p)
        return size.at(values)

    # --- names --------------------------------------------------------------------------------

    def _symbol(self, symbol: n.Symbol) -> Matrix:
        if symbol.name in self.symbols:
            return self.symbols[symbol.name]
        for assumption in self.context.assumptions:
            match assumption.substitution:
                case (replaced, value) if replaced.name == symbol.name:
                    # Derivatives are taken before substitutions enter: no slope passes through.
                    return mx.entrywise(_broadcast(self.value(value), self, symbol), base_value)
        return as_matrix(lookup(self.point, symbol.name))

    def _member(self, name: str, index: int) -> Matrix:
        if (name, index) in self.members:
            return self.members[name, index]
        family = lookup(self.point, name)
        if not 1 <= index <= len(family):
            raise Undefined(f"{name}[{index}] of a family of {len(family)}")
        return as_matrix(family[index - 1])

    def _let(self, let: n.Let) -> Matrix:
        if let.name in self.lets:
            return self.lets[let.name]
        key = (let.name, id(let.body))
        if key not in self.cache:
            assumed = self._assumed(let)
            # A let stands outside every sum, so its value is the same for all indices.
            outside = replace(self, indices={})
            self.cache[key] = outside.value(let.body) if assumed is None else outside._impose(let, assumed)
        return self.cache[key]

    def _assumed(self, let: n.Let) -> n.Node | None:
        for assumption in self.context.assumptions:
            match assumption.assumed_value:
                case (name, value) if name.name == let.name:
                    return value
        return None

    def _impose(self, let: n.Let, assumed: n.Node) -> Matrix:
        """The assumed value, with the derivative of the function that made the let, taken there."""
        value = mx.entrywise(self.value(assumed), base_value)
        value = _fill(value, self.dim(let.shape.rows), self.dim(let.shape.cols))
        if not self._moving():
            return value
        match let.body:
            case n.RowWise("softmax", arg):
                return mx.assumed_softmax(value, self.value(arg))
        made = self.value(let.body)
        if any(isinstance(v, Jet) for v in mx.entries(made)):
            raise Unsupported("the derivative at an assumed value of a function that is not a softmax")
        return value

    def _moving(self) -> bool:
        """Whether a derivative is being taken around this evaluation."""
        bound = [*self.symbols.values(), *self.members.values(), *self.lets.values()]
        return any(isinstance(value, Jet) for matrix in bound for value in mx.entries(matrix))

    def bind(self, values: Mapping[expectation.Name, Matrix]) -> "Evaluator":
        """This environment with random symbols given entries of their own."""
        symbols = {name: m for (name, copy), m in values.items() if copy is None}
        members = {(name, copy): m for (name, copy), m in values.items() if copy is not None}
        return replace(
            self, symbols={**self.symbols, **symbols}, members={**self.members, **members}, cache={}
        )

    def _after(self, state: n.Symbol, depth: int) -> Matrix:
        layers = self.context.layers
        if layers is None:
            raise Unsupported("after(...) without layers")
        if depth > 64:
            raise Unsupported("more than 64 layers at a concrete point")
        current = self._symbol(state)
        for layer in range(1, depth + 1):
            drawn = {symbol.name: self._member(symbol.name, layer) for symbol in layers.symbols}
            inner = replace(self, symbols={**self.symbols, **drawn, state.name: current}, cache={})
            current = inner.value(layers.next)
        return current

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
        while isinstance(bare, n.Let) and bare.name not in self.lets and self._assumed(bare) is None:
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

    def each(
        self, ranges: tuple[n.Range, ...], conditions: tuple[n.Condition, ...]
    ) -> Iterator["Evaluator"]:
        """One environment per assignment of the indices that passes the conditions."""
        if not ranges:
            if all(self._passes(condition) for condition in conditions):
                yield self
            return
        first, *rest = ranges
        for i in range(self.integer(first.low), self.integer(first.high) + 1):
            inner = replace(self, indices={**self.indices, first.index: i})
            yield from inner.each(tuple(rest), conditions)

    def _passes(self, condition: n.Condition) -> bool:
        left, right = self.rational(condition.left), self.rational(condition.right)
        match condition.op:
            case "==":
                return bool(left == right)
            case "!=":
                return bool(left != right)
            case "<":
                return bool(left < right)
            case "<=":
                return bool(left <= right)
            case ">":
                return bool(left > right)
            case ">=":
                return bool(left >= right)

    def _fold(self, node: n.Sum | n.Product, parts: list[Matrix]) -> Matrix:
        rows, cols = self.dim(node.shape.rows), self.dim(node.shape.cols)
        start = ZERO if isinstance(node, n.Sum) else ONE
        result = mx.build(rows, cols, lambda i, j: start)
        for part in parts:
            join = (lambda x, y: x + y) if isinstance(node, n.Sum) else (lambda x, y: x * y)
            result = mx.paired(result, part, join)
        return result

    # --- derivatives --------------------------------------------------------------------------

    def _derivative(self, of: n.Node, by: n.Node) -> Matrix:
        """Seed the entries of `by`, evaluate `of` once, read the slopes: row = entry of `of`."""
        level = next(_levels)
        seeded, inner = self._seed(by, level)
        outputs = mx.entries(inner.value(of))
        return mx.build(len(outputs), seeded, lambda i, j: slope(outputs[i], level, j))

    def _seed(self, by: n.Node, level: int) -> tuple[int, "Evaluator"]:
        match by:
            case n.Symbol(name):
                jets = _jets(self._symbol(by), level)
                return len(mx.entries(jets)), replace(self, symbols={**self.symbols, name: jets}, cache={})
            case n.Member(name, _, index):
                i = self.integer(index)
                jets = _jets(self._member(name, i), level)
                inner = replace(self, members={**self.members, (name, i): jets}, cache={})
                return len(mx.entries(jets)), inner
            case n.Let(name):
                jets = _jets(self._let(by), level)
                return len(mx.entries(jets)), replace(self, lets={**self.lets, name: jets}, cache={})
            case n.Entry(arg, row, col):
                i, j = self.integer(row), self.integer(col)
                return 1, self._seed_only(arg, level, i, j)
        raise Unsupported(f"a derivative with respect to a {type(by).__name__}")

    def _seed_only(self, arg: n.Node, level: int, row: int, col: int) -> "Evaluator":
        """Like seeding the whole of `arg`, but one entry alone moves."""
        whole = self.value(arg)
        _pick(whole, row, col)

        def entry(i: int, j: int) -> ar.Value:
            moved = (i, j) == (row - 1, col - 1)
            return Jet(level, whole[i][j], {0: ONE}) if moved else whole[i][j]

        jets = mx.build(*mx.size(whole), entry)
        match arg:
            case n.Symbol(name):
                return replace(self, symbols={**self.symbols, name: jets}, cache={})
            case n.Member(name, _, index):
                return replace(self, members={**self.members, (name, self.integer(index)): jets}, cache={})
            case n.Let(name):
                return replace(self, lets={**self.lets, name: jets}, cache={})
        raise Unsupported(f"a derivative with respect to an entry of a {type(arg).__name__}")


def _jets(matrix: Matrix, level: int) -> Matrix:
    cols = mx.size(matrix)[1]
    return mx.build(*mx.size(matrix), lambda i, j: Jet(level, matrix[i][j], {i * cols + j: ONE}))


def _row(matrix: Matrix, row: int) -> tuple[ar.Value, ...]:
    if not 1 <= row <= len(matrix):
        raise Undefined(f"row {row} of a matrix with {len(matrix)} rows")
    return matrix[row - 1]


def _pick(matrix: Matrix, row: int, col: int) -> ar.Value:
    values = _row(matrix, row)
    if not 1 <= col <= len(values):
        raise Undefined(f"column {col} of a matrix with {len(values)} columns")
    return values[col - 1]


def _fill(matrix: Matrix, rows: int, cols: int) -> Matrix:
    """A scalar value for a whole matrix."""
    if mx.size(matrix) == (1, 1) and (rows, cols) != (1, 1):
        return mx.build(rows, cols, lambda i, j: matrix[0][0])
    return matrix


def _broadcast(matrix: Matrix, evaluator: Evaluator, symbol: n.Symbol) -> Matrix:
    return _fill(matrix, evaluator.dim(symbol.shape.rows), evaluator.dim(symbol.shape.cols))

