"""Indices: entries, rows, sums and products over ranges."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, final

from verifier.expr.dims import ONE, Dim, Shape
from verifier.expr.nodes.base import Node, ScalarNode, require


@final
@dataclass(frozen=True)
class Range:
    """index = low..high, both ends included."""

    index: str
    low: Node
    high: Node


@final
@dataclass(frozen=True)
class Condition:
    """A relation between indices that filters a sum: `j != i`."""

    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Node
    right: Node


@final
@dataclass(frozen=True)
class BlockDiag(Node):
    """blockdiag(body, i, 1, n): the blocks body(i) down the diagonal."""

    body: Node
    range: Range
    count: Dim

    @cached_property
    def shape(self) -> Shape:
        return Shape(self.body.shape.rows * self.count, self.body.shape.cols * self.count)


@final
@dataclass(frozen=True)
class Entry(ScalarNode):
    """arg[row, col], 1-based; v[i] of a column is v[i, 1]."""

    arg: Node
    row: Node
    col: Node


@final
@dataclass(frozen=True)
class Row(Node):
    """arg[row]: one row, 1-by-m."""

    arg: Node
    row: Node

    @property
    def shape(self) -> Shape:
        return Shape(ONE, self.arg.shape.cols)


@final
@dataclass(frozen=True)
class Sum(Node):
    """sum(body, i, 1, n, j, 1, m, j != i)."""

    body: Node
    ranges: tuple[Range, ...]
    conditions: tuple[Condition, ...] = ()

    @property
    def shape(self) -> Shape:
        return self.body.shape


@final
@dataclass(frozen=True)
class Product(Node):
    """prod(body, i, 1, n): entry by entry for matrices."""

    body: Node
    ranges: tuple[Range, ...]
    conditions: tuple[Condition, ...] = ()

    @property
    def shape(self) -> Shape:
        return self.body.shape


@final
@dataclass(frozen=True)
class SubsetSum(ScalarNode):
    """esum(body, i, 1, n, p) = sum over the sets of p indices of the product of body over the set:
    the elementary symmetric polynomial e_p of body(1), ..., body(n). 1 for p = 0, 0 for p > n."""

    body: Node
    range: Range
    order: Node

    def __post_init__(self) -> None:
        require(self.body.shape.is_scalar, "esum is of scalars, and this is {}", self.body.shape)
        require(self.order.shape.is_scalar, "the size of a set is a scalar, not {}", self.order.shape)
