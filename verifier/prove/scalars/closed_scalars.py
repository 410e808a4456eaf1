"""A scalar tree with every matrix and expectation in closed form, scalar arithmetic left as it is."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import rebuild, walk
from verifier.prove.scalars.differentiable_forms import differentiable
from verifier.prove.scalars.gaussian_lengths import of_length
from verifier.prove.scalars.gaussian_powers import of_powers
from verifier.prove.scalars.scalar_refusal import Clock, Refused
from verifier.prove.scalars.vanishing_means import is_odd

ClosedForm = Callable[[Claim, n.Node], n.Node | None]
Unroll = Callable[["Closing", n.Node], n.Node]
Total = Callable[["Closing", n.Sum], n.Node]


@dataclass(frozen=True)
class Closing:
    """`closed_form` answers for expectations and matrices, `unroll` for states after many layers,
    `total` for sums over indices that are not sums over entries."""

    claim: Claim
    closed_form: ClosedForm
    unroll: Unroll
    total: Total
    clock: Clock
    known: dict[n.Node, n.Node] = field(default_factory=dict)
    nonnegative: list[n.Node] = field(default_factory=list)

    def within(self, claim: Claim) -> "Closing":
        """The same methods for another claim."""
        return replace(self, claim=claim, known={})

    def close(self, node: n.Node) -> n.Node:
        """The tree, equal to this one, in scalar symbols and invariants of the fixed matrices."""
        if node not in self.known:
            self.clock.check()
            self.known[node] = self._close(node)
            if _is_mean_square(node):
                self.nonnegative.append(self.known[node])
        return self.known[node]

    def _close(self, node: n.Node) -> n.Node:
        if not any(_is_matrix_work(part) for part in walk(node)):
            return node
        match node:
            case n.Let(name, body) if node.shape.is_scalar:
                return self.close(self._assumed(name) or body)
            case n.Power(n.Norm(), _):
                return self._whole(node) or rebuild(node, self._inner)
            case n.Limit(body, variable, target):
                return n.Limit(self.close(body), variable, target)
            case n.Derivative(of, by) if node.shape.is_scalar:
                return n.Derivative(self._differentiated(of, by), by)
            case n.Growth(kind, body):
                return n.Growth(kind, self.close(body))
            case n.Expectation(body, ()) if is_odd(self.claim, body):
                return n.Number(Fraction(0))
            case n.Expectation() | n.Variance() | n.Covariance() if _has_after(node):
                return self.unroll(self, node)
        if _is_arithmetic(node):
            return rebuild(node, self.close)
        if node.shape.is_scalar and _has_after(node) and _is_sure(self.claim):
            return self.unroll(self, n.Expectation(node))
        found = self._whole(node)
        if found is not None:
            return found
        if isinstance(node, n.Sum):
            return self.total(self, node)
        moment = of_length(self.claim, node) or of_powers(self.claim, node, self.closed_form)
        if moment is not None:
            return self.close(moment)
        if any(isinstance(part, n.Expectation | n.Variance | n.Covariance | n.After) for part in walk(node)):
            raise Refused("an expectation without a closed form")
        return node

    def _inner(self, node: n.Node) -> n.Node:
        return self.close(node) if node.shape.is_scalar else node

    def _whole(self, node: n.Node) -> n.Node | None:
        return None if _has_after(node) else self.closed_form(self.claim, node)

    def _assumed(self, name: str) -> n.Node | None:
        for assumption in self.claim.assumptions:
            found = assumption.assumed_value
            if found is not None and found[0].name == name:
                return found[1]
        return None

    def _differentiated(self, of: n.Node, by: n.Node) -> n.Node:
        """D comes before assumed values and substitutions, which closed forms have in."""
        return self.within(differentiable(self.claim, of, by)).close(of)


def _is_mean_square(node: n.Node) -> bool:
    """E(norm(f)**2k): never negative, whatever its closed form looks like."""
    match node:
        case n.Expectation(n.Power(n.Norm(), n.Number(k))):
            return k % 2 == 0
        case n.Expectation(n.Norm()):
            return True
    return False


def _is_matrix_work(node: n.Node) -> bool:
    """Something that is not plain arithmetic of scalar symbols."""
    matrix = not node.shape.is_scalar
    return matrix or isinstance(
        node, n.Expectation | n.Variance | n.Covariance | n.After | n.Member | n.Entry
    )


def _is_sure(claim: Claim) -> bool:
    """Whether nothing that the layers do is random, so that a state is its own mean."""
    if claim.layers is None:
        return False
    own = {symbol.name for symbol in claim.layers.symbols if symbol.is_random} | claim.random
    parts = (claim.layers.state, *walk(claim.layers.next))
    return not any(isinstance(part, n.Symbol | n.Member) and part.name in own for part in parts)


def _has_after(node: n.Node) -> bool:
    return any(isinstance(part, n.After) for part in walk(node))


def _is_arithmetic(node: n.Node) -> bool:
    """A scalar operation on scalars."""
    match node:
        case n.Add(left, right) | n.Subtract(left, right) | n.Multiply(left, right) | n.Divide(left, right):
            return left.shape.is_scalar and right.shape.is_scalar
        case n.Negate(arg):
            return arg.shape.is_scalar
        case n.Power(base, _):
            return base.shape.is_scalar
        case n.Apply(_, args):
            return all(arg.shape.is_scalar for arg in args)
        case n.Trace(arg) | n.Transpose(arg) | n.Norm(arg):
            return arg.shape.is_scalar
    return False
