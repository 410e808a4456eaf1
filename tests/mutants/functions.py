"""Functions of numbers, and of numbers that move in some directions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from tests.mutants.polynomials import ONE, Coefficient, Poly, Undefined, Unsupported, is_zero, mp, real

Number = Poly.constant

SMOOTH: dict[str, Callable[[Any], Any]] = {
    "sin": mp.sin,
    "cos": mp.cos,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "tanh": mp.tanh,
    "erf": mp.erf,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log(1 + mp.exp(x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "gelu": lambda x: x * mp.ncdf(x),
    "Phi": mp.ncdf,
    "phi": mp.npdf,
}


def applied(name: str, args: Sequence[Poly]) -> Poly:
    """An entrywise function."""
    match name:
        case "sqrt":
            return rooted(args[0])
        case "exp":
            return args[0].lifted(lambda x: finite(mp.exp(real(x))), _of_exp)
        case "log":
            return args[0].lifted(lambda x: finite(mp.log(real(x))), _of_log)
        case "abs":
            return _larger(args[0], -args[0])
        case "relu":
            return _larger(args[0], Number(Fraction(0)))
        case "max":
            return _larger(*args)
        case "min":
            return -_larger(-args[0], -args[1])
        case "factorial":
            return Number(Fraction(math.factorial(whole(args[0].value))))
        case "factorial2":
            return Number(Fraction(math.prod(range(whole(args[0].value), 0, -2))))
        case "binomial":
            return Number(Fraction(math.comb(whole(args[0].value), whole(args[1].value))))
    if name not in SMOOTH:
        raise Unsupported(name)
    return args[0].lifted(lambda x: finite(SMOOTH[name](real(x))))


def _larger(a: Poly, b: Poly) -> Poly:
    """max(a, b). Where both are equal and move apart it has no derivative."""
    difference = real((a - b).still().value)
    if is_zero(difference) and (a - b).terms:
        raise Undefined("a kink")
    return a if difference > 0 else b


def root(value: Coefficient) -> Coefficient:
    """An exact square root where there is one."""
    if isinstance(value, Fraction) and value >= 0:
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above**2 == value.numerator and below**2 == value.denominator:
            return Fraction(above, below)
    if real(value) < 0:
        raise Undefined("the root of a negative number")
    return mp.sqrt(real(value))


def finite(value: Coefficient) -> Coefficient:
    """A real number; log(0) and the root of a negative number are none."""
    if not isinstance(value, Fraction | mp.mpf) or not mp.isfinite(real(value)):
        raise Undefined("no real number")
    return value


def inverse(value: Coefficient) -> Coefficient:
    if is_zero(value):
        raise Undefined("division by zero")
    return 1 / value


def inverted(value: Poly) -> Poly:
    return value.lifted(inverse, lambda x, count: _of_power(x, Fraction(-1), count))


def rooted(value: Poly) -> Poly:
    return value.lifted(root, lambda x, count: _of_power(x, Fraction(1, 2), count))


def power(base: Poly, exponent: Coefficient) -> Poly:
    """base ** exponent; a polynomial where the exponent is a natural number."""
    if not isinstance(exponent, Fraction) or exponent.denominator != 1:
        return base.lifted(
            lambda x: _raised(real(x), real(exponent)), lambda x, count: _of_power(x, exponent, count)
        )
    return base ** int(exponent) if exponent >= 0 else inverted(base) ** -int(exponent)


def _raised(base: mp.mpf, exponent: mp.mpf) -> Coefficient:
    if base == 0 and exponent < 0:
        raise Undefined("a negative power of zero")
    return finite(base**exponent)


# The numbers c_k in f(x + e) = sum over k of c_k e^k.


def _of_power(x: Coefficient, exponent: Coefficient, count: int) -> list[Coefficient]:
    """(x + e)**p: binomial(p, k) x**(p - k)"""
    if is_zero(x):
        raise Undefined("no derivative at 0")
    found, factor = [], mp.mpf(1)
    for k in range(count + 1):
        found.append(finite(factor * real(x) ** (real(exponent) - k)))
        factor = factor * (real(exponent) - k) / (k + 1)
    return found


def _of_exp(x: Coefficient, count: int) -> list[Coefficient]:
    return [mp.exp(real(x)) / math.factorial(k) for k in range(count + 1)]


def _of_log(x: Coefficient, count: int) -> list[Coefficient]:
    """log x, then (-1)**(k + 1) / (k x**k)"""
    value = finite(mp.log(real(x)))
    return [value, *(-((-1) ** k) / (k * real(x) ** k) for k in range(1, count + 1))]


def whole(value: Coefficient) -> int:
    if not isinstance(value, Fraction) or value.denominator != 1 or not 0 <= value <= 60:
        raise Undefined("a factorial of what is no small natural number")
    return int(value)


def row_wise(name: str, row: Sequence[Poly]) -> list[Poly]:
    """softmax, rmsnorm or layernorm of one row."""
    match name:
        case "softmax" if len(row) == 1:
            return [Number(Fraction(1))]
        case "softmax":
            # Shifted by the largest: what is tiny by itself need not be tiny beside the others.
            top = Number(max((x.terms.get(ONE, Fraction(0)) for x in row), key=real))
            found = [applied("exp", [x - top]) for x in row]
            scale = inverted(added(found))
        case "rmsnorm":
            found = list(row)
            scale = inverted(rooted(_mean([x * x for x in found])))
        case "layernorm":
            middle = _mean(row)
            found = [x - middle for x in row]
            scale = inverted(rooted(_mean([x * x for x in found])))
        case _:
            raise Unsupported(name)
    return [x * scale for x in found]


def _mean(items: Sequence[Poly]) -> Poly:
    return added(items) * Number(Fraction(1, len(items)))


def added(items: Sequence[Poly]) -> Poly:
    total = Poly({})
    for item in items:
        total = total + item
    return total
