"""The signs of scalars, as far as declarations show them: products of what is positive, and the like."""

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, FixedMatrix, Positive


def sign_of(claim: Claim, node: N.Node) -> int:
    """1 or -1 where the scalar is positive or negative at every point; 0 where that is not seen."""
    match node:
        case N.Number(value):
            return (value > 0) - (value < 0)
        case N.Pi() | N.Apply("exp", _):
            return 1
        case N.Symbol(name):
            declared = claim.symbols.get(name)
            return int(declared is not None and isinstance(declared.kind, Positive | Dimension))
        case N.Negate(arg):
            return -sign_of(claim, arg)
        case N.Add(left, right):
            first, second = sign_of(claim, left), sign_of(claim, right)
            return first if first == second else 0
        case N.Subtract(left, right):
            first, second = sign_of(claim, left), sign_of(claim, right)
            return first if first == -second else 0
        case N.Multiply(left, right) | N.Divide(left, right):
            return sign_of(claim, left) * sign_of(claim, right)
        case N.Power(base, _) | N.Apply("sqrt", (base,)):
            return max(sign_of(claim, base), 0)
    return 0


def is_never_negative(claim: Claim, node: N.Node) -> bool:
    """Norms, even powers, traces of psd matrices, and what is made of them."""
    match node:
        case N.Norm() | N.Apply("abs" | "sqrt" | "exp", _):
            return True
        case N.Power(base, N.Number(exponent)):
            return exponent % 2 == 0 or is_never_negative(claim, base)
        case N.Add(left, right) | N.Multiply(left, right) | N.Divide(left, right):
            return is_never_negative(claim, left) and is_never_negative(claim, right)
        case N.Trace(N.Symbol(name)):
            kind = claim.symbols[name].kind
            return isinstance(kind, FixedMatrix) and kind.family == "psd"
        case N.Sum(body):
            return is_never_negative(claim, body)
    return sign_of(claim, node) > 0
