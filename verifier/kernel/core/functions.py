"""The functions of the core form, each with its slope."""

from collections.abc import Callable
from fractions import Fraction

from verifier.kernel.core.terms import HALF, UNIT, Fn, Pow, Term, inverse, minus, number, plus, power, times

PI = Fn("pi")


def sigmoid(x: Term) -> Term:
    return Fn("sigmoid", (x,))


def density(x: Term) -> Term:
    """exp(-x**2/2)/sqrt(2*pi)."""
    bell = Fn("exp", (times(number(Fraction(-1, 2)), power(x, 2)),))
    return times(bell, Pow(times(number(2), PI), number(Fraction(-1, 2))))


# Where a slope does not exist (the kink of relu) a statement about it has no value, and nothing is claimed.
SLOPES: dict[str, Callable[[Term], Term]] = {
    "exp": lambda x: Fn("exp", (x,)),
    "log": inverse,
    "sin": lambda x: Fn("cos", (x,)),
    "cos": lambda x: times(number(-1), Fn("sin", (x,))),
    "asin": lambda x: Pow(minus(UNIT, power(x, 2)), number(Fraction(-1, 2))),
    "acos": lambda x: times(number(-1), Pow(minus(UNIT, power(x, 2)), number(Fraction(-1, 2)))),
    "atan": lambda x: inverse(plus(UNIT, power(x, 2))),
    "tanh": lambda x: minus(UNIT, power(Fn("tanh", (x,)), 2)),
    "sigmoid": lambda x: minus(sigmoid(x), power(sigmoid(x), 2)),
    "softplus": sigmoid,
    "relu": lambda x: Fn("step", (x,)),
    "abs": lambda x: Fn("sign", (x,)),
    "step": lambda x: number(0),
    "sign": lambda x: number(0),
    "Phi": density,
    "erf": lambda x: times(
        number(2), Pow(PI, times(number(-1), HALF)), Fn("exp", (minus(number(0), power(x, 2)),))
    ),
}
COMPOSED: dict[str, Callable[[Term], Term]] = {
    "sqrt": lambda x: Pow(x, HALF),
    "phi": density,
    "silu": lambda x: times(x, sigmoid(x)),
    "gelu": lambda x: times(x, Fn("Phi", (x,))),
}
# Functions without a slope: of whole numbers, or of two numbers.
OTHERS = frozenset({"factorial", "factorial2", "binomial", "min", "max"})
