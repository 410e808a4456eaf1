"""The one tree. Every engine reads these nodes and no others.

Nodes are frozen and check their shapes on construction, so a tree that exists is well formed.
Equality is over all fields. A `match` over nodes ends in `assert_never` or an explicit refusal,
never in a silent default; `tests/expr/test_nodes.py` runs every operation over every node.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, final

from verifier.expr.dims import ONE, SCALAR, Dim, Shape
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


# --- leaves -----------------------------------------------------------------------------------


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
        require(self.index.shape.is_scalar, f"the index of {self.name}[...] is {self.index.shape}")

    @property
    def shape(self) -> Shape:
        return self.of_shape


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


# --- arithmetic -------------------------------------------------------------------------------


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
        require(self.exponent.shape.is_scalar, f"an exponent is a scalar, not {self.exponent.shape}")

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
        require(
            left.cols == right.rows,
            f"cannot multiply {left} by {right}: {left.cols} columns meet {right.rows} rows",
        )

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
        require(self.base.shape.is_square, f"matpow needs a square matrix, not {self.base.shape}")
        require(self.exponent.shape.is_scalar, f"an exponent is a scalar, not {self.exponent.shape}")

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


# --- functions --------------------------------------------------------------------------------

UNARY = (
    "sqrt exp log sin cos tanh sigmoid relu gelu silu softplus abs erf Phi phi factorial factorial2"
).split()
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
        require(not column, f"{self.function} acts on rows, and this is a column ({shape}): write .T")

    @property
    def shape(self) -> Shape:
        return self.arg.shape


# --- linear algebra ---------------------------------------------------------------------------

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
            f"norm(., {self.kind}) is for vectors, and this is {self.arg.shape}",
        )


@final
@dataclass(frozen=True)
class Trace(ScalarNode):
    """tr(arg) = sum_i arg[i, i]."""

    arg: Node

    def __post_init__(self) -> None:
        require(self.arg.shape.is_square, f"tr needs a square matrix, not {self.arg.shape}")


@final
@dataclass(frozen=True)
class Inner(ScalarNode):
    """inner(A, B) = sum_ij A[i, j] B[i, j]."""

    left: Node
    right: Node

    def __post_init__(self) -> None:
        left, right = self.left.shape, self.right.shape
        require(left == right, f"inner needs equal shapes, not {left} and {right}")


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
        require(self.arg.shape.is_vector, f"not a column vector: {self.arg.shape}")

    @property
    def shape(self) -> Shape:
        return Shape(self.arg.shape.rows, self.arg.shape.rows)


@final
@dataclass(frozen=True)
class DiagPart(Node):
    """diag(A): the diagonal of a square matrix, as a column."""

    arg: Node

    def __post_init__(self) -> None:
        require(self.arg.shape.is_square, f"diag needs a vector or a square matrix, not {self.arg.shape}")

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


# --- indices ----------------------------------------------------------------------------------


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


# --- probability, calculus, extremes, growth -----------------------------------------------------


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
            require(side.is_vector, f"Cov is of two columns or scalars, and this is {side}: use vec_r")

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
        require(self.body.shape.is_scalar, f"{self.kind} is of a scalar, not {self.body.shape}")


@final
@dataclass(frozen=True)
class Growth(ScalarNode):
    """O(f), Omega(f) or Theta(f): the right side of a growth claim."""

    kind: Literal["O", "Omega", "Theta"]
    body: Node

    def __post_init__(self) -> None:
        require(self.body.shape.is_scalar, f"{self.kind} is of a scalar, not {self.body.shape}")


@final
@dataclass(frozen=True)
class Order(ScalarNode):
    """order(10**low, 10**high): about this size."""

    low: int
    high: int


# --- facts: what claims and assumptions state ----------------------------------------------------

Comparison = Literal["==", "<=", ">=", "<", ">", "!="]


@dataclass(frozen=True)
class Fact(ABC):
    """Something that is true or false."""


@final
@dataclass(frozen=True)
class Relation(Fact):
    """left op right; matrices entry by entry."""

    op: Comparison
    left: Node
    right: Node

    def __post_init__(self) -> None:
        broadcast("compare", self.left.shape, self.right.shape)


@final
@dataclass(frozen=True)
class Within(Fact):
    """arg in [low, high], closed."""

    arg: Node
    low: Node
    high: Node

    def __post_init__(self) -> None:
        for end in (self.low, self.high):
            broadcast("compare", self.arg.shape, end.shape)


@final
@dataclass(frozen=True)
class ForAll(Fact):
    """all(fact, i, 1, n, i != j): the fact at every index."""

    fact: Relation | Within
    ranges: tuple[Range, ...]
    conditions: tuple[Condition, ...] = ()


@final
@dataclass(frozen=True)
class Independent(Fact):
    """independent(f, g): once the other random symbols are integrated out, E of a product of
    powers of f and g factorises."""

    left: Node
    right: Node
