"""Sequences of which everything is known: Z_0 = 0, and for i >= 1

|Z_i| = height * i**power   with chance i**-rarity,   else 0

where the events are independent, or nested: U < i**-rarity, with one U uniform on [0, 1]. A fair sign of its
own makes every odd mean of Z_i zero. From some i on,

P(|Z_i| > t) = i**-rarity   if height * i**power > t, else 0
E|Z_i|**p    = height**p * i**(p * power - rarity)

Z_i -> 0 if power < 0, or if nested with rarity > 0; else iff independent with rarity > 1 (Borel-Cantelli),

and a sum of i**e is finite iff e < -1.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from verifier.symbolic.sequences.modes import Chance, Moment

HALF = Fraction(1, 2)
HEIGHTS = (Fraction(1), HALF, Fraction(2))
POWERS = (Fraction(0), Fraction(-1), Fraction(1), -HALF, HALF, Fraction(2), Fraction(-2))
RARITIES = (Fraction(0), Fraction(1), Fraction(2), HALF, Fraction(3), Fraction(4))


@dataclass(frozen=True)
class Spike:
    """One such sequence."""

    height: Fraction
    power: Fraction = Fraction(0)
    rarity: Fraction = Fraction(0)
    nested: bool = False
    fair: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether nothing is random about |Z_i|."""
        return self.rarity == 0 or self.height == 0

    @property
    def converges(self) -> bool:
        """Whether Z_i -> 0 with probability 1; else it does so with probability 0."""
        if self.height == 0 or self.power < 0:
            return True
        return self.rarity > (0 if self.nested else 1)

    def order(self, size: Chance | Moment, above: Fraction | None) -> Fraction | None:
        """e where the size is a positive multiple of i**e from some i on; None where it is 0 from some i on.

        above: the value of a chance's threshold, None for every positive one."""
        if isinstance(size, Moment):
            if self.height == 0 or (size.signed and self.fair):
                return None
            return size.power * self.power - self.rarity
        if above is not None and (above < 0 or (above == 0 and not size.strict)):
            return Fraction(0)
        return -self.rarity if self._exceeds(above, size.strict) else None

    def _exceeds(self, above: Fraction | None, strict: bool) -> bool:
        if self.height == 0 or (self.power < 0 and above != 0):
            return False
        if self.power != 0 or not above:
            return True
        return self.height > above if strict else self.height >= above


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
