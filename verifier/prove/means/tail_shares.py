"""The largest share of E|y|**r / t**r that P(|y| > t) takes, over all t > 0.

one peak at 0      (r/(r+1))**r, and no law with one peak takes more (Gauss, Winckler)
y normal           max_t t**r P(|z| > t) / E|z|**r for z standard normal, enclosed on a grid:
                   t**r P(|z| > t) <= b**r P(|z| > a) for t in [a, b]
"""

from fractions import Fraction
from functools import cache

from flint import arb, ctx

_STEP = Fraction(1, 400)
_END = 12  # beyond it t**r exp(-t**2/2), which is at least t**r P(|z| > t), falls and is below 1e-12
_DIGITS = 1000
MOST = 8


def of_one_peak(r: int) -> Fraction:
    """(r/(r+1))**r"""
    return Fraction(r, r + 1) ** r


@cache
def of_normal(r: int) -> tuple[Fraction, Fraction]:
    """Rationals below and above the maximum, a thousandth apart or so."""
    before, ctx.prec = ctx.prec, 64
    try:
        half = arb(2).sqrt()
        moment = arb(2) ** (arb(r) / 2) * (arb(r + 1) / 2).gamma() / arb.pi().sqrt()
        low, high = arb(0), arb(10) ** -9
        left = arb(1)  # P(|z| > a) at the left end of the cell
        for k in range(1, int(_END / _STEP) + 1):
            t = arb((_STEP * k).numerator) / (_STEP * k).denominator
            tail = (t / half).erfc()
            low, high = low.max(t**r * tail / moment), high.max(t**r * left / moment)
            left = tail
        return _below(low), 1 - _below(1 - high)
    finally:
        ctx.prec = before


def _below(value: arb) -> Fraction:
    """A rational at most the value."""
    whole = (value.lower() * _DIGITS).floor().unique_fmpz()
    assert whole is not None, "the enclosure is far narrower than 1"
    return Fraction(int(whole), _DIGITS)
