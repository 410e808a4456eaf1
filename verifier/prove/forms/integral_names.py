"""Moments of activations without closed form: names that say what they are, and their rough values.

Such a moment is a function of the variance alone, E f(u)**a g(u)**b with u ~ N(0, v). Its rough value only
tells where to look for a counterexample, which is then checked in interval arithmetic.
"""

import math
import re
from collections.abc import Callable, Sequence

_PART = re.compile(r"([a-z]+)(\d+)")
_STEPS, _END = 4000, 12.0
Powers = tuple[tuple[str, int], ...]


def spelled(powers: Powers, order: int) -> str:
    """mean_tanh2: E tanh(u)**2; mean_tanh1_slope: E of its derivative."""
    return "_".join(["mean", *(f"{name}{power}" for name, power in sorted(powers)), *["slope"] * order])


def spelled_jointly(parts: Sequence[Powers], orders: Sequence[int]) -> str:
    """mean_tanh1_and_tanh1: E tanh(u) tanh(v)"""
    names = (spelled(powers, order) for powers, order in zip(parts, orders, strict=True))
    return "mean_" + "_and_".join(name.removeprefix("mean_") for name in names)


def described(name: str) -> str:
    """mean_tanh2 as E(tanh(g)**2), in words of the language as far as they go."""
    several = name.removeprefix("mean_").split("_and_")
    if len(several) > 1:
        inside = (described(f"mean_{part}")[2:-1].replace("(g)", f"(g{k})") for k, part in enumerate(several))
        return f"E({'*'.join(inside)})"
    parts = name.split("_")[1:]
    found = [match for part in parts if (match := _PART.fullmatch(part)) is not None]
    texts = {match[1]: f"{match[1]}(g)" for match in found} | {"lcosh": "log(exp(g) + exp(-g))"}
    factors = [texts[match[1]] + (f"**{match[2]}" if match[2] != "1" else "") for match in found]
    return f"E({'*'.join(factors)}{chr(39) * parts.count('slope')})"


def is_integral(name: str) -> bool:
    return name.startswith("mean_")


def rough(name: str, variance: float, functions: dict[str, Callable[[float], float]]) -> float | None:
    """The moment by the trapezoidal rule, which is exact to rounding for analytic functions."""
    functions = {**functions, "lcosh": _lcosh}
    parts = name.split("_")[1:]
    order = parts.count("slope")
    found = [_PART.fullmatch(part) for part in parts if part != "slope"]
    if order > 1 or variance <= 0 or any(match is None or match[1] not in functions for match in found):
        return None
    spread, total = math.sqrt(variance), 0.0
    for k in range(-_STEPS, _STEPS + 1):
        z = _END * k / _STEPS
        value = math.exp(-z * z / 2) * (z / spread if order else 1.0)  # E f'(u) = E u f(u)/v
        for match in found:
            assert match is not None
            value *= functions[match[1]](spread * z) ** int(match[2])
        total += value
    return total * _END / _STEPS / math.sqrt(2 * math.pi)


def _lcosh(x: float) -> float:
    """log(2 cosh(x))"""
    return abs(x) + math.log1p(math.exp(-2 * abs(x)))
