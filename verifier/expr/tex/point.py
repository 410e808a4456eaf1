"""The value of a formula at a point chosen at random, for telling two formulas apart.

What is not worked out here (a layered state, a hafnian) is a smooth function of its parts, the same
wherever it stands: equal parts have equal values. A random symbol takes a few values, symmetric about the
mean of its law, so that a mean is a finite sum, and means of products of independent symbols are products of
means; of higher moments nothing is known.
"""

import math
import operator
import random
from collections.abc import Callable, Mapping
from itertools import product

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim, Shape
from verifier.expr.scope import Scope
from verifier.expr.tex import matrices as M
from verifier.expr.tex.made_up import VALUES, distinct_sizes, entries_of, mean_of, smooth_function, turned
from verifier.expr.tex.matrices import Matrix
from verifier.expr.tex.worked_out import ALGEBRA, KINKED, SMOOTH, SYMMETRIC, head_of, is_opaque, is_turned
from verifier.expr.walk import children, distinct

At = Mapping[str, int]  # indices of sums, and which of its values a random symbol has
MAX_TERMS = 2_000
MAX_WORK = 60_000
MAX_SIZE = 60
MAX_DRAWS = 4
STEP = 1e-3
FAR = 3.0
INFINITY = 1.7e30

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class NoValue(Exception):
    """The formula has no value here, or it is too long to be worked out."""


class Point:
    """A value for every symbol, made up when it is first met."""

    def __init__(self, scope: Scope, seed: int, positive: frozenset[str], smooth: bool) -> None:
        self.scope, self.seed, self.positive, self.smooth = scope, seed, positive, smooth
        chance = random.Random(seed)
        names = [name for name, item in scope.symbols.items() if isinstance(item.kind, K.Dimension)]
        self.sizes = dict(zip(names, distinct_sizes(len(names), chance), strict=True))
        self.known: dict[tuple[str, int, int], Matrix] = {}
        self.moved: dict[N.Node, Matrix] = {}  # what a derivative is taken by, a little beside its value
        self.work = 0

    def value(self, node: N.Node, at: At) -> Matrix:
        self.work += 1
        if self.work > MAX_WORK:
            raise NoValue("long")
        if self.moved and isinstance(node, N.Symbol | N.Let) and node in self.moved:
            return self.moved[node]
        match node:
            case N.Number(number):
                return [[float(number)]]
            case N.Pi():
                return [[math.pi]]
            case N.Infinity():
                return [[INFINITY]]
            case N.Symbol(name):
                return self._symbol(name, node.shape, at)
            case N.Member(name, _, index):
                return self._symbol(name, node.shape, at, self._number(index, at))
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
            case N.Sum() | N.Product():
                return self._collected(node, at)
            case N.Entry(arg, row, col):
                return [[M.entry(self.value(arg, at), self._number(row, at), self._number(col, at))]]
            case N.Row(arg, row):
                whole, place = self.value(arg, at), self._number(row, at)
                return [[M.entry(whole, place, j) for j in range(1, len(whole[0]) + 1)]]
            case N.Apply(function, args):
                return self._applied(function, [self.value(arg, at) for arg in args])
            case N.Expectation() | N.Variance() | N.Covariance() | N.Derivative():
                return self._analysis(node, at)
        return self._algebra(node, at)

    def _number(self, node: N.Node, at: At) -> int:
        return round(self.value(node, at)[0][0])

    def _algebra(self, node: N.Node, at: At) -> Matrix:
        parts = [self.value(part, at) for part in children(node)]
        if isinstance(node, N.Norm):
            return [[M.norm(parts[0], node.kind)]]
        if isinstance(node, N.RowWise) and node.function == "softmax":
            return [M.softmax(row) for row in parts[0]]
        if isinstance(node, N.Order):
            raise NoValue("an order of magnitude")
        if is_opaque(node):
            head = head_of(node)
            parts = parts[::-1] if is_turned(node) else parts
            entries = [entry for part in parts for row in part for entry in row]
            return self._filled(node.shape, lambda i, j: smooth_function(f"{head} {i} {j}", False)(entries))
        return ALGEBRA[type(node)](*parts)

    def _applied(self, function: str, parts: list[Matrix]) -> Matrix:
        if function in SMOOTH:
            return M.entrywise(SMOOTH[function], *parts)
        if function in KINKED and not self.smooth:
            return M.entrywise(KINKED[function], *parts)
        weigh = smooth_function(function, function in SYMMETRIC)
        return M.entrywise(lambda *entries: weigh(list(entries)), *parts)

    # -- means and derivatives

    def _analysis(self, node: N.Node, at: At) -> Matrix:
        match node:
            case N.Expectation(body, given):
                held = {part.name for item in given for part in distinct(item) if isinstance(part, N.Symbol)}
                if any(self._is_random(part) for item in given for part in [*distinct(item)][1:]):
                    raise NoValue("given what is made of random symbols")
                return self._mean(body, at, held)
            case N.Variance(body):
                mean = self._mean(body, at, set())
                square = self._mean(N.Multiply(body, body), at, set())
                return M.entrywise(lambda s, m: s - m * m, square, mean)
            case N.Covariance(left, right):
                means = (self._mean(part, at, set()) for part in (N.Multiply(left, right), left, right))
                return M.entrywise(lambda both, a, b: both - a * b, *means)
            case N.Derivative(of, by):
                return self._derivative(of, by, at)
        raise NoValue(type(node).__name__)

    def _mean(self, body: N.Node, at: At, held: set[str]) -> Matrix:
        names = sorted(
            {
                part.name
                for part in distinct(body)
                if isinstance(part, N.Symbol | N.Member) and self._is_random(part)
            }
            - held
        )
        if len(names) > MAX_DRAWS:
            raise NoValue("many random symbols")
        values = [
            self.value(body, {**at, **{_turn(name): which for name, which in zip(names, draw, strict=True)}})
            for draw in product(range(VALUES), repeat=len(names))
        ]
        return M.entrywise(lambda *entries: sum(entries) / len(values), *values)

    def _is_random(self, node: N.Node) -> bool:
        if not isinstance(node, N.Symbol | N.Member):
            return False
        declared = self._declared(node.name)
        return declared is not None and declared.is_random

    def _derivative(self, of: N.Node, by: N.Node, at: At) -> Matrix:
        """The Jacobian, by differences over two steps, of which the longer one corrects the shorter."""
        if not isinstance(by, N.Symbol | N.Let):
            raise NoValue("a derivative by what is no symbol")
        start = self.value(by, at)
        columns: list[list[float]] = []
        for i, row in enumerate(start):
            for j in range(len(row)):
                ends = [
                    self._moved(of, by, start, (i, j), step, at)
                    for step in (STEP, -STEP, 2 * STEP, -2 * STEP)
                ]
                columns.append(
                    [(8 * (a - b) - (c - d)) / (12 * STEP) for a, b, c, d in zip(*ends, strict=True)]
                )
        return M.transposed(columns)

    def _moved(
        self, of: N.Node, by: N.Node, start: Matrix, place: tuple[int, int], step: float, at: At
    ) -> list[float]:
        """The entries of what is derived where one entry of `by` is moved."""
        moved = [list(line) for line in start]
        moved[place[0]][place[1]] += step
        before, self.moved = self.moved, {**self.moved, by: moved}
        try:
            return [entry for line in self.value(of, at) for entry in line]
        finally:
            self.moved = before

    # -- symbols

    def _symbol(self, name: str, shape: Shape, at: At, copy: int = 0) -> Matrix:
        if name in self.sizes:
            return [[float(self.sizes[name])]]
        declared = self._declared(name)
        if declared is None:
            raise NoValue(name)
        which = at.get(_turn(name), 0)
        key = (name, copy, which)
        if key not in self.known:
            chance = random.Random(f"{self.seed} {name} {copy}")
            made = self._filled(shape, entries_of(declared.kind, chance, name in self.positive))
            self.known[key] = self._of_kind(declared.kind, made, which, chance)
        return self.known[key]

    def _declared(self, name: str) -> K.Declared | None:
        return self.scope.symbols.get(name) or self.scope.layered.get(name)

    def _of_kind(self, kind: K.Kind, made: Matrix, which: int, chance: random.Random) -> Matrix:
        """A value that the kind of a symbol allows, near one that is made up."""
        match kind:
            case K.IndexOf(size):
                return [[float(chance.randint(1, self._size(size)))]]
            case K.Interval(low, high):
                ends = [min(max(self.value(end, {})[0][0], -FAR), FAR) for end in (low, high)]
                return [[chance.uniform(*ends)]]
            case K.FixedMatrix(family):
                return M.of_family(made, family)
            case K.RandomKind():
                middle = mean_of(kind)
                return turned(kind, made, which, None if middle is None else self.value(middle, {}))
        return made

    def _filled(self, shape: Shape, entry: Callable[[int, int], float]) -> Matrix:
        rows, cols = self._size(shape.rows), self._size(shape.cols)
        if rows * cols > MAX_TERMS:
            raise NoValue("a large matrix")
        return [[entry(i, j) for j in range(cols)] for i in range(rows)]

    def _size(self, dim: Dim) -> int:
        size = dim.at(self.sizes)
        if not 1 <= size <= MAX_TERMS:
            raise NoValue("a size")
        return size

    # -- sums and products

    def _collected(self, node: N.Sum | N.Product, at: At) -> Matrix:
        is_sum = isinstance(node, N.Sum)
        total = self._filled(node.shape, lambda i, j: 0.0 if is_sum else 1.0)
        places = [dict(at)]
        for item in node.ranges:
            places = [{**here, item.index: place} for here in places for place in self._places(item, here)]
            if len(places) > MAX_TERMS:
                raise NoValue("a long sum")
        for here in places:
            if all(self._is_met(part, here) for part in node.conditions):
                total = M.entrywise(
                    operator.add if is_sum else operator.mul, total, self.value(node.body, here)
                )
        return total

    def _places(self, item: N.Range, at: At) -> range:
        low, high = self._number(item.low, at), self._number(item.high, at)
        if high - low > MAX_TERMS:
            raise NoValue("a long sum")
        return range(low, high + 1)

    def _is_met(self, condition: N.Condition, at: At) -> bool:
        left, right = self.value(condition.left, at), self.value(condition.right, at)
        return _COMPARE[condition.op](left[0][0], right[0][0])


def _turn(name: str) -> str:
    return f"~{name}"
