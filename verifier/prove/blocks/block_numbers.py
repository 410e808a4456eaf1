"""The numbers that blocks are made of: floats to look around, balls to be sure, expressions for all sizes."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import sympy as sp
from flint import arb, fmpq


@final
@dataclass(frozen=True)
class Field:
    """One kind of number, with the functions that the language has of it."""

    name: str
    number: Callable[[Fraction], Any]
    functions: dict[str, Callable[[Any], Any]]

    def apply(self, function: str, value: Any) -> Any:
        return self.functions[function](value)


def _composed(
    number: Callable[[Fraction], Any],
    sqrt: Callable[[Any], Any],
    exp: Callable[[Any], Any],
    log: Callable[[Any], Any],
    erf: Callable[[Any], Any],
    tanh: Callable[[Any], Any],
    pi: Any,
    relu: Callable[[Any], Any],
) -> dict[str, Callable[[Any], Any]]:
    """Every function of the tree by the elementary ones, and `f'` for its derivative."""
    one, half = number(Fraction(1)), number(Fraction(1, 2))
    two = number(Fraction(2))

    def cdf(x: Any) -> Any:
        return half * (one + erf(x / sqrt(two)))

    def density(x: Any) -> Any:
        return exp(-half * x * x) / sqrt(two * pi)

    def sigmoid(x: Any) -> Any:
        return one / (one + exp(-x))

    return {
        "sqrt": sqrt,
        "exp": exp,
        "log": log,
        "erf": erf,
        "tanh": tanh,
        "sigmoid": sigmoid,
        "relu": relu,
        "abs": lambda x: relu(x) + relu(-x),
        "gelu": lambda x: x * cdf(x),
        "silu": lambda x: x * sigmoid(x),
        "softplus": lambda x: log(one + exp(x)),
        "Phi": cdf,
        "phi": density,
        "exp'": exp,
        "log'": lambda x: one / x,
        "sqrt'": lambda x: half / sqrt(x),
        "tanh'": lambda x: one - tanh(x) * tanh(x),
        "sigmoid'": lambda x: sigmoid(x) * (one - sigmoid(x)),
        "gelu'": lambda x: cdf(x) + x * density(x),
        "silu'": lambda x: sigmoid(x) * (one + x * (one - sigmoid(x))),
        "softplus'": sigmoid,
        "Phi'": density,
        "erf'": lambda x: two * exp(-x * x) / sqrt(pi),
    }


def _arb(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _root(x: arb) -> arb:
    """The root of a number that is not negative, though its ball may reach below 0."""
    return x.sqrt() if x > 0 else arb(0).union(x.upper().sqrt())


def _rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


FLOATS = Field(
    "floats",
    float,
    _composed(float, math.sqrt, math.exp, math.log, math.erf, math.tanh, math.pi, lambda x: max(x, 0.0)),
)
BALLS = Field(
    "balls",
    _arb,
    _composed(
        _arb,
        _root,
        lambda x: x.exp(),
        lambda x: x.log(),
        lambda x: x.erf(),
        lambda x: x.tanh(),
        arb.pi(),
        lambda x: (x + abs(x)) / 2,
    ),
)
EXPRESSIONS = Field(
    "expressions",
    _rational,
    _composed(_rational, sp.sqrt, sp.exp, sp.log, sp.erf, sp.tanh, sp.pi, lambda x: (x + sp.Abs(x)) / 2),
)
