"""Logarithms of what is positive by its form, written out.

log(exp(u)) = u         log(phi(u)) = -u**2/2 - log(2 pi)/2         log(sigmoid(u)) = -softplus(-u)
log(a b) = log(a) + log(b)        log(a/b) = log(a) - log(b)        log(a**k) = k log(a)
"""

from collections.abc import Set
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.walk import rebuild
from verifier.reformulate.independent_factors import is_weight

_TWO = N.Number(Fraction(2))


def with_logarithms_written_out(claim: Claim, node: N.Node, assumed: Set[str]) -> N.Node:
    """The tree, in which no logarithm of an exponential is left; names with assumed values stay."""
    node = rebuild(node, lambda child: with_logarithms_written_out(claim, child, assumed))
    match node:
        case N.Apply("log", (arg,)):
            return _log(claim, arg, assumed) or node
    return node


def _log(claim: Claim, node: N.Node, assumed: Set[str]) -> N.Node | None:
    """log(node), where the form shows that it has a value; None elsewhere."""
    match node:
        case N.Apply("exp", (u,)):
            return u
        case N.Apply("phi", (u,)):
            constant = N.Divide(N.Apply("log", (N.Multiply(_TWO, N.Pi()),)), _TWO)
            return N.Subtract(N.Negate(N.Divide(N.Power(u, _TWO), _TWO)), constant)
        case N.Apply("sigmoid", (u,)):
            return N.Negate(N.Apply("softplus", (N.Negate(u),)))
        case N.Apply("sqrt", (a,)) if (inner := _log(claim, a, assumed)) is not None:
            return N.Divide(inner, _TWO)
        case N.Power(a, k) if k.shape.is_scalar and (inner := _log(claim, a, assumed)) is not None:
            return N.Multiply(k, inner)
        case N.Multiply(a, b) | N.Divide(a, b):
            first, second = _log(claim, a, assumed), _log(claim, b, assumed)
            if first is not None and second is not None:
                return N.Add(first, second) if isinstance(node, N.Multiply) else N.Subtract(first, second)
        case N.Let(name, body) if name not in assumed:
            return _log(claim, body, assumed)
        case N.Pi():
            return N.Apply("log", (node,))
    return N.Apply("log", (node,)) if is_weight(claim, node) else None
