"""The root of all nodes, and how shapes meet."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from verifier.expr.dims import SCALAR, Shape
from verifier.expr.errors import ShapeError


@dataclass(frozen=True)
class Node(ABC):
    """An expression with a symbolic shape."""

    @property
    @abstractmethod
    def shape(self) -> Shape: ...


@dataclass(frozen=True)
class ScalarNode(Node):
    """An expression that is 1-by-1 whatever its parts are."""

    @property
    def shape(self) -> Shape:
        return SCALAR


def require(condition: bool, message: str) -> None:
    if not condition:
        raise ShapeError(message)


def broadcast(verb: str, left: Shape, right: Shape) -> Shape:
    """Equal shapes, or a scalar with anything: nothing else broadcasts."""
    if left == right or right.is_scalar:
        return left
    require(left.is_scalar, f"cannot {verb} {left} and {right}: only scalars broadcast")
    return right
