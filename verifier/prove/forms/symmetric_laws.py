"""Laws that a change of sign leaves as they are: W and -W have one law."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.symbols import Kind, Normal, Rademacher, Uniform


def is_mirrored(kind: Kind) -> bool:
    """Whether a random symbol has the law of its negative."""
    match kind:
        case Rademacher():
            return True
        case Normal(mean):
            return mean in (N.Number(Fraction(0)), N.Zeros(mean.shape))
        case Uniform(low, high):
            return _are_opposite(low, high)
    return False


def _are_opposite(low: N.Node, high: N.Node) -> bool:
    """low == -high, as it is written: -a and a, -a/2 and a/2, -1 and 1."""
    match low, high:
        case N.Number(a), N.Number(b):
            return a == -b
        case N.Negate(inner), other if inner == other:
            return True
        case other, N.Negate(inner) if inner == other:
            return True
        case (N.Divide(a, c), N.Divide(b, d)) | (N.Multiply(a, c), N.Multiply(b, d)):
            return (c == d and _are_opposite(a, b)) or (
                isinstance(low, N.Multiply) and a == b and _are_opposite(c, d)
            )
    return False
