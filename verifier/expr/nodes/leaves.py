"""Leaves: numbers, constants, symbols and names."""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from verifier.expr.dims import SCALAR, Shape
from verifier.expr.nodes.base import Node, ScalarNode, require


@final
@dataclass(frozen=True)
class Number(ScalarNode):
    """An exact rational; a decimal in the text is one too."""

    value: Fraction


@final
@dataclass(frozen=True)
class Pi(ScalarNode):
    """The circle's constant."""


@final
@dataclass(frozen=True)
class Infinity(ScalarNode):
    """`oo`: the end of an interval or of a limit, never a value."""


@final
@dataclass(frozen=True)
class Symbol(Node):
    """A declared symbol; what it is stands in the claim's symbol table."""

    name: str
    of_shape: Shape = SCALAR

    @property
    def shape(self) -> Shape:
        return self.of_shape


@final
@dataclass(frozen=True)
class Member(Node):
    """W[h]: the h-th copy of a random family."""

    name: str
    of_shape: Shape
    index: Node

    def __post_init__(self) -> None:
        require(self.index.shape.is_scalar, "the index of {}[...] is {}", self.name, self.index.shape)

    @property
    def shape(self) -> Shape:
        return self.of_shape


@final
@dataclass(frozen=True)
class Called(ScalarNode):
    """f(arg): a declared function, any differentiable one, at this argument."""

    function: str
    arg: Node


@final
@dataclass(frozen=True)
class Index(ScalarNode):
    """An index bound by sum, prod, all or blockdiag."""

    name: str


@final
@dataclass(frozen=True)
class Let(Node):
    """A `let` name together with what it stands for."""

    name: str
    body: Node

    @property
    def shape(self) -> Shape:
        return self.body.shape


@final
@dataclass(frozen=True)
class After(Node):
    """after(X, L): the layers' state after L layers."""

    state: Symbol
    depth: Node

    @property
    def shape(self) -> Shape:
        return self.state.shape
