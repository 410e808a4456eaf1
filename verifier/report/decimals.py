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
            ends = _value(low), _value(high)
            known = [f"{end:.5g}" for end in ends if end is not None]
            plain = isinstance(low, n.Number) and isinstance(high, n.Number)
            return None if plain or len(known) < 2 else f"≈ [{known[0]}, {known[1]}]"
        case n.Node() if not isinstance(item, n.Number):
            value = _value(item)
            return None if value is None else f"≈ {value:.5g}"
    return None


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
