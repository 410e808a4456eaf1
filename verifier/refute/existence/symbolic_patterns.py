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

from collections.abc import Callable
from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.expr.dims import SCALAR, Dim, Shape
from verifier.refute.existence.scalar_trees import (
    ENDLESS,
    ONE,
    ZERO,
    NoPatternError,
    applied,
    minus,
    over,
    plus,
    size,
    tail,
    times,
)


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


def softmax(p: Pattern) -> Pattern:
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
