"""What names mean while a tree is evaluated: the point, what overrides it, indices in scope."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from flint import fmpq

from verifier.exact.numbers import value_matrices as mx
from verifier.exact.numbers.jets import Jet, base_value
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.power_series import Series
from verifier.exact.numbers.refusals import Undefined, Unsupported
from verifier.exact.numbers.value_matrices import Matrix
from verifier.exact.values.point_context import Context, Point, as_matrix, flat, lookup
from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.walk import same

MAX_LAYERS = 64
MOST_TERMS = 100_000
Name = tuple[str, int | None]  # a symbol, or one member of a family or layer
Self = TypeVar("Self", bound="Environment")


@dataclass(frozen=True)
class Environment(ABC):
    """The point, values that override it, and the indices in scope."""

    context: Context
    point: Point
    symbols: Mapping[str, Matrix] = field(default_factory=dict)
    members: Mapping[tuple[str, int], Matrix] = field(default_factory=dict)
    lets: Mapping[str, Matrix] = field(default_factory=dict)
    indices: Mapping[str, int] = field(default_factory=dict)
    cache: dict[tuple[str, int], Matrix] = field(default_factory=dict)
    # What expectations draw, by its names: those that stand side by side may draw the same.
    draws: dict[frozenset[Name], Any] = field(default_factory=dict)

    @abstractmethod
    def value(self, node: n.Node) -> Matrix:
        """The matrix that the tree stands for here."""

    # --- scalars and sizes ----------------------------------------------------------------------

    def scalar(self, node: n.Node) -> Value:
        ((value,),) = self.value(node)
        return value

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
            ((value,),) = self.symbol(n.Symbol(name))
            if not isinstance(value, fmpq) or value.q != 1:
                raise Unsupported(f"the dimension {name} without a concrete size")
            values[name] = int(value.p)
        return size.at(values)

    # --- names ------------------------------------------------------------------------------------

    def symbol(self, symbol: n.Symbol) -> Matrix:
        if symbol.name in self.symbols:
            return self.symbols[symbol.name]
        for assumption in self.context.assumptions:
            match assumption.substitution:
                case (replaced, value) if replaced.name == symbol.name:
                    # Derivatives are taken before substitutions enter: no slope passes through.
                    found = mx.entrywise(self.value(value), base_value)
                    return self._filled(found, symbol)
        return as_matrix(lookup(self.point, symbol.name, self.context))

    def member(self, name: str, index: int) -> Matrix:
        if (name, index) in self.members:
            return self.members[name, index]
        family = lookup(self.point, name, self.context)
        if not 1 <= index <= len(family):
            raise Undefined(f"{name}[{index}] of a family of {len(family)}")
        return as_matrix(family[index - 1])

    def let(self, let: n.Let) -> Matrix:
        if let.name in self.lets:
            return self.lets[let.name]
        key = (let.name, id(let.body))
        if key not in self.cache:
            assumed = self.assumed(let)
            # A let stands outside every sum, so its value is the same for all indices.
            outside = replace(self, indices={})
            self.cache[key] = outside.value(let.body) if assumed is None else outside._impose(let, assumed)
        return self.cache[key]

    def assumed(self, let: n.Let) -> n.Node | None:
        """The value that an assumption gives to the let."""
        for assumption in self.context.assumptions:
            match assumption.assumed_value:
                case (name, value) if name.name == let.name:
                    return value
        return None

    def _impose(self, let: n.Let, assumed: n.Node) -> Matrix:
        """The assumed value, with the derivative of the function that made the let, taken there."""
        value = self._filled(mx.entrywise(self.value(assumed), base_value), let)
        if not self._moving():
            return value
        match let.body:
            case n.RowWise("softmax", arg):
                return mx.assumed_softmax(value, self.value(arg))
            case n.Apply("relu" | "abs", (arg,)) if same(arg, assumed):
                return self._filled(self.value(arg), let)  # on the branch on which they are their argument
        inside = let.body.args if isinstance(let.body, n.Apply) else (let.body,)
        if any(isinstance(v, Jet) for arg in inside for v in mx.entries(self.value(arg))):
            raise Unsupported("the derivative at an assumed value of a function that is not a softmax")
        return value

    @property
    def is_scaled(self) -> bool:
        """Whether a symbol of the point is a small scale, or a multiple of one."""
        return any(isinstance(x, Series) for value in self.point.values() for x in flat(value))

    def _moving(self) -> bool:
        """Whether a derivative is being taken around this evaluation."""
        bound = [*self.symbols.values(), *self.members.values(), *self.lets.values()]
        return any(isinstance(value, Jet) for matrix in bound for value in mx.entries(matrix))

    def _filled(self, matrix: Matrix, node: n.Node) -> Matrix:
        """A scalar given for a whole matrix."""
        rows, cols = self.dim(node.shape.rows), self.dim(node.shape.cols)
        if mx.size(matrix) == (1, 1):
            return mx.build(rows, cols, lambda i, j: matrix[0][0])
        return matrix

    def after(self, state: n.Symbol, depth: int) -> Matrix:
        """The state after `depth` layers, each with symbols of its own."""
        layers = self.context.layers
        if layers is None:
            raise Unsupported("after(...) without layers")
        if depth > MAX_LAYERS:
            raise Unsupported(f"more than {MAX_LAYERS} layers at a concrete point")
        key = (f"after({state.name})", depth)
        if key not in self.cache:
            current = self.symbol(state)
            for layer in range(1, depth + 1):
                drawn = {symbol.name: self.member(symbol.name, layer) for symbol in layers.symbols}
                current = self._where(symbols={**self.symbols, **drawn, state.name: current}).value(
                    layers.next
                )
            self.cache[key] = current
        return self.cache[key]

    # --- other environments -----------------------------------------------------------------------

    def bind(self: Self, values: Mapping[Name, Matrix]) -> Self:
        """Symbols and members given values of their own."""
        symbols = {name: m for (name, copy), m in values.items() if copy is None}
        members = {(name, copy): m for (name, copy), m in values.items() if copy is not None}
        return self._where(symbols={**self.symbols, **symbols}, members={**self.members, **members})

    def bind_let(self: Self, name: str, value: Matrix) -> Self:
        return self._where(lets={**self.lets, name: value})

    def _where(self: Self, **bound: Any) -> Self:
        """Where names mean something else: what was worked out is of no use there."""
        return replace(self, **bound, cache={}, draws={})

    def each(self: Self, ranges: tuple[n.Range, ...], conditions: tuple[n.Condition, ...]) -> Iterator[Self]:
        """One environment per assignment of the indices that passes the conditions."""
        if not ranges:
            if all(self._passes(condition) for condition in conditions):
                yield self
            return
        first, *rest = ranges
        span = range(self.integer(first.low), self.integer(first.high) + 1)
        if len(span) > MOST_TERMS:
            raise Unsupported(f"a sum of more than {MOST_TERMS:,} terms, one by one")
        for i in span:
            yield from self.at_index(first.index, i).each(tuple(rest), conditions)

    def at_index(self: Self, name: str, value: int) -> Self:
        return replace(self, indices={**self.indices, name: value})

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
