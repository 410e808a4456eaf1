"""Arithmetic of the rationals that normal forms are made with."""

from fractions import Fraction
from math import gcd, isqrt

from flint import fmpq

from verifier.kernel.normal.atoms import Exponent, Poly
from verifier.kernel.rejected import Rejected

PRIMES_BELOW = 10_000


def exponent_of(value: fmpq) -> Exponent:
    return int(value.p) if value.q == 1 else Fraction(int(value.p), int(value.q))


def rational_power(value: fmpq, exponent: int) -> fmpq:
    if abs(exponent) > 4096:
        raise Rejected("too-large", "a number beyond all bounds")
    return value**exponent


def rational_size(poly: Poly) -> fmpq:
    """The greatest rational that divides all coefficients."""
    top, bottom = 0, 1
    for factor in poly.terms.values():
        top = gcd(top, abs(int(factor.p)))
        bottom = bottom * int(factor.q) // gcd(bottom, int(factor.q))
    return fmpq(top, bottom)


def factors_of(value: int) -> list[tuple[int, int]]:
    """Small prime factors, and what is left of the number as if it were one; a square is taken apart."""
    found: list[tuple[int, int]] = []
    for prime in range(2, PRIMES_BELOW):
        if prime * prime > value:
            break
        times = 0
        while value % prime == 0:
            value, times = value // prime, times + 1
        if times:
            found.append((prime, times))
    if value > 1:
        root = isqrt(value)
        found.append((root, 2) if root * root == value else (value, 1))
    return found
