"""Probability, calculus, extremes, growth and orders of magnitude."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, final

from verifier.expr.dims import Shape
from verifier.expr.nodes.base import Node, ScalarNode, require
from verifier.expr.nodes.leaves import Symbol


@final
@dataclass(frozen=True)
class Expectation(Node):
    """E(body, given=...), entry by entry, over every random symbol inside that is not given."""

    body: Node
    given: tuple[Node, ...] = ()

    @property
    def shape(self) -> Shape:
        return self.body.shape


@final
@dataclass(frozen=True)
class Variance(Node):
    """Var(body), entry by entry."""

    body: Node

    @property
    def shape(self) -> Shape:
        return self.body.shape


@final
@dataclass(frozen=True)
class Covariance(Node):
    """Cov(f, g) = E((f - E f) (g - E g).T) of two columns; of two scalars, a scalar."""

    left: Node
    right: Node

    def __post_init__(self) -> None:
        for side in (self.left.shape, self.right.shape):
            require(side.is_vector, "Cov is of two columns or scalars, and this is {}: use vec_r", side)

    @property
    def shape(self) -> Shape:
        return Shape(self.left.shape.rows, self.right.shape.rows)


@final
@dataclass(frozen=True)
class Derivative(Node):
    """D(of, by): the Jacobian of vec_r(of) with respect to vec_r(by)."""

    of: Node
    by: Node

    @cached_property
    def shape(self) -> Shape:
        return Shape(self.of.shape.size, self.by.shape.size)


@final
@dataclass(frozen=True)
class Limit(Node):
    """limit(body, variable, target)."""

    body: Node
    variable: Symbol
    target: Node

    @property
    def shape(self) -> Shape:
        return self.body.shape


@final
@dataclass(frozen=True)
class Extreme(ScalarNode):
    """sup(body, Z) or inf(body, Z) over the named fixed symbols."""

    kind: Literal["sup", "inf"]
    body: Node
    over: tuple[Symbol, ...]

    def __post_init__(self) -> None:
        require(self.body.shape.is_scalar, "{} is of a scalar, not {}", self.kind, self.body.shape)


@final
@dataclass(frozen=True)
class Growth(ScalarNode):
    """O(f), Omega(f) or Theta(f): the right side of a growth claim."""

    kind: Literal["O", "Omega", "Theta"]
    body: Node

    def __post_init__(self) -> None:
        require(self.body.shape.is_scalar, "{} is of a scalar, not {}", self.kind, self.body.shape)


@final
@dataclass(frozen=True)
class Order(ScalarNode):
    """order(10**low, 10**high): about this size."""

    low: int
    high: int
