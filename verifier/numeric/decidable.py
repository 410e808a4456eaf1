"""Equalities that agreement to rounding on every draw speaks for, and those in which something may hide."""

import math

from verifier.expr import nodes as N
from verifier.expr.sizes import float_or_inf
from verifier.numeric import sources

LONG = 6  # digits


def decidable(fact: N.Fact) -> bool:
    """An equality that cannot change in a place too small to be met: no event's indicator in it, and no
    number that rounding may hide, as in 1 + 1e-12."""
    hidden = any(
        isinstance(node, N.Indicator) or _is_long(node) or _turns_back(node) for node in sources.nodes(fact)
    )
    return isinstance(fact, N.Relation) and fact.op == "==" and not hidden


def _turns_back(node: N.Node) -> bool:
    """asin(sin(x)), which is x on one arc of the circle."""
    if not isinstance(node, N.Apply) or node.function not in ("asin", "acos"):
        return False
    return any(isinstance(part, N.Apply) and part.function in ("sin", "cos") for part in sources.nodes(node))


def _is_long(node: N.Node) -> bool:
    """Numbers of more than six digits, above or below their line, in one product."""
    return isinstance(node, N.Number | N.Multiply | N.Divide | N.Power | N.Apply) and _digits(node) > LONG


def _digits(node: N.Node) -> float:
    match node:
        case N.Number(value):
            return math.log10(max(abs(value.numerator), value.denominator))
        case N.Apply("factorial", (N.Number(value),)):
            return math.lgamma(float_or_inf(value) + 1) / math.log(10)
        case N.Apply("exp", (arg,)) if (exponent := _constant(arg)) is not None:
            return abs(exponent) / math.log(10)
        case N.Power(base, exponent) if (times := _constant(exponent)) is not None:
            return _digits(base) * abs(times)
        case N.Multiply(left, right) | N.Divide(left, right):
            return _digits(left) + _digits(right)
        case N.Negate(arg) | N.Let(_, arg):
            return _digits(arg)
    return 0.0


def _constant(node: N.Node) -> float | None:
    match node:
        case N.Number(value):
            return float_or_inf(value)
        case N.Negate(N.Number(value)):
            return -float_or_inf(value)
    return None
