"""Numbers as text in the claim language: closed forms, or decimals rounded outward."""

from fractions import Fraction
from math import ceil, floor, log10
from typing import Any

from flint import arb, fmpq

from verifier.exact.numbers.constants import Closed, Exact

DIGITS = 6
MAX_TEXT = 48


def as_fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def short_text(value: Any) -> str | None:
    """The closed form of an exact value, if it is short enough to read."""
    text = str(value) if isinstance(value, fmpq | Closed) else None
    return text if text is not None and len(text) <= MAX_TEXT else None


def decimal(value: arb, up: bool) -> str:
    """Six decimals (six digits for small numbers), rounded up or down."""
    exact = as_fraction((value.upper() if up else value.lower()).fmpq())
    places = DIGITS
    if exact and abs(exact) < Fraction(1, 10):
        places = min(DIGITS - 1 - floor(log10(abs(float(exact)))), 300) if float(exact) else 300
    scaled = exact * 10**places
    rounded = ceil(scaled) if up else floor(scaled)
    digits = str(abs(rounded)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")
    return f"-{text}" if rounded < 0 else text


def end_text(value: arb, exact: Exact | None, up: bool) -> str:
    """An end of a range: oo, a proven closed form, or a decimal on the safe side."""
    if not value.is_finite():
        return "oo" if value > 0 else "-oo"
    return short_text(exact) or decimal(value, up)
