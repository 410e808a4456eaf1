"""Whether two ways to write a thing have different values: both, at a few points chosen at random.

Only for formulas without calculus and probability; of the others nothing is said. Two formulas that
agree at random points may still be written differently, and two that do not are different.
"""

import math
import operator
import random
from collections.abc import Callable, Mapping
from itertools import chain, product

from verifier.expr import nodes as N
from verifier.expr.dims import Dim, Shape
from verifier.expr.scope import Scope
from verifier.expr.symbols import Dimension, IndexOf, Integer

Matrix = list[list[float]]
SIZES = ((2, 3, 5, 4), (3, 2, 4, 5), (1, 3, 2, 5))
TOLERANCE = 1e-9
MAX_TERMS = 2_000

_ENTRYWISE: dict[type, Callable[[float, float], float]] = {
    N.Add: operator.add,
    N.Subtract: operator.sub,
    N.Multiply: operator.mul,
    N.Divide: operator.truediv,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tanh": math.tanh,
    "abs": abs,
    "erf": math.erf,
    "relu": lambda x: max(x, 0.0),
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "factorial": lambda x: math.gamma(x + 1),
    "binomial": lambda n, k: math.gamma(n + 1) / math.gamma(k + 1) / math.gamma(n - k + 1),
    "min": min,
    "max": max,
}
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class NoValue(Exception):
    """The formula is not one that is evaluated here."""


def differ(left: N.Node, right: N.Node, scope: Scope) -> bool:
    """Whether the two have different values somewhere; False where that cannot be seen."""
    chance = random.Random(1)  # always the same points: an error must not come and go
    try:
        return any(_differ(*(_Point(scope, sizes, chance).both(left, right))) for sizes in SIZES)
    except (NoValue, ArithmeticError, ValueError, IndexError, KeyError):
        return False


def _differ(left: Matrix, right: Matrix) -> bool:
    entries = zip(chain(*left), chain(*right), strict=True)
    return any(abs(a - b) > TOLERANCE * max(1.0, abs(a), abs(b)) for a, b in entries)


class _Point:
    """A value for every symbol, made up when it is first met."""

    def __init__(self, scope: Scope, sizes: tuple[int, ...], chance: random.Random) -> None:
        self.scope, self.chance = scope, chance
        names = [name for name, symbol in scope.symbols.items() if isinstance(symbol.kind, Dimension)]
        self.sizes = {name: sizes[at % len(sizes)] for at, name in enumerate(names)}
        self.known: dict[str, Matrix] = {}

    def both(self, left: N.Node, right: N.Node) -> tuple[Matrix, Matrix]:
        return self.value(left, {}), self.value(right, {})

    def value(self, node: N.Node, at: Mapping[str, int]) -> Matrix:
        match node:
            case N.Number(number):
                return [[float(number)]]
            case N.Pi():
                return [[math.pi]]
            case N.Symbol(name):
                return self._symbol(name, node.shape)
            case N.Index(name):
                return [[float(at[name])]]
            case N.Let(_, body):
                return self.value(body, at)
            case N.Eye():
                return self._filled(node.shape, lambda i, j: float(i == j))
            case N.Ones():
                return self._filled(node.shape, lambda i, j: 1.0)
            case N.Zeros():
                return self._filled(node.shape, lambda i, j: 0.0)
            case N.Sum(body, ranges, conditions):
                return self._total(self._terms(body, ranges, conditions, at), node.shape)
            case N.Entry(arg, row, col):
                i, j = (int(self.value(part, at)[0][0]) for part in (row, col))
                return [[self.value(arg, at)[i - 1][j - 1]]]
            case N.Apply(function, args) if function in _FUNCTIONS:
                return _entrywise(_FUNCTIONS[function], *(self.value(arg, at) for arg in args))
        return self._algebra(node, at)

    def _algebra(self, node: N.Node, at: Mapping[str, int]) -> Matrix:
        match node:
            case (
                N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right) | N.Divide(left, right)
            ):
                return _entrywise(_ENTRYWISE[type(node)], self.value(left, at), self.value(right, at))
            case N.Power(base, exponent):
                return _entrywise(math.pow, self.value(base, at), self.value(exponent, at))
            case N.Negate(arg):
                return _entrywise(operator.neg, self.value(arg, at))
            case N.Transpose(arg):
                return _transposed(self.value(arg, at))
            case N.MatMul(left, right):
                columns = _transposed(self.value(right, at))
                return [
                    [sum(map(operator.mul, row, column)) for column in columns]
                    for row in self.value(left, at)
                ]
            case N.Inner(left, right):
                return [[sum(chain(*_entrywise(operator.mul, self.value(left, at), self.value(right, at))))]]
            case N.Trace(arg):
                return [[sum(row[i] for i, row in enumerate(self.value(arg, at)))]]
            case N.Norm(arg, "fro"):
                return [[math.hypot(*chain(*self.value(arg, at)))]]
        raise NoValue(type(node).__name__)

    def _symbol(self, name: str, shape: Shape) -> Matrix:
        if name in self.scope.values:
            return [[float(self.scope.values[name])]]
        if name in self.sizes:
            return [[float(self.sizes[name])]]
        kind = self.scope.symbols[name].kind
        if isinstance(kind, IndexOf):
            return [[1.0]]
        if isinstance(kind, Integer):
            return [[2.0]]
        if name not in self.known:
            self.known[name] = self._filled(shape, lambda i, j: self.chance.uniform(0.2, 0.9))
        return self.known[name]

    def _filled(self, shape: Shape, entry: Callable[[int, int], float]) -> Matrix:
        rows, cols = self._size(shape.rows), self._size(shape.cols)
        return [[entry(i, j) for j in range(cols)] for i in range(rows)]

    def _size(self, dim: Dim) -> int:
        size = dim.at(self.sizes)
        if not 1 <= size <= MAX_TERMS:
            raise NoValue("a size")
        return size

    def _terms(
        self,
        body: N.Node,
        ranges: tuple[N.Range, ...],
        conditions: tuple[N.Condition, ...],
        at: Mapping[str, int],
    ) -> list[Matrix]:
        ends = [[int(self.value(end, at)[0][0]) for end in (item.low, item.high)] for item in ranges]
        if math.prod(max(high - low + 1, 0) for low, high in ends) > MAX_TERMS:
            raise NoValue("a long sum")
        found = []
        for values in product(*(range(low, high + 1) for low, high in ends)):
            here = {**at, **dict(zip((item.index for item in ranges), values, strict=True))}
            sides = [
                (part.op, self.value(part.left, here), self.value(part.right, here)) for part in conditions
            ]
            if all(_COMPARE[op](left[0][0], right[0][0]) for op, left, right in sides):
                found.append(self.value(body, here))
        return found

    def _is_met(self, condition: N.Condition, at: Mapping[str, int]) -> bool:
        left, right = self.value(condition.left, at), self.value(condition.right, at)
        return _COMPARE[condition.op](left[0][0], right[0][0])

    def _total(self, terms: list[Matrix], shape: Shape) -> Matrix:
        total = self._filled(shape, lambda i, j: 0.0)
        for term in terms:
            total = _entrywise(operator.add, total, term)
        return total


def _transposed(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def _entrywise(function: Callable[..., float], *args: Matrix) -> Matrix:
    """Entry by entry; a 1-by-1 matrix goes with every shape."""
    rows, cols = max(len(arg) for arg in args), max(len(arg[0]) for arg in args)

    def pick(arg: Matrix, i: int, j: int) -> float:
        return arg[0][0] if len(arg) == len(arg[0]) == 1 else arg[i][j]

    return [[function(*(pick(arg, i, j) for arg in args)) for j in range(cols)] for i in range(rows)]
