"""Signs of numbers, by enclosures."""

from flint import arb, fmpq

from verifier.kernel.asymptotic.scale import Sign
from verifier.kernel.normal.atoms import Atom, Exponent, Function, Inverse, Poly, Root
from verifier.kernel.points.values import precision

BITS = 128


def sign_of_number(poly: Poly) -> Sign:
    """The sign of a number made of rationals, pi, exp, log and powers; None where an enclosure cannot tell,
    or where it is no such number."""
    with precision(BITS):
        found = _enclosed(poly)
    if found is None or not found.is_finite() or found.contains(0):
        return None
    return ">" if found > 0 else "<"


def _enclosed(poly: Poly) -> arb | None:
    total = arb(0)
    for powers, factor in poly.terms.items():
        product = arb(fmpq(factor))
        for atom, power in powers:
            value = _power(atom, power)
            if value is None:
                return None
            product *= value
        total += product
    return total


def _power(atom: Atom, power: Exponent) -> arb | None:
    match atom:
        case Function("pi"):
            base: arb | None = arb.pi()
        case Function("exp", (arg,)):
            base = None if (value := _enclosed(arg)) is None else value.exp()
        case Function("log", (arg,)):
            base = None if (value := _enclosed(arg)) is None else value.log()
        case Inverse(inner):
            base = None if (value := _enclosed(inner)) is None else 1 / value
        case Root(inner):
            base = _enclosed(inner)
        case _:
            return None
    return None if base is None else base ** fmpq(power.numerator, power.denominator)
