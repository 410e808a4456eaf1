"""Smooth functions over balls."""

from flint import arb


def enclose_function(name: str, x: arb) -> arb:
    """An enclosure of a smooth function over the ball x."""
    match name:
        case "exp":
            return x.exp()
        case "log":
            return x.log()
        case "sin":
            return x.sin()
        case "cos":
            return x.cos()
        case "asin":
            return x.asin()
        case "atan":
            return x.atan()
        case "tanh":
            return x.tanh()
        case "erf":
            return x.erf()
        case "erfc":
            return x.erfc()
        case "sigmoid":
            return 1 / (1 + (-x).exp())
        case "softplus":
            return (-abs(x)).exp().log1p() + x.max(arb(0))
    raise AssertionError(name)
