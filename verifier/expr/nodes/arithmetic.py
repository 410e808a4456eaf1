"""Arithmetic and functions, entry by entry and row by row."""

from dataclasses import dataclass
from functools import cached_property
from typing import final

from verifier.expr.dims import Shape
from verifier.expr.errors import ShapeError
from verifier.expr.nodes.base import Node, broadcast, require


@dataclass(frozen=True)
class Entrywise(Node):
    """Two operands of one shape, or one of them a scalar."""

    left: Node
    right: Node

    def __post_init__(self) -> None:
        _ = self.shape

    @cached_property
    def shape(self) -> Shape:
        return broadcast(type(self).__name__.lower(), self.left.shape, self.right.shape)


@final
@dataclass(frozen=True)
class Add(Entrywise):
    """left + right."""


@final
@dataclass(frozen=True)
class Subtract(Entrywise):
    """left - right."""


@final
@dataclass(frozen=True)
class Multiply(Entrywise):
    """left * right, entry by entry."""


@final
@dataclass(frozen=True)
class Divide(Entrywise):
    """left / right, entry by entry."""


@final
@dataclass(frozen=True)
class Negate(Node):
    """-arg."""

    arg: Node

    @property
    def shape(self) -> Shape:
        return self.arg.shape


@final
@dataclass(frozen=True)
class Power(Node):
    """base ** exponent, entry by entry; the exponent is a scalar."""

    base: Node
    exponent: Node

    def __post_init__(self) -> None:
        require(self.exponent.shape.is_scalar, "an exponent is a scalar, not {}", self.exponent.shape)

    @property
    def shape(self) -> Shape:
        return self.base.shape


@final
@dataclass(frozen=True)
class MatMul(Node):
    """left @ right: sum_k left[i, k] right[k, j]. A scalar times a matrix is written with `*`."""

    left: Node
    right: Node

    def __post_init__(self) -> None:
        left, right = self.left.shape, self.right.shape
        if left.cols != right.rows:
            hint = None
            if left.cols == right.cols:
                hint = "the right one transposed fits: write .T"
            elif left.rows == right.rows:
                hint = "the left one transposed fits: write .T"
            message = f"cannot multiply {left} by {right}: {left.cols} columns meet {right.rows} rows"
            raise ShapeError(message, hint)

    @property
    def shape(self) -> Shape:
        return Shape(self.left.shape.rows, self.right.shape.cols)


@final
@dataclass(frozen=True)
class MatPower(Node):
    """matpow(base, exponent): the matrix power of a square matrix."""

    base: Node
    exponent: Node

    def __post_init__(self) -> None:
        require(self.base.shape.is_square, "matpow needs a square matrix, not {}", self.base.shape)
        require(self.exponent.shape.is_scalar, "an exponent is a scalar, not {}", self.exponent.shape)

    @property
    def shape(self) -> Shape:
        return self.base.shape


@final
@dataclass(frozen=True)
class Transpose(Node):
    """arg.T."""

    arg: Node

    @property
    def shape(self) -> Shape:
        return self.arg.shape.transposed


UNARY = [
    "sqrt",
    "exp",
    "log",
    "sin",
    "cos",
    "asin",
    "acos",
    "atan",
    "tanh",
    "sigmoid",
    "relu",
    "gelu",
    "silu",
    "softplus",
    "abs",
    "erf",
    "Phi",
    "phi",
    "factorial",
    "factorial2",
]
BINARY = ["min", "max", "binomial"]
ROWWISE = ["softmax", "rmsnorm", "layernorm"]


@final
@dataclass(frozen=True)
class Apply(Node):
    """A function of one or two arguments, entry by entry."""

    function: str
    args: tuple[Node, ...]

    def __post_init__(self) -> None:
        expected = 1 if self.function in UNARY else 2
        if self.function not in UNARY + BINARY or len(self.args) != expected:
            raise ValueError(f"no function {self.function} of {len(self.args)} arguments")
        _ = self.shape

    @cached_property
    def shape(self) -> Shape:
        shape = self.args[0].shape
        for other in self.args[1:]:
            shape = broadcast(f"take {self.function} of", shape, other.shape)
        return shape


@final
@dataclass(frozen=True)
class RowWise(Node):
    """softmax, rmsnorm or layernorm of each row."""

    function: str
    arg: Node

    def __post_init__(self) -> None:
        if self.function not in ROWWISE:
            raise ValueError(f"no row-wise function {self.function}")
        shape = self.arg.shape
        column = shape.is_vector and not shape.is_scalar
        require(not column, "{} acts on rows, and this is a column ({}): write .T", self.function, shape)

    @property
    def shape(self) -> Shape:
        return self.arg.shape
