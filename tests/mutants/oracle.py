"""The value of an expression at a small point, from the definitions alone.

It shares nothing with the engines but the tree. Matrices are lists of rows of polynomials in the basic
variables of the random symbols; an expectation replaces each power of a variable by its moment, or sums over
the values of a few; a Jacobian is read off from a symbol moved in the direction of each of its entries in
turn; layers are applied one after the other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tests.mutants import laws
from tests.mutants.analysis import Moved, analysed
from tests.mutants.functions import added, applied, inverted, power, rooted, row_wise
from tests.mutants.matrices import (
    ONE,
    ZERO,
    Matrix,
    alike,
    at,
    block_diagonal,
    commutation,
    eye,
    flat,
    hafnian,
    largest_singular,
    matrix_power,
    pick,
    product,
    scalar,
)
from tests.mutants.names import named
from tests.mutants.polynomials import Coefficient, Poly, Undefined, Unsupported, is_zero, mp, real
from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import Dim

Number = Poly.constant
CLOSE = mp.mpf(10) ** -30


@dataclass(frozen=True)
class Oracle:
    """A claim at a point: values of its dimensions, scalars and fixed matrices."""

    claim: Claim
    point: Mapping[str, Any]  # int, Fraction, or a tuple of rows
    moved: Mapping[Moved, Matrix] = field(default_factory=dict)
    indices: Mapping[str, int] = field(default_factory=dict)
    outcome: Mapping[Hashable, Coefficient] = field(default_factory=dict)  # of basic variables
    layer: int = 0
    state: Matrix | None = None
    # Relative and absolute errors of sums in place of integrals.
    rough: list[tuple[float, float]] = field(default_factory=list)
    # Values of names, worked out once.
    known: dict[n.Node, Matrix] = field(default_factory=dict, init=False, compare=False)

    # ---- facts ------------------------------------------------------------------------------------

    def says(self, fact: n.Fact) -> bool | None:
        """Whether a relation is true here; None where the difference is too small to tell."""
        match fact:
            case n.Relation(op, left, right):
                found = [
                    self._compared(op, a, b)
                    for row, other in zip(*alike(self.value(left), self.value(right)), strict=True)
                    for a, b in zip(row, other, strict=True)
                ]
            case n.Within(arg, low, high):
                found = [self.says(n.Relation("<=", low, arg)), self.says(n.Relation("<=", arg, high))]
            case _:
                raise Unsupported(type(fact).__name__)
        if any(item is False for item in found):
            return False
        return None if None in found else True

    def _compared(self, op: str, a: Poly, b: Poly) -> bool | None:
        gap = (a - b).on_values(lambda name: laws.squares(self.claim, name))
        if op == "==" and not self.rough:
            # Well above what is dropped on the way: one side may have lost what the other kept.
            return all(is_zero(c, CLOSE) for c in gap.terms.values())
        difference = real(gap.value)
        if abs(difference) <= self._blur(a, b):
            return None
        if abs(difference) < CLOSE:
            return True if op in ("<=", ">=", "==") else None if op != "!=" else False
        truth = {"<=": difference < 0, "<": difference < 0, ">=": difference > 0, ">": difference > 0}
        return bool(truth.get(op, op == "!="))

    def _blur(self, a: Poly, b: Poly) -> float:
        """How far apart two sides may be that are equal: as errors grow when they are multiplied, and as they
        stay when what they belong to cancels."""
        size = max((abs(float(real(c))) for x in (a, b) for c in x.terms.values()), default=0.0)
        return max(
            (max(2 * relative * size, 30 * absolute) for relative, absolute in self.rough), default=0.0
        )

    # ---- values -----------------------------------------------------------------------------------

    def value(self, node: n.Node) -> Matrix:
        match node:
            case n.Number(value):
                return scalar(value)
            case n.Pi():
                return scalar(+mp.pi)
            case n.Index(name):
                return scalar(Fraction(self.indices[name]))
            case n.Symbol() | n.Member() | n.Let() | n.After():
                if node not in self.known:
                    self.known[node] = named(self, node)
                return self.known[node]
            case n.Add(a, b):
                return self._entrywise(a, b, lambda x, y: x + y)
            case n.Subtract(a, b):
                return self._entrywise(a, b, lambda x, y: x - y)
            case n.Multiply(a, b):
                return self._entrywise(a, b, lambda x, y: x * y)
            case n.Divide(a, b):
                return self._entrywise(a, b, lambda x, y: x * inverted(y))
            case n.Negate(a):
                return [[-x for x in row] for row in self.value(a)]
            case n.Power(base, exponent):
                return self._power(base, self.number(exponent))
            case n.MatMul(a, b):
                return product(self.value(a), self.value(b))
            case n.MatPower(base, exponent):
                return matrix_power(self.value(base), self.integer(exponent))
            case n.Transpose(a):
                return [list(row) for row in zip(*self.value(a), strict=True)]
            case n.Apply(name, args):
                return self._apply(name, [self.value(arg) for arg in args])
            case n.RowWise(name, arg):
                return [row_wise(name, row) for row in self.value(arg)]
            case _:
                return self._algebra(node)

    def _algebra(self, node: n.Node) -> Matrix:
        match node:
            case n.Norm(arg, kind):
                return self._norm(arg, kind)
            case n.Trace(arg):
                value = self.value(arg)
                return [[added([value[i][i] for i in range(len(value))])]]
            case n.Inner(a, b):
                pairs = zip(flat(self.value(a)), flat(self.value(b)), strict=True)
                return [[added([x * y for x, y in pairs])]]
            case n.Eye(size):
                return eye(self.dim(size))
            case n.Ones(shape) | n.Zeros(shape):
                filled = ONE if isinstance(node, n.Ones) else ZERO
                return [[filled] * self.dim(shape.cols) for _ in range(self.dim(shape.rows))]
            case n.DiagMatrix(arg):
                v = flat(self.value(arg))
                return [[x if i == j else ZERO for j in range(len(v))] for i, x in enumerate(v)]
            case n.DiagPart(arg):
                value = self.value(arg)
                return [[value[i][i]] for i in range(len(value))]
            case n.Kron(a, b):
                left, right = self.value(a), self.value(b)
                return [[x * y for x in row for y in other] for row in left for other in right]
            case n.VecR(arg):
                return [[x] for x in flat(self.value(arg))]
            case n.Commutation(rows, cols):
                return commutation(self.dim(rows), self.dim(cols))
            case n.Hafnian(arg):
                return [[hafnian(self.value(arg))]]
            case _:
                return self._indexed(node)

    def _indexed(self, node: n.Node) -> Matrix:
        match node:
            case n.Entry(arg, row, col):
                return [[pick(pick(self.value(arg), self.integer(row)), self.integer(col))]]
            case n.Row(arg, row):
                return [pick(self.value(arg), self.integer(row))]
            case n.Sum(body, ranges, conditions):
                return self._folded(body, ranges, conditions, ZERO, lambda x, y: x + y)
            case n.Product(body, ranges, conditions):
                return self._folded(body, ranges, conditions, ONE, lambda x, y: x * y)
            case n.BlockDiag(body, within):
                return block_diagonal([place.value(body) for place in self.places((within,), ())])
            case n.SubsetSum(body, within, order):
                terms = [place.value(body)[0][0] for place in self.places((within,), ())]
                sets = itertools.combinations(terms, self.integer(order))
                return [[added([math.prod(chosen, start=ONE) for chosen in sets])]]
            case n.Indicator(fact):
                truth = self.says(fact)
                if truth is None:
                    raise Undefined("on the edge of an event")
                return scalar(Fraction(int(truth)))
            case _:
                return analysed(self, node)

    def number(self, node: n.Node) -> Coefficient:
        return self.value(node)[0][0].value

    def integer(self, node: n.Node) -> int:
        value = self.number(node)
        if not isinstance(value, Fraction) or value.denominator != 1:
            raise Undefined("an index that is no integer")
        return int(value)

    def size(self, node: n.Node) -> tuple[int, int]:
        return self.dim(node.shape.rows), self.dim(node.shape.cols)

    def dim(self, size: Dim) -> int:
        return size.at({name: int(value) for name, value in self.point.items() if isinstance(value, int)})

    # ---- functions, powers and sums ----------------------------------------------------------------

    def _apply(self, name: str, args: list[Matrix]) -> Matrix:
        first, *rest = args
        for other in rest:
            first, _ = alike(first, other)
        return [
            [applied(name, [x, *(at(other, i, j) for other in rest)]) for j, x in enumerate(row)]
            for i, row in enumerate(first)
        ]

    def _norm(self, arg: n.Node, kind: n.NormKind) -> Matrix:
        value = self.value(arg)
        is_vector = len(value) == 1 or len(value[0]) == 1
        match kind:
            case "1":
                return [[added([applied("abs", [x]) for x in flat(value)])]]
            case "oo":
                found = ZERO
                for x in flat(value):
                    found = applied("max", [found, applied("abs", [x])])
                return [[found]]
            case "2" if not is_vector:
                return scalar(largest_singular(value))
        return [[rooted(added([x * x for x in flat(value)]))]]

    def _power(self, base: n.Node, exponent: Coefficient) -> Matrix:
        match base:
            case n.Norm(arg, "fro" | "2" as kind) if kind == "fro" or 1 in self.size(arg):
                if isinstance(exponent, Fraction) and exponent.denominator == 1 and exponent % 2 == 0:
                    squared = added([x * x for x in flat(self.value(arg))])
                    return [[power(squared, exponent / 2)]]
        return [[power(x, exponent) for x in row] for row in self.value(base)]

    def _folded(
        self,
        body: n.Node,
        ranges: tuple[n.Range, ...],
        conditions: tuple[n.Condition, ...],
        empty: Poly,
        join: Callable[[Poly, Poly], Poly],
    ) -> Matrix:
        found = [[empty] * self.dim(body.shape.cols) for _ in range(self.dim(body.shape.rows))]
        for place in self.places(ranges, conditions):
            part = place.value(body)
            found = [
                [join(x, y) for x, y in zip(p, q, strict=True)] for p, q in zip(found, part, strict=True)
            ]
        return found

    def places(self, ranges: tuple[n.Range, ...], conditions: tuple[n.Condition, ...]) -> list[Oracle]:
        """This point at every index of the ranges."""
        if not ranges:
            ok = all(self.says(n.Relation(c.op, c.left, c.right)) for c in conditions)
            return [self] if ok else []
        first, *rest = ranges
        found = []
        for i in range(self.integer(first.low), self.integer(first.high) + 1):
            inner = replace(self, indices={**self.indices, first.index: i})
            found += inner.places(tuple(rest), conditions)
        return found

    def _entrywise(self, a: n.Node, b: n.Node, join: Callable[[Poly, Poly], Poly]) -> Matrix:
        left, right = alike(self.value(a), self.value(b))
        return [[join(x, y) for x, y in zip(p, q, strict=True)] for p, q in zip(left, right, strict=True)]
