"""Linear algebra: norms, traces, special matrices, products of blocks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, final

from verifier.expr.dims import ONE, Dim, Shape
from verifier.expr.nodes.base import Node, ScalarNode, require

NormKind = Literal["fro", "2", "1", "oo"]


@final
@dataclass(frozen=True)
class Norm(ScalarNode):
    """norm(A) (Frobenius), norm(A, 2) (spectral), norm(v, 1), norm(v, oo)."""

    arg: Node
    kind: NormKind = "fro"

    def __post_init__(self) -> None:
        vector = self.arg.shape.is_vector or self.arg.shape.rows == ONE
        require(
            vector or self.kind in ("fro", "2"),
            "norm(., {}) is for vectors, and this is {}",
            self.kind,
            self.arg.shape,
        )


@final
@dataclass(frozen=True)
class Trace(ScalarNode):
    """tr(arg) = sum_i arg[i, i]."""

    arg: Node

    def __post_init__(self) -> None:
        require(self.arg.shape.is_square, "tr needs a square matrix, not {}", self.arg.shape)


@final
@dataclass(frozen=True)
class Hafnian(ScalarNode):
    """hafnian(C) = sum over the pairings of 1..n of the products of C[i, j], i < j, over their pairs;
    0 where n is odd, since nothing can be paired then."""

    arg: Node

    def __post_init__(self) -> None:
        require(self.arg.shape.is_square, "hafnian needs a square matrix, not {}", self.arg.shape)


@final
@dataclass(frozen=True)
class Inner(ScalarNode):
    """inner(A, B) = sum_ij A[i, j] B[i, j]."""

    left: Node
    right: Node

    def __post_init__(self) -> None:
        left, right = self.left.shape, self.right.shape
        require(left == right, "inner needs equal shapes, not {} and {}", left, right)


@final
@dataclass(frozen=True)
class Eye(Node):
    """eye(n): the identity."""

    size: Dim

    @property
    def shape(self) -> Shape:
        return Shape(self.size, self.size)


@final
@dataclass(frozen=True)
class Ones(Node):
    """ones(n), ones(n, m)."""

    of_shape: Shape

    @property
    def shape(self) -> Shape:
        return self.of_shape


@final
@dataclass(frozen=True)
class Zeros(Node):
    """zeros(n), zeros(n, m)."""

    of_shape: Shape

    @property
    def shape(self) -> Shape:
        return self.of_shape


@final
@dataclass(frozen=True)
class DiagMatrix(Node):
    """diag(v): the matrix with the vector v on its diagonal."""

    arg: Node

    def __post_init__(self) -> None:
        require(self.arg.shape.is_vector, "not a column vector: {}", self.arg.shape)

    @property
    def shape(self) -> Shape:
        return Shape(self.arg.shape.rows, self.arg.shape.rows)


@final
@dataclass(frozen=True)
class DiagPart(Node):
    """diag(A): the diagonal of a square matrix, as a column."""

    arg: Node

    def __post_init__(self) -> None:
        require(self.arg.shape.is_square, "diag needs a vector or a square matrix, not {}", self.arg.shape)

    @property
    def shape(self) -> Shape:
        return Shape(self.arg.shape.rows, ONE)


@final
@dataclass(frozen=True)
class Kron(Node):
    """kron(A, B)[(i, k), (j, l)] = A[i, j] B[k, l]."""

    left: Node
    right: Node

    @cached_property
    def shape(self) -> Shape:
        left, right = self.left.shape, self.right.shape
        return Shape(left.rows * right.rows, left.cols * right.cols)


@final
@dataclass(frozen=True)
class VecR(Node):
    """vec_r(A): the rows of A one after the other, as a column."""

    arg: Node

    @cached_property
    def shape(self) -> Shape:
        return Shape(self.arg.shape.size, ONE)


@final
@dataclass(frozen=True)
class Commutation(Node):
    """commutation(m, n) @ vec_r(B.T) == vec_r(B) for B m-by-n."""

    rows: Dim
    cols: Dim

    @cached_property
    def shape(self) -> Shape:
        return Shape(self.rows * self.cols, self.rows * self.cols)
