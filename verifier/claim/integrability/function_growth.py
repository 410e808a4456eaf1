"""How fast functions of one or two numbers grow, from how fast these do."""

from fractions import Fraction

from verifier.claim.integrability.rates import BOUNDED, UNKNOWN, WILD, Size, exponential, logarithm, minus

_UNIT = ("tanh", "sin", "cos", "erf")
_DEGREE = 2  # of the exponent of phi, and of Phi far to the left


def extreme(function: str, f: Size, g: Size) -> Size:
    """max or min of two."""
    if function == "min":
        return minus(extreme("max", minus(f), minus(g)))
    inverse = min(f.inverse, g.inverse) if f.low >= 0 and g.low >= 0 else WILD
    above, below = max(f.above, g.above), min(f.below, g.below)
    return Size(above, below, inverse, max(f.low, g.low), max(f.high, g.high)).settled()


def applied(function: str, arg: Size) -> Size:
    """A function of one number."""
    zero, one = Fraction(0), Fraction(1)
    match function:
        case "exp":
            return Size(exponential(arg.above), BOUNDED, exponential(arg.below), zero).settled()
        case "log":
            return Size(logarithm(arg.above), logarithm(arg.inverse))
        case "sqrt":
            return Size(arg.above ** Fraction(1, 2), BOUNDED, arg.inverse ** Fraction(1, 2), zero)
        case "abs":
            return Size(arg.both, BOUNDED, arg.inverse, zero)
        case "relu":
            return Size(arg.above, BOUNDED, WILD, max(arg.low, zero)).settled()
        case "gelu" | "silu":
            return Size(arg.above, BOUNDED, WILD, zero if arg.low >= 0 else -one)
        case "softplus":
            return Size(arg.above, BOUNDED, exponential(arg.below), zero)
        case "sigmoid":
            return Size(BOUNDED, BOUNDED, exponential(arg.below), zero, one)
        case "Phi":
            return Size(BOUNDED, BOUNDED, exponential(arg.below**_DEGREE), zero, one)
        case "phi":
            return Size(BOUNDED, BOUNDED, exponential(arg.both**_DEGREE), zero, one)
        case "asin" | "acos" | "atan":
            return Size(BOUNDED, BOUNDED)
    if function in _UNIT:
        odd = function in ("tanh", "erf") and arg.low >= 0
        return Size(BOUNDED, BOUNDED, WILD, zero if odd else -one, one)
    return UNKNOWN
