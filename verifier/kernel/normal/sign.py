"""Order, entry by entry: the sign of a normal form, read off its terms, and the sign of a tree, read off its
nodes. A normal form multiplies out, and so hides the square of a sum; the tree shows it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.nodes import Relation
from verifier.expr.walk import free_indices
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.normal.chains import Chains
from verifier.kernel.normal.equal import difference
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected

Sign = Literal[0, 1] | None  # never negative, positive, not known
DEEPEST = 32  # values that stand for values
POSITIVE = frozenset({"exp", "sigmoid", "Phi", "phi", "softplus"})


def signed_entries(context: Context, fact: Relation) -> None:
    """Accepts an inequality whose larger side less the smaller is a sum of terms that are never negative; one
    of these is positive where the inequality is strict."""
    small, large = (fact.left, fact.right) if fact.op in ("<", "<=") else (fact.right, fact.left)
    for expands in (False, True):
        algebra = ZeroTest(context, expands=expands)
        gap = algebra.normal(settled(algebra.reader, difference(algebra, large, small)))
        if is_signed(algebra, gap, fact.op in ("<", ">")):
            return
    raise Rejected("differs", "a term of the difference is not known to have the right sign")


def is_nonnegative(context: Context, node: N.Node) -> bool:
    """Whether no entry is negative, at any value at which it is defined."""
    return Signs(context).of(node) is not None


def is_positive(context: Context, node: N.Node) -> bool:
    """Whether every entry is positive, at all values at which it is defined."""
    return Signs(context).of(node) == 1


def _least(signs: Iterable[Sign]) -> Sign:
    """The sign of a product, of a smallest entry: each factor counts."""
    found: list[Sign] = list(signs)
    return None if None in found else 1 if all(found) else 0


def _if(condition: bool) -> Sign:
    return 0 if condition else None


@dataclass(frozen=True)
class Signs:
    """Signs of trees. `known`: those of the indices that are bound around."""

    context: Context
    known: dict[str, Sign] = field(default_factory=dict)
    depth: int = DEEPEST

    def of(self, node: N.Node) -> Sign:
        match node:
            case N.Number(value):
                return 1 if value > 0 else _if(value == 0)
            case N.Pi() | N.Ones():
                return 1
            case N.Zeros() | N.Eye() | N.Norm() | N.Variance() | N.Indicator():
                return 0
            case N.Symbol(name) | N.Member(name):
                return self._of_symbol(name)
            case N.Index(name):
                return self.known.get(name)
            case N.Let(name, body):
                return self._closed().of(self.context.held.get(name, body)) if self.depth else None
            case N.Add(left, right):
                signs = self.of(left), self.of(right)
                return None if None in signs else 1 if any(signs) else 0
            case N.Multiply(left, right):
                found = _least((self.of(left), self.of(right)))
                return _if(left == right) if found is None else found
            case N.Divide(left, right):
                # Where there is a quotient the denominator is not 0.
                return None if self.of(right) is None else self.of(left)
            case N.Power(base, exponent):
                return self._of_power(base, exponent)
            case N.Subtract() | N.Negate():
                return self._of_normal_form(node)
            case N.Apply(function, args):
                return self._of_function(function, args)
        return self._of_matrix(node)

    def _of_matrix(self, node: N.Node) -> Sign:
        match node:
            case N.MatMul(left, right) | N.Kron(left, right) | N.Inner(left, right):
                return _if(self._both(left, right) or self.chains.has_sign(node))
            case N.Trace(arg):
                return _if(self.of(arg) is not None or self.chains.has_sign(node))
            case N.Transpose(arg) | N.VecR(arg) | N.DiagPart(arg) | N.Row(arg) | N.Entry(arg):
                return self.of(arg)
            case N.DiagMatrix(arg):
                return _if(self.of(arg) is not None)
            case N.RowWise("softmax"):
                return 1
            case N.Sum(body, ranges, conditions):
                sign = self._within(ranges).of(body)
                return sign if not conditions and all(map(self._has_terms, ranges)) else _if(sign is not None)
            case N.Product(body, ranges):
                return self._within(ranges).of(body)
            case N.Expectation(body):
                return self.of(body)
            case N.Extreme(_, body):
                return _if(self.of(body) is not None)
        return None

    @property
    def chains(self) -> Chains:
        """What these signs say of products of matrices."""
        return Chains(self.context, self.of)

    def _both(self, left: N.Node, right: N.Node) -> bool:
        return self.of(left) is not None and self.of(right) is not None

    def _closed(self) -> "Signs":
        """For what a name stands for, which sees no index around it."""
        return replace(self, known={}, depth=self.depth - 1)

    def _within(self, ranges: tuple[N.Range, ...]) -> "Signs":
        inner = self
        for ranged in ranges:
            inner = replace(inner, known={**inner.known, ranged.index: inner.of(ranged.low)})
        return inner

    def _has_terms(self, ranged: N.Range) -> bool:
        """From 1 to a size."""
        match ranged:
            case N.Range(_, N.Number(low), N.Symbol(name)) if low <= 1 and name in self.context.symbols:
                return isinstance(self.context.symbols[name].kind, K.Dimension)
        return False

    def _of_symbol(self, name: str) -> Sign:
        value = self.context.replaced.get(name)
        if value is not None and self.depth and (sign := self._closed().of(value)) is not None:
            return sign
        declared = self.context.symbols.get(name)
        match declared.kind if declared is not None else None:
            case K.Dimension() | K.IndexOf() | K.Positive():
                return 1
            case K.Interval(low=N.Number(low)):
                return 1 if low > 0 else _if(low == 0)
            case K.FixedMatrix(family):
                return _if(family in ("simplex", "stochastic"))
            case K.Bernoulli():
                return 0
        return None

    def _of_power(self, base: N.Node, exponent: N.Node) -> Sign:
        sign = self.of(base)
        if sign is not None:
            return sign
        match exponent:
            case N.Number(value):
                return _if(value.denominator == 1 and value % 2 == 0)
        return None

    def _of_function(self, function: str, args: tuple[N.Node, ...]) -> Sign:
        signs = [self.of(arg) for arg in args]
        match function:
            case "sqrt" | "abs" | "relu":
                return signs[0] or 0
            case "min":
                return _least(signs)
            case "max":
                return max((sign for sign in signs if sign is not None), default=None)
            case "acos":
                return 0
            case "factorial" | "factorial2":
                return None if signs[0] is None else 1
        return 1 if function in POSITIVE else None

    def _of_normal_form(self, node: N.Node) -> Sign:
        """Of a difference: what is left once equal terms are gone."""
        if not node.shape.is_scalar or free_indices(node):
            return None
        try:
            algebra = ZeroTest(self.context)
            poly = algebra.of_node(node)
        except Rejected:
            return None
        return 1 if is_signed(algebra, poly, True) else _if(is_signed(algebra, poly, False))
