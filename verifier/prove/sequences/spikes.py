"""Explicit sequences to try, from simple to strange, and their description in words."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

from verifier.kernel.sequences.spikes import Spike

HALF = Fraction(1, 2)
HEIGHTS = (Fraction(1), HALF, Fraction(2))
POWERS = (Fraction(0), Fraction(-1), Fraction(1), -HALF, HALF, Fraction(2), Fraction(-2))
RARITIES = (Fraction(0), Fraction(1), Fraction(2), HALF, Fraction(3), Fraction(4))


def library(thresholds: Iterable[Fraction] = ()) -> Iterator[Spike]:
    """From simple to strange: nothing, constants, signs, powers, and events that grow rare; with constants
    below, and rare events above, these thresholds."""
    given = [above for above in thresholds if above > 0]
    yield Spike(Fraction(0))
    for height, fair in product(dict.fromkeys((*HEIGHTS, *(above / 2 for above in given))), (False, True)):
        yield Spike(height, fair=fair)
    for height in dict.fromkeys((Fraction(1), *(2 * above for above in given if above >= 1))):
        for rarity, power, nested, fair in product(RARITIES, POWERS, (False, True), (False, True)):
            if (rarity or power) and (rarity or not nested):
                yield Spike(height, power, rarity, nested, fair)


# --- in words --------------------------------------------------------------------------------------


def described(spike: Spike, limit: Fraction) -> str:
    """What the members of a sequence are that is `limit` plus the spike."""
    if spike.height == 0:
        return f"{limit} for every i"
    size = _power(spike.height, spike.power)
    size = size if not spike.fair else "s_i" if size == "1" else f"s_i*{size}"
    value = size if limit == 0 else f"{limit} + {size}"
    signs = ", with independent fair signs s_i" if spike.fair else ""
    if spike.is_sure:
        return f"{value} for every i{'' if spike.power == 0 else ' >= 1'}{signs}"
    chance = _power(Fraction(1), -spike.rarity)
    if spike.nested:
        return f"{value} where U < {chance} and {limit} elsewhere, with one U uniform on [0, 1]{signs}"
    return f"{value} with chance {chance} and {limit} otherwise, independently for every i >= 1{signs}"


def _power(height: Fraction, power: Fraction) -> str:
    """height * i**power"""
    if power == 0:
        return str(height)
    above, below = height.numerator, height.denominator
    base = "i" if abs(power) == 1 else f"i**{abs(power)}" if power.denominator == 1 else f"i**({abs(power)})"
    if power < 0:
        under = base if below == 1 else f"({below}*{base})"
        return f"{above}/{under}"
    times = base if above == 1 else f"{above}*{base}"
    return times if below == 1 else f"{times}/{below}"


def rate(order: Fraction | None) -> str:
    """How a size behaves, in words."""
    if order is None:
        return "is 0 from some i on"
    return f"is a constant times {_power(Fraction(1), order)} from some i on" if order else "stays the same"
