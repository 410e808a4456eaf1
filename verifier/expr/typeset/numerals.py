"""How a literal number is written: exactly where that is short, else to a few digits, and said so."""

from fractions import Fraction
from math import log10

LONGEST = 18


def is_whole(value: Fraction) -> bool:
    return value.denominator == 1


def power_of_ten(value: Fraction) -> int | None:
    """The k of 10**k, for numbers too long to count zeros in."""
    if value <= 0 or (value.numerator != 1 and value.denominator != 1):
        return None
    size = max(value.numerator, value.denominator)
    k = round(log10(size))
    if k < 6 or 10**k != size:
        return None
    return k if value > 1 else -k


def decimal(value: Fraction) -> str | None:
    """A short decimal that is exactly this number >= 0, or None where there is none."""
    if is_whole(value):
        return str(value.numerator) if value.numerator < 10**LONGEST else None
    for places in range(1, 7):
        scaled = value * 10**places
        if is_whole(scaled):
            digits = scaled.numerator
            if digits >= 10**LONGEST:
                return None
            whole, part = divmod(digits, 10**places)
            return f"{whole}.{part:0{places}d}"
    return None


def scientific(value: Fraction) -> tuple[str, int]:
    """Mantissa and exponent of a number > 0, to four digits."""
    exponent = _floor_log10(value)
    mantissa = value / Fraction(10) ** exponent
    return f"{float(mantissa):.3f}", exponent


def _floor_log10(value: Fraction) -> int:
    guess = int(log10(value.numerator) - log10(value.denominator))
    while Fraction(10) ** guess > value:
        guess -= 1
    while Fraction(10) ** (guess + 1) <= value:
        guess += 1
    return guess
