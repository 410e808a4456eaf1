"""What is worked out at a point, by kinds of nodes and names of functions."""

import math
import operator
from collections.abc import Callable
from itertools import chain

from verifier.expr import nodes as N
from verifier.expr.tex import matrices as M
from verifier.expr.tex.matrices import Matrix

SMOOTH: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "tanh": math.tanh,
    "erf": math.erf,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "silu": lambda x: x / (1 + math.exp(-x)),
    "softplus": lambda x: math.log(1 + math.exp(x)),
    "Phi": lambda x: (1 + math.erf(x / math.sqrt(2))) / 2,
    "phi": lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi),
    "factorial": lambda x: math.gamma(x + 1),
    "binomial": lambda n, k: math.gamma(n + 1) / math.gamma(k + 1) / math.gamma(n - k + 1),
}
# Functions with kinks are the same on either side of a threshold: two of them may agree at a point by luck.
KINKED: dict[str, Callable[..., float]] = {
    "abs": abs,
    "relu": lambda x: max(x, 0.0),
    "min": min,
    "max": max,
}
SYMMETRIC = ("min", "max")


def _entrywise(function: Callable[[float, float], float]) -> Callable[[Matrix, Matrix], Matrix]:
    return lambda left, right: M.entrywise(function, left, right)


# Of the values of the parts.
ALGEBRA: dict[type[N.Node], Callable[..., Matrix]] = {
    N.Add: _entrywise(operator.add),
    N.Subtract: _entrywise(operator.sub),
    N.Multiply: _entrywise(operator.mul),
    N.Divide: _entrywise(operator.truediv),
    N.Power: _entrywise(math.pow),
    N.Negate: lambda arg: M.entrywise(operator.neg, arg),
    N.Transpose: M.transposed,
    N.MatMul: M.times,
    N.MatPower: M.power,
    N.Inner: lambda left, right: [[sum(chain(*M.entrywise(operator.mul, left, right)))]],
    N.Trace: lambda arg: [[sum(row[i] for i, row in enumerate(arg))]],
    N.DiagMatrix: M.diagonal,
    N.DiagPart: lambda arg: [[row[i]] for i, row in enumerate(arg)],
    N.Kron: M.kron,
    N.VecR: lambda arg: [[entry] for row in arg for entry in row],
}
# Worked out by the point itself.
_ELSE = (
    N.Number, N.Pi, N.Infinity, N.Symbol, N.Member, N.Index, N.Let, N.Eye, N.Ones, N.Zeros, N.Sum, N.Product,
    N.Entry, N.Row, N.Norm, N.Expectation, N.Variance, N.Covariance, N.Derivative,
)  # fmt: skip


def head_of(node: N.Node) -> str:
    """What a node is, apart from its parts."""
    kept = [getattr(node, name, None) for name in ("function", "kind")]
    if isinstance(node, N.Indicator) and isinstance(node.fact, N.Relation):
        kept.append({">": "<", ">=": "<="}.get(node.fact.op, node.fact.op))
    return " ".join((type(node).__name__, *(word for word in kept if isinstance(word, str))))


def is_turned(node: N.Node) -> bool:
    """Whether an event is written with the larger side first: it is looked at from the other side."""
    return isinstance(node, N.Indicator) and isinstance(node.fact, N.Relation) and node.fact.op in (">", ">=")


def is_opaque(node: N.Node) -> bool:
    """Whether of this kind of node nothing is known but that equal parts give equal values."""
    match node:
        case N.Apply(function, _):
            return function not in SMOOTH and function not in KINKED
        case N.RowWise(function, _):
            return function != "softmax"
    return not isinstance(node, _ELSE) and type(node) not in ALGEBRA
