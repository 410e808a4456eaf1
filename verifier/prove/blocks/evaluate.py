"""A tree at a point of blocks: every node of the language that keeps matrices constant on blocks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as made
from fractions import Fraction
from typing import Any

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.walk import children, expand_lets, substitute, walk
from verifier.prove.blocks.block import Block, Sizes
from verifier.prove.blocks.block_numbers import Field
from verifier.prove.forms.refusal import Refusal


@dataclass(frozen=True)
class At:
    """A point: the classes of every size, the blocks of every symbol, the class of every index."""

    claim: Claim
    field: Field
    classes: Mapping[str, Sizes]
    symbols: Mapping[str, Block]
    gradient: "Callable[[At, n.Node, n.Node], Block]"
    # Values by identity of the node; the node is kept too, so that no other takes its place.
    known: dict[int, tuple[n.Node, Block]] = made(default_factory=dict)

    def number(self, value: Fraction | int) -> Block:
        return Block(self.field, (1,), (1,), ((self.field.number(Fraction(value)),),))

    def sizes(self, dim: Dim) -> Sizes:
        if dim.constant is not None:
            return (1,) if dim.constant == 1 else (1, dim.constant - 1)
        if len(dim.names) == 1 and dim == Dim.of(*dim.names):
            (name,) = dim.names
            if name in self.classes:
                return self.classes[name]
        raise Refusal(f"blocks of size {dim}")

    def constant(self, shape: Any, value: Fraction | int) -> Block:
        rows, cols = self.sizes(shape.rows), self.sizes(shape.cols)
        filled = tuple((self.field.number(Fraction(value)),) * len(cols) for _ in rows)
        return Block(self.field, rows, cols, filled)

    def identity(self, dim: Dim) -> Block:
        sizes = self.sizes(dim)
        zero, one = self.field.number(Fraction(0)), self.field.number(Fraction(1))
        return Block(self.field, sizes, sizes, ((zero,) * len(sizes),) * len(sizes), (one,) * len(sizes))

    def assumed(self, let: n.Let) -> n.Node | None:
        for assumption in self.claim.assumptions:
            found = assumption.assumed_value
            if found is not None and found[0].name == let.name:
                return found[1]
        return None

    def scalar(self, node: n.Node) -> Any:
        return self.value(node).scalar

    def value(self, node: n.Node) -> Block:
        found = self.known.get(id(node))
        if found is None:
            found = node, self._value(node)
            self.known[id(node)] = found
        return found[1]

    def _value(self, node: n.Node) -> Block:
        match node:
            case n.Number(value):
                return self.number(value)
            case n.Symbol(name) | n.Member(name):  # all members of a family have one value here
                return self._symbol(name)
            case n.Let(_, body):
                return self.value(self.assumed(node) or body)
            case n.Add(left, right):
                return self.value(left) + self.value(right)
            case n.Subtract(left, right):
                return self.value(left) - self.value(right)
            case n.Multiply(left, right):
                return self.value(left) * self.value(right)
            case n.Divide(left, right):
                return self.value(left) / self.value(right)
            case n.Negate(arg):
                return self.value(arg).map(lambda v: -v)
            case n.Transpose(arg):
                return self.value(arg).transposed
            case n.MatMul(left, right):
                return self.value(left) @ self.value(right)
            case n.Power(base, n.Number(k)):
                return self._power(self.value(base), k)
            case n.MatPower(base, n.Number(k)) if k.denominator == 1 and 1 <= k <= 8:
                once = found = self.value(base)
                for _ in range(int(k) - 1):
                    found = found @ once
                return found
            case n.Apply(function, (arg,)) if function in self.field.functions:
                return self.value(arg).map(lambda v: self.field.apply(function, v))
            case n.RowWise(function, arg):
                return self.rowwise(function, self.value(arg))
            case n.Derivative(of, by):
                return self.gradient(self, of, by)
        return self._algebra(node)

    def _algebra(self, node: n.Node) -> Block:
        match node:
            case n.Eye(size):
                return self.identity(size)
            case n.Ones(shape):
                return self.constant(shape, 1)
            case n.Zeros(shape):
                return self.constant(shape, 0)
            case n.Norm(n.Row(arg, row), "fro" | "2"):
                squares = self.value(arg).row_totals(lambda v: v * v)
                return self.value_of(
                    self.field.apply("sqrt", squares.value[place(squares.rows, self._index(row))][0])
                )
            case n.Norm(n.Derivative(of, by), "fro") if _is_softmax_of(of, by):
                return self.value_of(self._softmax_jacobian(self.value(of)))
            case n.Norm(arg, "fro"):
                return self.value_of(self.value(arg).frobenius())
            case n.Norm(arg, "2"):
                return self.value_of(spectral(self.value(arg)))
            case n.Norm(arg, "1"):
                return self.value_of(self.value(arg).map(lambda v: self.field.apply("abs", v)).total())
            case n.Norm(arg, "oo"):
                absolute = self.value(arg).map(lambda v: self.field.apply("abs", v))
                return self.value_of(_largest(self.field, absolute.occurring()))
            case n.Inner(left, right):
                return self.value_of((self.value(left) * self.value(right)).total())
            case n.Trace(arg):
                found = self.value(arg)
                return self.value_of(sum(size * found.diagonal(r) for r, size in enumerate(found.rows)))
            case n.DiagMatrix(arg):
                column = self.value(arg)
                zero = self.field.number(Fraction(0))
                sizes = column.rows
                shift = tuple(row[0] for row in column.value)
                return Block(self.field, sizes, sizes, ((zero,) * len(sizes),) * len(sizes), shift)
            case n.DiagPart(arg):
                found = self.value(arg)
                values = tuple((found.diagonal(r),) for r in range(len(found.rows)))
                return Block(self.field, found.rows, (1,), values)
            case n.Entry(arg, row, col):
                return self.value_of(self.entry(self.value(arg), row, col))
            case n.Row(arg, row):
                return self._row(self.value(arg), self._index(row))
            case n.Sum():
                parts = [self.value(body) * self.value_of(weight) for weight, body in self.terms(node)]
                return sum(parts[1:], parts[0])
        raise Refusal(f"blocks of {type(node).__name__}")

    def terms(self, node: n.Sum) -> list[tuple[Any, n.Node]]:
        """The body at index 1 and at index 2, which stands for all later ones, with how many there are.

        True as long as the body looks at matrices along this index alone."""
        match node:
            case n.Sum(body, (n.Range(name, n.Number(low), high),), ()) if low.denominator == 1 and low >= 1:
                pass
            case _:
                raise Refusal("a sum over several indices, in blocks")
        own = (n.Index(name), n.Number(Fraction(1)))
        if not all(place in own for part in walk(body) for place in places(part)):
            raise Refusal("a sum over one of several indices, in blocks")
        if not counts_alone(body, n.Index(name)):
            raise Refusal("a sum whose terms depend on the number of their index, in blocks")
        one = self.field.number(Fraction(1))
        count = self.scalar(high) - self.field.number(low) + one
        if (count.is_negative if isinstance(count, sp.Expr) else bool(count < 0)) is not False:
            raise Refusal("a sum that may be empty, in blocks")
        first = substitute(body, {n.Index(name): n.Number(Fraction(1))})
        later = substitute(body, {n.Index(name): n.Number(Fraction(2))})
        if low > 1:
            return [(count, later)]
        return [(one, first), (count - one, later)]

    def value_of(self, value: Any) -> Block:
        return Block(self.field, (1,), (1,), ((value,),))

    def _symbol(self, name: str) -> Block:
        for assumption in self.claim.assumptions:
            found = assumption.substitution
            if found is not None and found[0].name == name:
                return self.value(found[1])
        if name in self.symbols:
            return self.symbols[name]
        if name in self.classes:
            return self.value_of(sum(self.classes[name], self.field.number(Fraction(0))))
        raise Refusal(f"no value of {name}")

    def _power(self, base: Block, exponent: Fraction) -> Block:
        if exponent.denominator == 1:
            return base.map(lambda v: v ** int(exponent))
        if exponent.denominator == 2:
            return base.map(lambda v: self.field.apply("sqrt", v) ** int(2 * exponent))
        raise Refusal("a power that is no multiple of 1/2")

    def rowwise(self, function: str, arg: Block) -> Block:
        """softmax, rmsnorm and layernorm of each row."""
        if function == "softmax":
            grown = arg.map(lambda v: self.field.apply("exp", v))
            return grown.over_rows(grown.row_totals(), lambda v, s: v / s)
        width = sum(arg.cols, self.field.number(Fraction(0)))
        if function == "layernorm":
            arg = arg.over_rows(arg.row_totals(), lambda v, s: v - s / width)
        return arg.over_rows(
            arg.row_totals(lambda v: v * v), lambda v, s: v / self.field.apply("sqrt", s / width)
        )

    def _softmax_jacobian(self, p: Block) -> Any:
        """norm(diag(p) - p p')**2 = sum p**2 - 2 sum p**3 + (sum p**2)**2, added over the rows."""
        two, three = p.row_totals(lambda v: v**2), p.row_totals(lambda v: v**3)
        squares = two - three - three + two * two
        return self.field.apply("sqrt", squares.total())

    # --- indices --------------------------------------------------------------------------------------------

    def _index(self, node: n.Node) -> int:
        match node:
            case n.Number(value) if value.denominator == 1:
                return int(value)
            case n.Symbol(name) if name in self.symbols:
                return round(float(self.symbols[name].scalar))
        raise Refusal("an index that is not a number")

    def entry(self, found: Block, row: n.Node, col: n.Node) -> Any:
        i, j = self._index(row), self._index(col)
        r, c = place(found.rows, i), place(found.cols, j)
        return found.value[r][c] + (found.shift[r] if found.shift and i == j else 0)

    def single(self, arg: n.Node, row: n.Node, col: n.Node) -> Block:
        """The matrix with one entry 1: on blocks, where its row and column are classes of their own."""
        empty = self.constant(arg.shape, 0)
        r, c = place(empty.rows, self._index(row)), place(empty.cols, self._index(col))
        if empty.rows[r] != 1 or empty.cols[c] != 1:
            raise Refusal("one entry of many, in blocks")
        one, zero = self.field.number(Fraction(1)), self.field.number(Fraction(0))
        value = tuple(
            tuple(one if (i, j) == (r, c) else zero for j in range(len(empty.cols)))
            for i in range(len(empty.rows))
        )
        return replace(empty, value=value)

    def _row(self, found: Block, i: int) -> Block:
        r = place(found.rows, i)
        if found.shift and found.rows[r] != 1:
            raise Refusal("a row of a matrix that is not constant on blocks")
        value = [v + (found.shift[r] if found.shift and c == r else 0) for c, v in enumerate(found.value[r])]
        return Block(self.field, (1,), found.cols, (tuple(value),))


def _is_softmax_of(of: n.Node, by: n.Node) -> bool:
    bare = expand_lets(of)
    return isinstance(bare, n.RowWise) and bare.function == "softmax" and bare.arg == expand_lets(by)


def places(part: n.Node) -> tuple[n.Node, ...]:
    """Where it looks into a matrix: a row and a column, or a row."""
    match part:
        case n.Entry(_, row, col):
            return row, col
        case n.Row(_, row):
            return (row,)
    return ()


def counts_alone(part: n.Node | n.Fact, index: n.Index) -> bool:
    """Whether the index stands only where it chooses rows, columns or members: its number is no value."""
    if part == index:
        return False
    chosen = (part.index,) if isinstance(part, n.Member) else places(part) if isinstance(part, n.Node) else ()
    return all(child in chosen or counts_alone(child, index) for child in children(part))


def place(sizes: Sizes, index: int) -> int:
    """The class of an index: classes follow one another, the last one is open."""
    start = 0
    for at, size in enumerate(sizes[:-1]):
        start += int(size)
        if index <= start:
            return at
    return len(sizes) - 1


def spectral(found: Block) -> Any:
    """The largest singular value: of the quotient, by the roots of its Gram matrix, and of the shifts."""
    grid = found.quotient()
    if len(grid) > len(grid[0]):
        grid = [list(column) for column in zip(*grid, strict=True)]
    gram = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in grid] for x in grid]
    apply = found.field.apply
    if len(gram) == 1:
        top = gram[0][0]
    elif len(gram) == 2:
        half, gap = (gram[0][0] + gram[1][1]) / 2, (gram[0][0] - gram[1][1]) / 2
        top = half + apply("sqrt", gap * gap + gram[0][1] * gram[0][1])
    else:
        raise Refusal("a spectral norm over more than two classes")
    squares = [top]
    for r, size in enumerate(found.rows if found.shift else ()):
        if size != 1:
            assert found.shift
            squares.append(found.shift[r] * found.shift[r])
    return apply("sqrt", _largest(found.field, squares))


def _largest(field: Field, values: list[Any]) -> Any:
    """max(a, b) = (a + b + |a - b|) / 2."""
    top = values[0]
    for value in values[1:]:
        top = (top + value + field.apply("abs", top - value)) / 2
    return top
