"""The root of all nodes, and how shapes meet."""

from dataclasses import dataclass

from verifier.expr.dims import SCALAR, Shape
from verifier.expr.errors import ShapeError


@dataclass(frozen=True)
class Node:
    """An expression with a symbolic shape.

    Abstract, yet not an ABC: an ABC answers `isinstance`, and so every miss of a `match`, three times
    slower, and engines ask that all the time."""

    @property
    def shape(self) -> Shape:
        raise NotImplementedError


@dataclass(frozen=True)
class ScalarNode(Node):
    """An expression that is 1-by-1 whatever its parts are."""

    @property
    def shape(self) -> Shape:
        return SCALAR


def require(condition: bool, message: str, *parts: object) -> None:
    """A shape error, unless all is well; the message is written only then: nodes are made by the million."""
    if not condition:
        raise ShapeError(message.format(*parts))


def broadcast(verb: str, left: Shape, right: Shape) -> Shape:
    """Equal shapes, or a scalar with anything: nothing else broadcasts."""
    if left is right or left == right or right.is_scalar:
        return left
    if not left.is_scalar:
        hint = None
        if (left.rows, left.cols) == (right.cols, right.rows):
            hint = "one of them transposed fits: write .T"
        elif verb == "multiply" and left.cols == right.rows:
            hint = "a product of matrices is written @"
        raise ShapeError(f"cannot {verb} {left} and {right}: only scalars broadcast", hint)
    return right
