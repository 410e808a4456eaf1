"""Decimals beside a closed form: a number without symbols, in floating point, for the eye alone."""

import math
import operator
from collections.abc import Callable, Mapping

from verifier.expr import nodes as n

FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "sin": math.sin, "cos": math.cos, "tanh": math.tanh,
    "erf": math.erf, "abs": abs, "min": min, "max": max,
    "Phi": lambda x: (1 + math.erf(x / math.sqrt(2))) / 2,
    "phi": lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi),
}  # fmt: skip


OPERATIONS: Mapping[type[n.Node], Callable[..., float]] = {
    n.Add: operator.add,
    n.Subtract: operator.sub,
    n.Multiply: operator.mul,
    n.Divide: operator.truediv,
}


def decimals(item: n.Node | n.Fact | None) -> str | None:
    """≈ 1.1289, or ≈ [-0.1289, 1.1289]; None for what has symbols, is short already, or has no value."""
    match item:
        case n.Within(_, low, high):
            known = ends_in_decimals(item)
            plain = isinstance(low, n.Number) and isinstance(high, n.Number)
            return None if plain or known is None else f"≈ [{known[0]:.5g}, {known[1]:.5g}]"
        case n.Node() if not isinstance(item, n.Number):
            value = _value(item)
            return None if value is None else f"≈ {value:.5g}"
    return None


def ends_in_decimals(fact: n.Within) -> tuple[float, float] | None:
    """Both ends of a range without symbols."""
    low, high = _value(fact.low), _value(fact.high)
    return None if low is None or high is None else (low, high)


def _value(node: n.Node) -> float | None:
    try:
        value = _evaluated(node)
    except (ArithmeticError, ValueError):
        return None
    return value if value is not None and math.isfinite(value) else None


def _evaluated(node: n.Node) -> float | None:
    parts: tuple[n.Node, ...]
    combine: Callable[..., float]
    match node:
        case n.Number(number):
            return float(number)
        case n.Pi():
            return math.pi
        case n.Negate(arg):
            parts, combine = (arg,), operator.neg
        case n.Add(left, right) | n.Subtract(left, right) | n.Multiply(left, right) | n.Divide(left, right):
            parts, combine = (left, right), OPERATIONS[type(node)]
        case n.Power(base, exponent):
            parts, combine = (base, exponent), math.pow
        case n.Apply(function, args) if function in FUNCTIONS:
            parts, combine = args, FUNCTIONS[function]
        case _:  # a symbol, a matrix, a sum: no number
            return None
    known = [value for part in parts if (value := _evaluated(part)) is not None]
    return combine(*known) if len(known) == len(parts) else None
