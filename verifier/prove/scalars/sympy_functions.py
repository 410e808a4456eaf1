"""The language's functions as SymPy expressions."""

import sympy as sp

from verifier.prove.scalars.scalar_refusal import Refused, Undefined

MAX_EXPONENT = 10_000


def power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    if exponent.is_Rational and abs(exponent) > MAX_EXPONENT:
        raise Refused("an exponent too large to work with")
    if exponent.is_Integer and base.is_Rational and abs(exponent) * sp.Abs(base).p.bit_length() > 10**6:
        raise Refused("a number too large to work with")
    if base == 0 and exponent.is_negative:
        raise Undefined("a division by zero at every point")
    return base**exponent


def apply(function: str, x: sp.Expr, y: sp.Expr | None = None) -> sp.Expr:
    """The language's functions; every kink is an absolute value."""
    half = sp.Rational(1, 2)
    match function:
        case "sqrt":
            return sp.sqrt(x)
        case "exp":
            return sp.exp(x)
        case "log":
            return sp.log(x)
        case "sin":
            return sp.sin(x)
        case "cos":
            return sp.cos(x)
        case "asin":
            return sp.asin(x)
        case "acos":
            return sp.acos(x)
        case "atan":
            return sp.atan(x)
        case "tanh":
            return sp.tanh(x)
        case "erf":
            return sp.erf(x)
        case "sigmoid":
            return 1 / (1 + sp.exp(-x))
        case "silu":
            return x / (1 + sp.exp(-x))
        case "softplus":
            return sp.log(1 + sp.exp(x))
        case "Phi":
            return half + sp.erf(x / sp.sqrt(2)) / 2
        case "phi":
            return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
        case "gelu":
            return x * (half + sp.erf(x / sp.sqrt(2)) / 2)
        case "abs":
            return sp.Abs(x)
        case "relu":
            return (x + sp.Abs(x)) / 2
        case "min" if y is not None:
            return (x + y - sp.Abs(x - y)) / 2
        case "max" if y is not None:
            return (x + y + sp.Abs(x - y)) / 2
        case "factorial":
            return sp.factorial(x)
        case "factorial2":
            return sp.factorial2(x)
        case "binomial" if y is not None:
            return sp.binomial(x, y)
    raise Refused(f"the function {function}")
