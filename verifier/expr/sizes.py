"""Bounds on what a stranger's formula may make the engines compute."""

from fractions import Fraction

from verifier.expr import nodes as N

MAX_EXPONENT = 1_000
MAX_BITS = 100_000
MAX_FACTORIAL = 2_000


def constant_bits(node: N.Node) -> int | None:
    """An upper bound on the bits of a constant expression's value; None if it is no constant."""
    match node:
        case N.Number(value):
            return value.numerator.bit_length() + value.denominator.bit_length()
        case N.Negate(arg):
            return constant_bits(arg)
        case N.Add(left, right) | N.Subtract(left, right) | N.Multiply(left, right) | N.Divide(left, right):
            a, b = constant_bits(left), constant_bits(right)
            return None if a is None or b is None else a + b + 1
        case N.Power(base, N.Number(exponent)):
            a = constant_bits(base)
            return None if a is None else int(a * max(abs(exponent), Fraction(1))) + 1
        case N.Let(_, body):
            return constant_bits(body)
        case N.Apply("factorial" | "factorial2", (N.Number(value),)):
            return int(value) * max(int(value), 1).bit_length()
    return None


def excess(node: N.Node) -> str | None:
    """Why this node is too large to compute with, or None."""
    match node:
        case N.Power(base, exponent) | N.MatPower(base, exponent):
            constant = constant_bits(exponent)
            if isinstance(exponent, N.Number) and abs(exponent.value) > MAX_EXPONENT:
                return f"an exponent beyond {MAX_EXPONENT}"
            if constant is not None and constant > 64:
                return f"an exponent beyond {MAX_EXPONENT}"
            if constant is not None and not isinstance(exponent, N.Number):
                inner = constant_bits(base)
                if inner is not None and inner * 2**constant > MAX_BITS:
                    return "a tower of powers"
        case N.Apply("factorial" | "factorial2", (arg,)):
            if (constant_bits(arg) or 0) > MAX_FACTORIAL.bit_length() + 1:
                return f"a factorial beyond {MAX_FACTORIAL}"
    bits = constant_bits(node)
    if bits is not None and bits > MAX_BITS:
        return "a constant of more than 30,000 digits"
    return None
