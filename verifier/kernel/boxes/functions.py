"""The functions of the core form over an interval."""

from collections.abc import Callable

from flint import arb

from verifier.kernel.boxes.interval import (
    INFINITE,
    MINUS_INFINITE,
    NONE,
    UNIT,
    Ball,
    Interval,
    Unbounded,
    common,
    increasing,
    largest,
    least,
    negated,
    of_ball,
    size,
)
from verifier.kernel.rejected import Rejected

Function = Callable[[Interval], Interval]
WITHIN_ONE = Interval(-UNIT, UNIT)
JUMPS = frozenset({"step", "sign", "less"})  # not continuous where their argument is 0


def _rising(function: Callable[[Ball], Ball], bottom: Ball, top: Ball) -> Function:
    return lambda arg: increasing(arg, function, bottom, top)


def _half_pi() -> Ball:
    return (arb.pi() / 2).upper()


def _log(arg: Interval) -> Interval:
    if not arg.low > 0:
        raise Unbounded("a logarithm of what may be 0 or negative")
    return increasing(arg, lambda x: x.log(), MINUS_INFINITE, INFINITE)


def _asin(arg: Interval) -> Interval:
    _within_one(arg)
    return increasing(arg, lambda x: x.asin(), MINUS_INFINITE, INFINITE)


def _acos(arg: Interval) -> Interval:
    _within_one(arg)
    return negated(increasing(arg, lambda x: -x.acos(), MINUS_INFINITE, INFINITE))


def _within_one(arg: Interval) -> None:
    if not (arg.low >= -1 and arg.high <= 1):
        raise Unbounded("an arc of what may lie beyond 1")


def _wave(function: Callable[[Ball], Ball]) -> Function:
    def enclosed(arg: Interval) -> Interval:
        return common(of_ball(function(arg.ball)), WITHIN_ONE) if arg.is_finite else WITHIN_ONE

    return enclosed


def _step(arg: Interval) -> Interval:
    """The slope of relu: anything from 0 to 1 where the argument may be 0."""
    low, high = UNIT if arg.low > 0 else NONE, NONE if arg.high < 0 else UNIT
    return Interval(low, high)


def _side(arg: Interval) -> Interval:
    low, high = UNIT if arg.low > 0 else -UNIT, -UNIT if arg.high < 0 else UNIT
    return Interval(low, high)


# Increasing functions of all reals, with their limits.
RISING: dict[str, tuple[Callable[[Ball], Ball], Ball, Ball]] = {
    "exp": (lambda x: x.exp(), NONE, INFINITE),
    "tanh": (lambda x: x.tanh(), -UNIT, UNIT),
    "erf": (lambda x: x.erf(), -UNIT, UNIT),
    "sigmoid": (lambda x: 1 / (1 + (-x).exp()), NONE, UNIT),
    "softplus": (lambda x: x.exp().log1p() if x <= 0 else x + (-x).exp().log1p(), NONE, INFINITE),
    "Phi": (lambda x: (-x / arb(2).sqrt()).erfc() / 2, NONE, UNIT),
}
FUNCTIONS: dict[str, Function] = {
    **{name: _rising(*rising) for name, rising in RISING.items()},
    "atan": lambda arg: increasing(arg, lambda x: x.atan(), -_half_pi(), _half_pi()),
    "log": _log,
    "asin": _asin,
    "acos": _acos,
    "sin": _wave(lambda x: x.sin()),
    "cos": _wave(lambda x: x.cos()),
    "abs": size,
    "relu": lambda arg: largest(arg, Interval(NONE, NONE)),
    "step": _step,
    "sign": _side,
}
OF_TWO: dict[str, Callable[[Interval, Interval], Interval]] = {"max": largest, "min": least}


def applied(name: str, args: tuple[Interval, ...]) -> Interval:
    """The values of a function, or `Rejected`."""
    match args:
        case ():
            if name == "pi":
                return of_ball(arb.pi())
        case (arg,) if name in FUNCTIONS:
            return FUNCTIONS[name](arg)
        case (left, right) if name in OF_TWO:
            return OF_TWO[name](left, right)
    raise Rejected("outside", f"the function {name} over a box")
