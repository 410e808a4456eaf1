"""Sizes and their squares: f >= 0 tends to g >= 0 where f**2 tends to g**2, and only there."""

from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N

TWO = N.Number(Fraction(2))


def square_of_a_size(claim: Claim, node: N.Node) -> N.Node | None:
    """f**2 without roots, where f is a norm, a root or an absolute value, times or over something fixed."""
    match node:
        case N.Let(_, body):
            return square_of_a_size(claim, body)
        case N.Norm(_, "fro"):
            return N.Power(node, TWO)
        case N.Apply("sqrt", (arg,)) if arg.shape.is_scalar and claim.random_in(arg):
            return arg
        case N.Apply("abs", (arg,)) if arg.shape.is_scalar:
            return N.Power(arg, TWO)
        case N.Multiply(left, right) if not claim.random_in(left):
            inner = square_of_a_size(claim, right)
            return None if inner is None else N.Multiply(N.Power(left, TWO), inner)
        case N.Multiply(left, right) if not claim.random_in(right):
            return square_of_a_size(claim, N.Multiply(right, left))
        case N.Divide(left, right) if not claim.random_in(right):
            inner = square_of_a_size(claim, left)
            return None if inner is None else N.Divide(inner, N.Power(right, TWO))
    return None


def scales_of_a_size(claim: Claim, node: N.Node) -> list[N.Node]:
    """The factors that are not random, all of which must be positive."""
    match node:
        case N.Let(_, body):
            return scales_of_a_size(claim, body)
        case N.Multiply(left, right) | N.Divide(left, right) if not claim.random_in(left):
            return [left, *scales_of_a_size(claim, right)]
        case N.Multiply(left, right) | N.Divide(left, right) if not claim.random_in(right):
            return [right, *scales_of_a_size(claim, left)]
    return []
