"""Matrices of polynomials as lists of rows, and functions of numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from tests.mutants.polynomials import Coefficient, Poly, Undefined, Unsupported, is_zero, mp, real
from verifier.expr import nodes as n

Matrix = list[list[Poly]]
T = TypeVar("T")


def scalar(value: Coefficient) -> Matrix:
    return [[Poly.constant(value)]]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": mp.exp,
    "log": mp.log,
    "sin": mp.sin,
    "cos": mp.cos,
    "tanh": mp.tanh,
    "erf": mp.erf,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log(1 + mp.exp(x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "gelu": lambda x: x * mp.ncdf(x),
    "Phi": mp.ncdf,
    "phi": mp.npdf,
}
EXACT: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "relu": lambda x: max(x, Fraction(0)),
    "min": min,
    "max": max,
}


def root(value: Coefficient) -> Coefficient:
    """An exact square root where there is one."""
    if isinstance(value, Fraction) and value >= 0:
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above**2 == value.numerator and below**2 == value.denominator:
            return Fraction(above, below)
    if real(value) < 0:
        raise Undefined("the root of a negative number")
    return mp.sqrt(real(value))


def finite(value: Coefficient) -> Poly:
    """A real number; log(0) and the root of a negative number are none."""
    if not isinstance(value, Fraction | mp.mpf) or not mp.isfinite(real(value)):
        raise Undefined("no real number")
    return Poly.constant(value)


def inverse(value: Coefficient) -> Coefficient:
    if is_zero(value):
        raise Undefined("division by zero")
    return 1 / value


def pick(items: Sequence[T], position: int) -> T:
    if not 1 <= position <= len(items):
        raise Undefined("an index out of range")
    return items[position - 1]


def whole(value: Coefficient) -> int:
    if not isinstance(value, Fraction) or value.denominator != 1 or value < 0:
        raise Undefined("a factorial of what is no natural number")
    return int(value)


def name_of(node: n.Node) -> str:
    if not isinstance(node, n.Symbol):
        raise Unsupported("given something that is no symbol")
    return node.name


def flat(value: Matrix) -> list[Poly]:
    return list(itertools.chain.from_iterable(value))


def at(value: Matrix, i: int, j: int) -> Poly:
    return value[0][0] if len(value) == 1 and len(value[0]) == 1 else value[i][j]


def added(items: Iterable[Poly]) -> Poly:
    total = Poly({})
    for item in items:
        total = total + item
    return total


def alike(a: Matrix, b: Matrix) -> tuple[Matrix, Matrix]:
    """A scalar stands for a matrix of its copies."""
    if len(a) == 1 and len(a[0]) == 1 and (len(b), len(b[0])) != (1, 1):
        return [[a[0][0]] * len(b[0]) for _ in b], b
    if len(b) == 1 and len(b[0]) == 1 and (len(a), len(a[0])) != (1, 1):
        return a, [[b[0][0]] * len(a[0]) for _ in a]
    return a, b


def product(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return [[added(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a]
