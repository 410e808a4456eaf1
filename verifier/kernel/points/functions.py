"""The functions of the core form at a number: exact where the value is rational, else enclosed."""

from collections.abc import Callable

from flint import arb, fmpq

from verifier.kernel.points.outcomes import Undecided
from verifier.kernel.points.values import (
    HALF,
    ONE,
    ZERO,
    Ball,
    Value,
    compared,
    enclose,
    finite,
    is_exact,
    is_zero,
    negated,
    rational,
    sign_of,
    whole,
)
from verifier.kernel.rejected import Rejected

MOST_FACTORS = 1000
OF_WHOLE_NUMBERS = frozenset({"factorial", "factorial2", "binomial"})

# Analytic functions on the whole line: by balls, and their value at 0.
ANALYTIC: dict[str, tuple[Callable[[Ball], Ball], Value]] = {
    "exp": (lambda x: x.exp(), ONE),
    "sin": (lambda x: x.sin(), ZERO),
    "cos": (lambda x: x.cos(), ONE),
    "atan": (lambda x: x.atan(), ZERO),
    "tanh": (lambda x: x.tanh(), ZERO),
    "erf": (lambda x: x.erf(), ZERO),
    "sigmoid": (lambda x: 1 / (1 + (-x).exp()), HALF),
    "softplus": (lambda x: x.exp().log1p(), None),
    "Phi": (lambda x: (-x / arb(2).sqrt()).erfc() / 2, HALF),
}


def applied(name: str, args: tuple[Value, ...]) -> Value:
    """The function's value, or `Rejected` where it has none."""
    if name in ANALYTIC:
        ball, at_zero = ANALYTIC[name]
        if is_zero(args[0]) and at_zero is not None:
            return at_zero
        return finite(ball(enclose(args[0])))
    if name not in OTHERS:
        raise Rejected("outside", f"the function {name} at a point")
    return OTHERS[name](*args)


def _pi() -> Value:
    return enclose(arb.pi())


def _log(x: Value) -> Value:
    if sign_of(x) <= 0:
        raise Rejected("undefined", "a logarithm of a number that is not positive")
    return ZERO if whole(x) == 1 else finite(enclose(x).log())


def _asin(x: Value) -> Value:
    _within_one(x)
    return ZERO if is_zero(x) else finite(enclose(x).asin())


def _acos(x: Value) -> Value:
    _within_one(x)
    return ZERO if whole(x) == 1 else finite(enclose(x).acos())


def _within_one(x: Value) -> None:
    if compared(x, ONE) > 0 or compared(x, -ONE) < 0:
        raise Rejected("undefined", "an arc of a number beyond 1")


def _abs(x: Value) -> Value:
    if is_exact(x):
        return negated(x) if sign_of(x) < 0 else x
    return abs(x)


def _relu(x: Value) -> Value:
    return _largest(x, ZERO)


def _largest(x: Value, y: Value) -> Value:
    if is_exact(x) and is_exact(y):
        return x if compared(x, y) >= 0 else y
    return enclose(x).max(enclose(y))


def _least(x: Value, y: Value) -> Value:
    return negated(_largest(negated(x), negated(y)))


def _step(x: Value) -> Value:
    """The slope of relu, which has none at 0."""
    return ONE if _side(x) > 0 else ZERO


def _side(x: Value) -> Value:
    """The slope of abs, which has none at 0."""
    side = sign_of(x)
    if not side:
        raise Rejected("undefined", "a slope at a kink")
    return fmpq(side)


def _above(x: Value) -> Value:
    return ONE if sign_of(x) > 0 else ZERO


def _less(x: Value, y: Value) -> Value:
    return ONE if compared(x, y) < 0 else ZERO


def _factorial(x: Value) -> Value:
    """x! = Gamma(x + 1) for x > -1, and nowhere else."""
    if compared(x, -ONE) <= 0:
        raise Rejected("undefined", "a factorial of a negative number")
    if compared(x, fmpq(MOST_FACTORS)) > 0:
        raise Rejected("too-large", f"a factorial beyond {MOST_FACTORS}")
    number = whole(x)
    if number is None:
        return finite((enclose(x) + 1).gamma())
    return _factors(range(1, number + 1))


def _factorial2(x: Value) -> Value:
    number = _count(x, "a double factorial", -1)
    return _factors(range(number, 0, -2))


def _binomial(n: Value, k: Value) -> Value:
    top, count = _count(n, "a binomial coefficient", 0, 10**9), _count(k, "a binomial coefficient", 0)
    product = ONE
    for step in range(count):
        product = product * (top - step) / (step + 1)
    return product


def _count(x: Value, what: str, least: int, most: int = MOST_FACTORS) -> int:
    number = whole(x)
    if number is None and not is_exact(x):
        raise Undecided(f"{what} of a number that is not exact")
    if number is None or number < least:
        raise Rejected("undefined", f"{what} of {x}")
    if number > most:
        raise Rejected("too-large", f"{what} beyond {most}")
    return number


def _factors(numbers: range) -> Value:
    product = 1
    for number in numbers:
        product *= number
    return rational(product)


OTHERS: dict[str, Callable[..., Value]] = {
    "pi": _pi,
    "log": _log,
    "asin": _asin,
    "acos": _acos,
    "abs": _abs,
    "relu": _relu,
    "max": _largest,
    "min": _least,
    "step": _step,
    "sign": _side,
    "less": _less,
    "above": _above,
    "factorial": _factorial,
    "factorial2": _factorial2,
    "binomial": _binomial,
}
