"""Means that may not exist: E(g/h) of two normal variables is that of a Cauchy variable, which has none.

A mean is asked for only where what is divided by stays away from 0, or is the length of a vector, which is
close to 0 rarely enough from some size on. E(exp(h**2)) is infinite, so a product with it may have no mean.
"""

from collections.abc import Iterable, Iterator

from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.expr import nodes as N
from verifier.expr.symbols import Bernoulli, Kind, Rademacher, Uniform
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.symbolic.reader import walked

_MEANS = (N.Expectation, N.Variance, N.Covariance)
_POSITIVE = ("exp", "softplus", "sigmoid", "phi", "Phi")


def without_mean(claim: Claim, trees: Iterable[N.Node]) -> Finding | None:
    """What is said of a relation with a mean that may not exist; None where all do."""
    means = (node for tree in trees for node in walked(tree) if isinstance(node, _MEANS))
    for node in (node for mean in means for node in walked(mean)):
        below = next((below for below in _denominators(node) if not _is_away(claim, below)), None)
        if below is not None:
            reason = f"a mean with {to_text(below)} below a line may not exist"
            return Finding("symbolic", "unknown", reason=reason, missing="that the mean exists")
        if _is_steep(claim, node):
            reason = f"a mean with {to_text(node)} in it may not exist"
            return Finding("symbolic", "unknown", reason=reason, missing="that the mean exists")
    return None


def _is_steep(claim: Claim, node: N.Node) -> bool:
    """exp of squares, seen to be not negative, of what is not bounded"""
    match node:
        case N.Apply("exp", (arg,)) if _is_nonnegative(arg):
            return any(_is_square(part) and _spread(claim, part, bounded=Uniform) for part in walk(arg))
    return False


def _is_square(node: N.Node) -> bool:
    match node:
        case N.Power(_, N.Number(k)):
            return k > 1
        case N.Inner():
            return True
    return False


def _denominators(node: N.Node) -> Iterator[N.Node]:
    match node:
        case N.Divide(_, below):
            yield below
        case N.Power(base, N.Number(k)) if k < 0:
            yield base


def _is_away(claim: Claim, node: N.Node) -> bool:
    """Whether 1/node has a mean, as far as its form shows."""
    if not _spread(claim, node):
        return True
    match node:
        case N.Let(_, body) | N.Transpose(body):
            return _is_away(claim, body)
        case N.Norm(arg):
            return not arg.shape.is_scalar
        case N.Inner(left, right) if left == right:
            return not left.shape.is_scalar
        case N.Add(left, right):
            pairs = ((left, right), (right, left))
            return any(_is_away(claim, a) and _is_nonnegative(a) and _is_nonnegative(b) for a, b in pairs)
        case N.Multiply(left, right) | N.Divide(left, right):
            return _is_away(claim, left) and _is_away(claim, right)
        case N.Power(base, N.Number(k)) if k > 0:
            return _is_away(claim, base)
        case N.Apply("sqrt" | "abs", (arg,)):
            return _is_away(claim, arg)
        case N.Apply(function, _):
            return function in _POSITIVE
        case N.Sum(body):
            return _is_nonnegative(body) and _is_away(claim, body)
        case N.Entry(N.RowWise("softmax"), _, _):
            return True
        case N.Symbol(name) | N.Entry(N.Symbol(name), _, _):
            kind = claim.symbols[name].kind
            return isinstance(kind, Uniform) and isinstance(kind.low, N.Number) and kind.low.value > 0
    return False


def _is_nonnegative(node: N.Node) -> bool:
    match node:
        case N.Number(value):
            return value >= 0
        case N.Norm() | N.Pi() | N.Apply("abs" | "relu" | "sqrt" | "exp" | "softplus" | "sigmoid", _):
            return True
        case N.Power(base, N.Number(k)):
            return (k.denominator == 1 and k % 2 == 0) or _is_nonnegative(base)
        case N.Multiply(left, right) | N.Divide(left, right) | N.Add(left, right):
            return _is_nonnegative(left) and _is_nonnegative(right)
        case N.Inner(left, right):
            return left == right
        case N.Let(_, body) | N.Sum(body):
            return _is_nonnegative(body)
    return False


def _spread(claim: Claim, node: N.Node, bounded: type[Kind] = Bernoulli) -> bool:
    """Whether it depends on a random symbol that has a density, or may have one, but for `bounded` ones."""
    if isinstance(node, N.Expectation) and not node.given:
        return False
    names = {part.name for part in walk(node) if isinstance(part, N.Symbol | N.Member)} & claim.random
    return any(not isinstance(claim.symbols[name].kind, Rademacher | Bernoulli | bounded) for name in names)
