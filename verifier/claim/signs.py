"""The signs of scalars, as far as declarations show them: products of what is positive, and the like."""

from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, FixedMatrix, Positive

_ONE = N.Number(Fraction(1))


def sign_of(claim: Claim, node: N.Node, counted: frozenset[str] = frozenset()) -> int:
    """1 or -1 where the scalar is positive or negative at every point; 0 where that is not seen.

    `counted`: indices that run from 1 on."""
    match node:
        case N.Number(value):
            return (value > 0) - (value < 0)
        case N.Pi() | N.Apply("exp", _):
            return 1
        case N.Symbol(name):
            declared = claim.symbols.get(name)
            return int(declared is not None and isinstance(declared.kind, Positive | Dimension))
        case N.Index(name):
            return int(name in counted)
        case N.Negate(arg):
            return -sign_of(claim, arg, counted)
        case N.Add(left, right):
            first, second = sign_of(claim, left, counted), sign_of(claim, right, counted)
            return first if first == second else 0
        case N.Subtract(left, right):
            first, second = sign_of(claim, left, counted), sign_of(claim, right, counted)
            return first if first == -second else 0
        case N.Multiply(left, right) | N.Divide(left, right):
            return sign_of(claim, left, counted) * sign_of(claim, right, counted)
        case N.Power(base, _) | N.Apply("sqrt", (base,)):
            return max(sign_of(claim, base, counted), 0)
        case N.Apply("log", (N.Add(N.Number(value), rest) | N.Add(rest, N.Number(value)),)):
            return int(value >= 1 and sign_of(claim, rest, counted) > 0)
        case N.Apply("factorial", (arg,)):
            return int(sign_of(claim, arg, counted) > 0)
        case N.Apply("binomial", (N.Multiply(N.Number(value), whole), part)):
            return int(value >= 1 and whole == part and sign_of(claim, part, counted) > 0)
        case N.Sum(body, ranges, ()) | N.Product(body, ranges, ()):
            full = all(span.low == _ONE and _is_size(claim, span.high) for span in ranges)
            inside = counted | {span.index for span in ranges}
            return max(sign_of(claim, body, inside), 0) if full else 0
    return 0


def _is_size(claim: Claim, node: N.Node) -> bool:
    declared = claim.symbols.get(node.name) if isinstance(node, N.Symbol) else None
    return declared is not None and isinstance(declared.kind, Dimension)


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
