"""The value of an expression at a small point, from the definitions alone.

It shares nothing with the engines but the tree. Matrices are lists of rows of polynomials in the entries
of the random symbols; an expectation replaces each power of an entry by its moment; a Jacobian is read off
from a symbol moved in the direction of each of its entries in turn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tests.mutants.matrices import (
    EXACT,
    FUNCTIONS,
    Matrix,
    added,
    alike,
    at,
    finite,
    flat,
    inverse,
    name_of,
    pick,
    product,
    root,
    scalar,
    whole,
)
from tests.mutants.polynomials import Coefficient, Poly, Unsupported, is_zero, mp, real
from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.dims import Dim

Number = Poly.constant


@dataclass(frozen=True)
class Oracle:
    """A claim at a point: values of its dimensions, scalars and fixed matrices."""

    claim: Claim
    point: Mapping[str, Any]  # int, Fraction, or a tuple of rows
    moved: Mapping[str, Matrix] = field(default_factory=dict)
    indices: Mapping[str, int] = field(default_factory=dict)
    held: frozenset[str] = frozenset()

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
        if op == "==":
            return not any(not is_zero(c) for c in (a - b).terms.values())
        difference = real((a - b).value)
        if abs(difference) < mp.mpf(10) ** -30:
            return True if op in ("<=", ">=") else None if op != "!=" else False
        return {"<=": difference < 0, "<": difference < 0, ">=": difference > 0, ">": difference > 0}.get(
            op, True
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
            case n.Symbol(name):
                return self._symbol(name)
            case n.Member(name, _, index):
                return self._drawn(name, self.claim.symbols[name], self.integer(index))
            case n.Let():
                return self._let(node)
            case n.Add(a, b):
                return self._entrywise(a, b, lambda x, y: x + y)
            case n.Subtract(a, b):
                return self._entrywise(a, b, lambda x, y: x - y)
            case n.Multiply(a, b):
                return self._entrywise(a, b, lambda x, y: x * y)
            case n.Divide(a, b):
                return self._entrywise(a, b, lambda x, y: x * Number(inverse(y.value)))
            case n.Negate(a):
                return [[-x for x in row] for row in self.value(a)]
            case n.Power(base, exponent):
                return self._power(base, self.number(exponent))
            case n.MatMul(a, b):
                return product(self.value(a), self.value(b))
            case n.MatPower(base, exponent):
                return self._matrix_power(self.value(base), self.integer(exponent))
            case n.Transpose(a):
                return [list(row) for row in zip(*self.value(a), strict=True)]
            case n.Apply(name, args):
                return self._apply(name, [self.value(arg) for arg in args])
            case n.RowWise("softmax", arg):
                return [self._softmax(row) for row in self.value(arg)]
            case _:
                return self._algebra(node)

    def _algebra(self, node: n.Node) -> Matrix:
        match node:
            case n.Norm(arg, "fro"):
                return [[Number(root(self._squares(arg).value))]]
            case n.Norm(arg, kind) if kind == "1" and arg.shape.is_vector:
                return scalar(sum((abs(x.value) for row in self.value(arg) for x in row), Fraction(0)))
            case n.Trace(arg):
                value = self.value(arg)
                return [[added(value[i][i] for i in range(len(value)))]]
            case n.Inner(a, b):
                return [[added(x * y for x, y in zip(flat(self.value(a)), flat(self.value(b)), strict=True))]]
            case n.Eye(size):
                k = self.dim(size)
                return [[Number(Fraction(int(i == j))) for j in range(k)] for i in range(k)]
            case n.Ones(shape) | n.Zeros(shape):
                filled = Number(Fraction(int(isinstance(node, n.Ones))))
                return [[filled] * self.dim(shape.cols) for _ in range(self.dim(shape.rows))]
            case n.DiagMatrix(arg):
                v = flat(self.value(arg))
                return [
                    [x if i == j else Number(Fraction(0)) for j in range(len(v))] for i, x in enumerate(v)
                ]
            case n.DiagPart(arg):
                value = self.value(arg)
                return [[value[i][i]] for i in range(len(value))]
            case n.Kron(a, b):
                left, right = self.value(a), self.value(b)
                return [[x * y for x in row for y in other] for row in left for other in right]
            case n.VecR(arg):
                return [[x] for x in flat(self.value(arg))]
            case n.Entry(arg, row, col):
                return [[pick(pick(self.value(arg), self.integer(row)), self.integer(col))]]
            case n.Row(arg, row):
                return [pick(self.value(arg), self.integer(row))]
            case n.Sum(body, ranges, conditions):
                parts = [inner.value(body) for inner in self._places(ranges, conditions)]
                if not parts:
                    raise Unsupported("an empty sum")
                return [
                    [added(p[i][j] for p in parts) for j in range(len(parts[0][0]))]
                    for i in range(len(parts[0]))
                ]
            case _:
                return self._analysis(node)

    def _analysis(self, node: n.Node) -> Matrix:
        match node:
            case n.Expectation(body, given):
                return self._expected(body, frozenset(name_of(g) for g in given))
            case n.Variance(body):
                return self._covariance(self.value(body), self.value(body), body.shape.is_scalar)
            case n.Covariance(a, b):
                return self._covariance(self.value(a), self.value(b), a.shape.is_scalar)
            case n.Derivative(of, by):
                return self._jacobian(of, by)
        raise Unsupported(type(node).__name__)

    def number(self, node: n.Node) -> Coefficient:
        return self.value(node)[0][0].value

    def integer(self, node: n.Node) -> int:
        value = self.number(node)
        if not isinstance(value, Fraction) or value.denominator != 1:
            raise Unsupported("an index that is no integer")
        return int(value)

    def dim(self, size: Dim) -> int:
        return size.at({name: int(value) for name, value in self.point.items() if isinstance(value, int)})

    # ---- symbols ----------------------------------------------------------------------------------

    def _symbol(self, name: str) -> Matrix:
        if name in self.moved:
            return self.moved[name]
        for assumption in self.claim.assumptions:
            match assumption.substitution:
                case (symbol, value) if symbol.name == name:
                    return self.value(value)
        if name in self.point:
            value = self.point[name]
            rows = value if isinstance(value, tuple) else ((value,),)
            return [[Number(Fraction(x)) for x in row] for row in rows]
        declared = self.claim.symbols.get(name)
        if declared is None or not declared.is_random:
            raise Unsupported(f"no value of {name}")
        return self._drawn(name, declared, 0)

    def _drawn(self, name: str, declared: kinds.Declared, copy: int) -> Matrix:
        """mean + std * z, entry by entry, z a variable of its own; equally correlated rows share one part."""
        rows, cols = self.dim(declared.shape.rows), self.dim(declared.shape.cols)

        def z(*key: Hashable) -> Poly:
            return Poly.variable((name, copy, *key))

        def entry(i: int, j: int) -> Poly:
            match declared.kind:
                case kinds.Normal(mean, std, row_corr, None):
                    part = z(i, j) if row_corr is None else self._shared(row_corr, z("row", j), z(i, j))
                    return at(self.value(mean), i, j) + Number(self.number(std)) * part
                case kinds.Rademacher() | kinds.Bernoulli():
                    return z(i, j)
                case kinds.Uniform(low, high):
                    start, end = self.number(low), self.number(high)
                    return Number(start) + Number(end - start) * z(i, j)
            raise Unsupported("a law of which only moments are known")

        return [[entry(i, j) for j in range(cols)] for i in range(rows)]

    def _shared(self, row_corr: n.Node, common: Poly, own: Poly) -> Poly:
        """sqrt(rho) * what all rows share + sqrt(1 - rho) * the entry's own."""
        rho = self.number(row_corr)
        if real(rho) < 0:
            raise Unsupported("a negative correlation")
        return Number(root(rho)) * common + Number(root(1 - rho)) * own

    def _moment(self, name: Hashable, power: int, held: frozenset[str]) -> Coefficient | None:
        """E(z**power) of a basic variable; None for what is held or is no variable of a law."""
        if not isinstance(name, tuple) or name[0] == "d" or name[0] in held:
            return None
        match self.claim.symbols[name[0]].kind:
            case kinds.Normal():
                return Fraction(0 if power % 2 else math.prod(range(1, power, 2)))
            case kinds.Rademacher():
                return Fraction(1 - power % 2)
            case kinds.Bernoulli(chance):
                return self.number(chance)
            case kinds.Uniform():
                return Fraction(1, power + 1)
        raise Unsupported("a law of which only moments are known")

    def _expected(self, body: n.Node, given: frozenset[str]) -> Matrix:
        held = self.held | given
        return [[x.expected(lambda v, k: self._moment(v, k, held)) for x in row] for row in self.value(body)]

    def _covariance(self, a: Matrix, b: Matrix, is_scalar: bool) -> Matrix:
        def mean(x: Poly) -> Poly:
            return x.expected(lambda v, k: self._moment(v, k, self.held))

        if not is_scalar and (len(a[0]) > 1 or len(b[0]) > 1):
            raise Unsupported("the covariance of matrices")
        return [[mean(x * y) - mean(x) * mean(y) for y in flat(b)] for x in flat(a)]

    # ---- lets, functions, derivatives ---------------------------------------------------------------

    def _let(self, node: n.Let) -> Matrix:
        for assumption in self.claim.assumptions:
            match assumption.assumed_value:
                case (name, value) if name == node:
                    return self._assumed(node.body, self.value(value))
        return self.value(node.body)

    def _assumed(self, body: n.Node, value: Matrix) -> Matrix:
        """The value as assumed, with the derivative that the body has there."""
        match body:
            case n.RowWise("softmax", arg):
                rows = zip(self.value(arg), value, strict=True)
                return [
                    [p[i] + added(p[i] * (Number(Fraction(int(i == k))) - p[k]) * (m[k] - m[k].still())
                                 for k in range(len(p))) for i in range(len(p))]
                    for m, p in rows
                ]  # fmt: skip
        inside = self.value(body)
        return [
            [v + x - x.still() for v, x in zip(row, own, strict=True)]
            for row, own in zip(value, inside, strict=True)
        ]

    def _jacobian(self, of: n.Node, by: n.Node) -> Matrix:
        """Row-major: entry (k, l) is the change of entry k of `of` in the direction of entry l of `by`."""
        if not isinstance(by, n.Symbol):
            raise Unsupported("a derivative by something that is no symbol")
        level = len(self.moved)
        start = self.value(by)
        ways = [[("d", level, i, j) for j in range(len(start[0]))] for i in range(len(start))]
        bent = [
            [x + Poly.variable(w) for x, w in zip(row, way, strict=True)]
            for row, way in zip(start, ways, strict=True)
        ]
        if by.name in self.moved:
            raise Unsupported("two derivatives by one symbol")
        value = replace(self, moved={**self.moved, by.name: bent}).value(of)
        return [[x.along(w) for way in ways for w in way] for x in flat(value)]

    def _softmax(self, row: list[Poly]) -> list[Poly]:
        powers = [mp.exp(real(x.value)) for x in row]
        return [Number(p / sum(powers)) for p in powers]

    def _apply(self, name: str, args: list[Matrix]) -> Matrix:
        if name == "sqrt":
            function: Callable[..., Any] = root
        elif name in EXACT:
            function = EXACT[name]
        elif name in FUNCTIONS:
            function = lambda *xs: FUNCTIONS[name](*map(real, xs))  # noqa: E731
        elif name == "factorial":
            function = lambda x: Fraction(math.factorial(whole(x)))  # noqa: E731
        elif name == "factorial2":
            function = lambda x: Fraction(math.prod(range(whole(x), 0, -2)))  # noqa: E731
        elif name == "binomial":
            function = lambda x, y: Fraction(math.comb(whole(x), whole(y)))  # noqa: E731
        else:
            raise Unsupported(name)
        first, *rest = args
        return [
            [finite(function(x.value, *(at(other, i, j).value for other in rest))) for j, x in enumerate(row)]
            for i, row in enumerate(first)
        ]

    # ---- powers and sums ----------------------------------------------------------------------------

    def _squares(self, arg: n.Node) -> Poly:
        return added(x * x for x in flat(self.value(arg)))

    def _power(self, base: n.Node, exponent: Coefficient) -> Matrix:
        if isinstance(exponent, Fraction) and exponent.denominator == 1:
            match base:
                case n.Norm(arg, "fro") if exponent >= 0 and exponent % 2 == 0:
                    return [[self._squares(arg) ** int(exponent / 2)]]
            if exponent >= 0:
                return [[x ** int(exponent) for x in row] for row in self.value(base)]
            return [[Number(inverse(x.value) ** -int(exponent)) for x in row] for row in self.value(base)]
        return [[finite(real(x.value) ** real(exponent)) for x in row] for row in self.value(base)]

    def _matrix_power(self, base: Matrix, power: int) -> Matrix:
        if not 0 <= power <= 12:
            raise Unsupported("a matrix power out of reach")
        size = len(base)
        result = [[Number(Fraction(int(i == j))) for j in range(size)] for i in range(size)]
        for _ in range(power):
            result = product(result, base)
        return result

    def _places(self, ranges: tuple[n.Range, ...], conditions: tuple[n.Condition, ...]) -> list[Oracle]:
        if not ranges:
            ok = all(self.says(n.Relation(c.op, c.left, c.right)) for c in conditions)
            return [self] if ok else []
        first, *rest = ranges
        found = []
        for i in range(self.integer(first.low), self.integer(first.high) + 1):
            inner = replace(self, indices={**self.indices, first.index: i})
            found += inner._places(tuple(rest), conditions)
        return found

    def _entrywise(self, a: n.Node, b: n.Node, join: Callable[[Poly, Poly], Poly]) -> Matrix:
        left, right = alike(self.value(a), self.value(b))
        return [[join(x, y) for x, y in zip(p, q, strict=True)] for p, q in zip(left, right, strict=True)]
