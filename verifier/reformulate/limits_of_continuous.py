"""Limits of continuous functions of matrices are the functions of the limits.

    lim c = c,    lim t = a,    lim f/g = 0 where g tends to infinity and f has a limit,
    lim F(f, g) = F(lim f, lim g)    for sums, products, norms, a softmax, and functions that have no jump

Limits of scalars alone are left to those who know more of them: cases, leading terms, what cancels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.mentioned_names import names_under
from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.walk import children, rebuild, walk

# Continuous on all of the line, or (the root) wherever they are defined.
_BOUNDED = ("sin", "cos", "atan", "tanh", "sigmoid", "erf", "Phi", "phi")
_CONTINUOUS = frozenset(("sqrt", "exp", "relu", "gelu", "silu", "softplus", "abs", "min", "max", *_BOUNDED))
_GROWING = frozenset(("sqrt", "exp", "log", "relu", "gelu", "silu", "softplus", "abs"))
_STRUCTURE = (
    N.Add, N.Subtract, N.Multiply, N.MatMul, N.Negate, N.Transpose, N.Inner, N.Norm, N.Trace, N.Kron, N.VecR,
    N.DiagMatrix, N.DiagPart, N.Entry, N.Row, N.Sum, N.Product, N.BlockDiag,
)  # fmt: skip


class _NoLimitError(Exception):
    """None of the rules gives it."""


def at_limit(claim: Claim, limit: N.Limit) -> N.Node | None:
    """The value of a limit of matrices; None where no rule gives it, or where there is no matrix."""
    name = limit.variable.name
    bound = {
        part.name for item in claim.assumptions for part in walk(item.fact) if isinstance(part, N.Symbol)
    }
    if name in bound or all(part.shape.is_scalar for part in walk(limit.body)):
        return None
    assumed = {found[0].name for item in claim.assumptions if (found := item.assumed_value) is not None}
    if any(isinstance(part, N.Let) and part.name in assumed for part in walk(limit.body)):
        return None
    try:
        return _Approach(claim, name, limit.target).value(limit.body)
    except _NoLimitError:
        return None


@dataclass(frozen=True)
class _Approach:
    claim: Claim
    variable: str
    target: N.Node

    def _moves(self, node: N.Node) -> bool:
        """Whether the variable stands in the tree, in a size or in the law of something there."""
        return self.variable in names_under((node,), self.claim.symbols)

    def value(self, node: N.Node) -> N.Node:
        """lim node"""
        if not self._moves(node):
            return node
        match node:
            case N.Symbol(name) if name == self.variable and not isinstance(self.target, N.Infinity):
                return self.target
            case N.Let(_, body):
                return self.value(body)
            case N.Divide(above, below):
                return self._quotient(self.value(above), below)
            case N.Power(base, N.Number(k)) if k > 0 and (k.denominator == 1 or self._is_nonnegative(base)):
                return N.Power(self.value(base), N.Number(k))
            case N.Apply(function, args) if function in _CONTINUOUS:
                return N.Apply(function, tuple(map(self.value, args)))
            case N.RowWise("softmax", arg):
                return N.RowWise("softmax", self.value(arg))
            case _ if isinstance(node, _STRUCTURE) and not any(map(self._moves, _places(node))):
                return rebuild(node, self.value)
        raise _NoLimitError

    def _quotient(self, above: N.Node, below: N.Node) -> N.Node:
        if self._diverges(below):
            return N.Multiply(N.Number(Fraction(0)), above)
        limit = self.value(below)
        if not self._moves(below) or self._is_positive(limit):
            return N.Divide(above, limit)
        raise _NoLimitError

    def _diverges(self, node: N.Node) -> bool:
        """Whether it tends to infinity with the variable."""
        match node:
            case N.Symbol(name):
                return name == self.variable and isinstance(self.target, N.Infinity)
            case N.Let(_, body):
                return self._diverges(body)
            case N.Apply(function, (arg,)) if function in _GROWING:
                return self._diverges(arg)
            case N.Power(base, N.Number(k)):
                return k > 0 and self._diverges(base)
            case N.Add(one, other) | N.Multiply(one, other):
                pairs = ((one, other), (other, one))
                return any(
                    self._diverges(a) and (self._diverges(b) or self._is_positive(b)) for a, b in pairs
                )
        return False

    def _is_positive(self, node: N.Node) -> bool:
        """Positive at every point, and without the variable."""
        return not self._moves(node) and self.claim.values(node).is_positive

    def _is_nonnegative(self, node: N.Node) -> bool:
        """At every value of the variable, and so in the limit."""
        known = self.claim.values.without((self.variable,))
        return known.undeclared(self.variable)(node).is_nonnegative


def _places(node: N.Node) -> Iterator[N.Node]:
    """Indices and ends of ranges, which jump."""
    match node:
        case N.Entry(_, row, col):
            yield from (row, col)
        case N.Row(_, row):
            yield row
        case N.Sum(body) | N.Product(body) | N.BlockDiag(body):
            yield from (child for child in children(node) if child is not body)
