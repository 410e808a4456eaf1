"""Trees evaluated at matrices of symbolic size that look the same from the second index on.

Such an n-by-m matrix has four blocks, first or rest by first or rest, each filled with one number,
and on the diagonal of the last block something more:

    [ a  b b b ]
    [ c  e d d ]      e = d + more
    [ c  d e d ]
    [ c  d d e ]

They hold the ones, the identity, one-hot vectors and their products, and are closed under sums,
products and entrywise functions. A tree of them becomes a scalar tree in the sizes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR, Dim, Shape
from verifier.expr.walk import walk

ZERO, ONE = N.Number(Fraction(0)), N.Number(Fraction(1))
ENDLESS = N.Infinity()


class NoPatternError(Exception):
    """The tree leaves the patterns."""


@dataclass(frozen=True)
class Pattern:
    """The blocks a, b, c, d and what the diagonal of the last one has more."""

    shape: Shape
    first: N.Node
    right: N.Node = ZERO
    below: N.Node = ZERO
    rest: N.Node = ZERO
    more: N.Node = ZERO

    @property
    def blocks(self) -> tuple[N.Node, N.Node, N.Node, N.Node, N.Node]:
        """The five values that entries have."""
        return self.first, self.right, self.below, self.rest, plus(self.rest, self.more)

    def each(self, function: Callable[..., N.Node], *others: "Pattern") -> "Pattern":
        """An entrywise function; a scalar among the arguments counts for every entry."""
        shape = next((p.shape for p in (self, *others) if not p.shape.is_scalar), SCALAR)
        sides = [p.filled(shape) for p in (self, *others)]
        a, b, c, d, e = (function(*values) for values in zip(*(side.blocks for side in sides), strict=True))
        square = shape.rows == shape.cols and not shape.is_scalar
        return Pattern(shape, a, b, c, d, minus(e, d) if square else ZERO)

    def filled(self, shape: Shape) -> "Pattern":
        """A scalar as a matrix of this shape."""
        return constant(shape, self.first) if self.shape.is_scalar and not shape.is_scalar else self

    @property
    def is_constant(self) -> bool:
        """One number everywhere; what a block has that is not there does not matter."""
        row, column = self.shape.rows == Dim.of(1), self.shape.cols == Dim.of(1)
        seen = [self.first] + [self.right] * (not column) + [self.below] * (not row)
        seen += [] if row or column else [self.rest]
        return all(value == self.first for value in seen) and self.more == ZERO

    @property
    def is_endless(self) -> bool:
        return ENDLESS in (self.first, self.right, self.below, self.rest, self.more)

    def total(self) -> N.Node:
        """The sum of the entries."""
        if self.is_constant:
            return times(size(self.shape.rows * self.shape.cols), self.first)
        n, m = tail(self.shape.rows), tail(self.shape.cols)
        found = plus(self.first, times(m, self.right), times(n, self.below))
        return plus(found, times(times(n, m), self.rest), times(n, self.more))


def constant(shape: Shape, value: N.Node) -> Pattern:
    """One number everywhere."""
    return Pattern(shape, value, value, value, value)


def size(dim: Dim) -> N.Node:
    """n*m + 1 as a tree."""
    total: N.Node = ZERO
    for monomial, coefficient in dim.terms:
        part: N.Node = N.Number(Fraction(coefficient))
        for name, power in monomial:
            for _ in range(power):
                part = times(part, N.Symbol(name))
        total = plus(total, part)
    return total


def tail(dim: Dim) -> N.Node:
    """n - 1, the number of indices after the first."""
    return size(dim - Dim.of(1))


# --- scalars, with what is 0 or 1 left out --------------------------------------------------------


def plus(*parts: N.Node) -> N.Node:
    total: N.Node = ZERO
    for part in parts:
        _refuse_endless(part)
        match total, part:
            case N.Number(a), N.Number(b):
                total = N.Number(a + b)
            case _ if part == ZERO:
                continue
            case _:
                total = part if total == ZERO else N.Add(total, part)
    return total


def minus(left: N.Node, right: N.Node) -> N.Node:
    if left == right:
        return ZERO
    return left if right == ZERO else plus(left, times(N.Number(Fraction(-1)), right))


def times(left: N.Node, right: N.Node) -> N.Node:
    _refuse_endless(left, right)
    match left, right:
        case N.Number(a), N.Number(b):
            return N.Number(a * b)
    if ZERO in (left, right):
        return ZERO
    if left == ONE or right == ONE:
        return right if left == ONE else left
    return N.Multiply(left, right)


def over(left: N.Node, right: N.Node) -> N.Node:
    _refuse_endless(left, right)
    return left if right == ONE else N.Divide(left, right)


def applied(function: str, *args: N.Node) -> N.Node:
    _refuse_endless(*args)
    return N.Apply(function, args)


def root(value: N.Node) -> N.Node:
    return value if value in (ZERO, ONE) else applied("sqrt", value)


def _refuse_endless(*values: N.Node) -> None:
    if ENDLESS in values:
        raise NoPatternError("something without end, outside a softmax")


# --- trees ----------------------------------------------------------------------------------------


def read(node: N.Node, given: Mapping[str, Pattern]) -> Pattern:
    """The pattern that the tree has where the named symbols have theirs."""
    match node:
        case N.Symbol(name) if name in given:
            return given[name]
        case N.Let(_, body):
            return read(body, given)
        case N.Number() | N.Pi() | N.Index():
            return Pattern(SCALAR, node)
        case N.Symbol() if node.shape.is_scalar:
            return Pattern(SCALAR, node)
        case N.Ones(shape):
            return constant(shape, ONE)
        case N.Zeros(shape):
            return constant(shape, ZERO)
        case N.Eye():
            return Pattern(node.shape, ONE, more=ONE)
        case N.Add() | N.Subtract() | N.Multiply() | N.Divide() | N.Negate() | N.Power() | N.Apply():
            return _entrywise(node, given)
        case N.MatMul(left, right):
            return product(read(left, given), read(right, given))
        case N.Transpose(arg):
            p = read(arg, given)
            return Pattern(p.shape.transposed, p.first, p.below, p.right, p.rest, p.more)
        case N.RowWise("softmax", arg):
            return _softmax(read(arg, given))
        case N.Norm() | N.Trace() | N.Inner() | N.Entry() | N.Sum():
            return Pattern(SCALAR, _scalar(node, given))
        case N.Row(arg, _) if read(arg, given).is_constant:
            return constant(node.shape, read(arg, given).first)
        case N.DiagPart(arg):
            p = read(arg, given)
            return Pattern(node.shape, p.first, p.first, plus(p.rest, p.more), plus(p.rest, p.more))
        case N.DiagMatrix(arg):
            p = read(arg, given)
            return Pattern(node.shape, p.first, more=p.below)
    raise NoPatternError(type(node).__name__)


def _entrywise(node: N.Node, given: Mapping[str, Pattern]) -> Pattern:
    match node:
        case N.Add(left, right):
            return read(left, given).each(plus, read(right, given))
        case N.Subtract(left, right):
            return read(left, given).each(minus, read(right, given))
        case N.Multiply(left, right):
            return _scaled(read(left, given), read(right, given)) or read(left, given).each(
                times, read(right, given)
            )
        case N.Divide(left, right):
            return _scaled(read(left, given), read(right, given)) or read(left, given).each(
                over, read(right, given)
            )
        case N.Negate(arg):
            return read(arg, given).each(lambda x: times(N.Number(Fraction(-1)), x))
        case N.Power(base, exponent):
            return read(base, given).each(_power, read(exponent, given))
        case N.Apply(function, (arg, *others)):
            return read(arg, given).each(
                lambda *values: applied(function, *values), *(read(other, given) for other in others)
            )
    raise AssertionError(node)


def _power(base: N.Node, exponent: N.Node) -> N.Node:
    _refuse_endless(base, exponent)
    return base if base == ONE or exponent == ONE else N.Power(base, exponent)


def _scaled(left: Pattern, right: Pattern) -> Pattern | None:
    """What has no end, times or over a positive number, is what it was."""
    endless, other = (left, right) if left.is_endless else (right, left)
    if not endless.is_endless:
        return None
    match other.first if other.shape.is_scalar else None:
        case N.Number(value) if value > 0:
            return endless
        case N.Apply("sqrt", (N.Symbol(),)):
            return endless
    raise NoPatternError("something without end times something of unknown sign")


def product(left: Pattern, right: Pattern) -> Pattern:
    """The matrix product, block by block."""
    if left.is_endless or right.is_endless:
        raise NoPatternError("a product of something without end")
    if left.shape.is_scalar or right.shape.is_scalar:
        return left.each(times, right)
    k = tail(left.shape.cols)
    shape = Shape(left.shape.rows, right.shape.cols)
    if left.is_constant and right.is_constant:
        return constant(shape, times(size(left.shape.cols), times(left.first, right.first)))
    a, b = left, right
    return Pattern(
        shape,
        plus(times(a.first, b.first), times(k, times(a.right, b.below))),
        plus(times(a.first, b.right), times(k, times(a.right, b.rest)), times(a.right, b.more)),
        plus(times(a.below, b.first), times(k, times(a.rest, b.below)), times(a.more, b.below)),
        plus(
            times(a.below, b.right), times(k, times(a.rest, b.rest)), times(a.rest, b.more),
            times(a.more, b.rest),
        ),
        times(a.more, b.more),
    )  # fmt: skip


def _scalar(node: N.Node, given: Mapping[str, Pattern]) -> N.Node:
    match node:
        case N.Norm(arg, kind):
            return _norm(read(arg, given), kind)
        case N.Trace(arg):
            p = read(arg, given)
            return plus(p.first, times(tail(p.shape.rows), plus(p.rest, p.more)))
        case N.Inner(left, right):
            return read(left, given).each(times, read(right, given)).total()
        case N.Entry(arg, row, col):
            return _entry(read(arg, given), row, col)
        case N.Sum(body, ranges, ()):
            inside = read(body, given)
            if not inside.shape.is_scalar or _uses(inside.first, {r.index for r in ranges}):
                raise NoPatternError("a sum of terms that differ")
            total = inside.first
            for r in ranges:
                count = minus(plus(read(r.high, given).first, ONE), read(r.low, given).first)
                total = times(r.high if r.low == ONE else count, total)
            return total
    raise NoPatternError(type(node).__name__)


def _uses(node: N.Node, indices: set[str]) -> bool:
    return any(isinstance(part, N.Index) and part.name in indices for part in walk(node))


def _norm(p: Pattern, kind: N.NormKind) -> N.Node:
    """Frobenius always; the others where one number tells them."""
    vector = p.shape.is_vector or p.shape.transposed.is_vector
    if kind == "1":
        return p.each(lambda x: applied("abs", x)).total()
    if kind == "oo" or (kind == "2" and not vector and not p.is_constant):
        alone = all(value == ZERO for value in (p.right, p.below, p.rest))
        if p.is_constant or (alone and p.more in (ZERO, p.first)):
            return applied("abs", p.first)
        raise NoPatternError("a largest entry or singular value of several")
    return root(p.each(times, p).total())


def _entry(p: Pattern, row: N.Node, col: N.Node) -> N.Node:
    if p.is_constant:
        return p.first
    match row, col:
        case N.Number(i), N.Number(j):
            inside = p.rest if i != j else plus(p.rest, p.more)
            corner = {(True, True): p.first, (True, False): p.right, (False, True): p.below}
            return corner.get((i == 1, j == 1), inside)
    raise NoPatternError("an entry at an index that is not a number")


def _softmax(p: Pattern) -> Pattern:
    """exp over its row's sum; a row with entries without end has its mass on these, in equal parts."""
    if p.shape.is_scalar:
        return Pattern(SCALAR, ONE)
    n, m = tail(p.shape.rows), tail(p.shape.cols)
    square = p.shape.rows == p.shape.cols
    top = _shares([(ONE, p.first), (m, p.right)])
    if not square:
        low = _shares([(ONE, p.below), (m, p.rest)])
        return Pattern(p.shape, top[0], top[1], low[0], low[1])
    diagonal = ENDLESS if ENDLESS in (p.more, p.rest) else plus(p.rest, p.more)
    low = _shares([(ONE, p.below), (minus(n, ONE), p.rest), (ONE, diagonal)])
    return Pattern(p.shape, top[0], top[1], low[0], low[1], minus(low[2], low[1]))


def _shares(parts: list[tuple[N.Node, N.Node]]) -> list[N.Node]:
    """The softmax of a row that holds each value so many times."""
    endless = [count for count, value in parts if value == ENDLESS]
    if endless:
        if any(count != ONE for count in endless):
            raise NoPatternError("a row that runs off in a number of entries that may be 0")
        share = over(ONE, plus(*endless))
        return [share if value == ENDLESS else ZERO for _, value in parts]
    values = {value for _, value in parts}
    powers = [ONE if value == ZERO or len(values) == 1 else applied("exp", value) for _, value in parts]
    whole = plus(*(times(count, power) for (count, _), power in zip(parts, powers, strict=True)))
    return [over(power, whole) for power in powers]
