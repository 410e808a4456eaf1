"""Sequences of which everything is known: Z_0 = 0, and for i >= 1

|Z_i| = height * i**power   with chance i**-rarity,   else 0

where the events are independent, or nested: U < i**-rarity, with one U uniform on [0, 1]. A fair sign of its
own makes every odd mean of Z_i zero. From some i on,

P(|Z_i| > t) = i**-rarity   if height * i**power > t, else 0
E|Z_i|**p    = height**p * i**(p * power - rarity)

Z_i -> 0 if power < 0, or if nested with rarity > 0; else iff independent with rarity > 1 (Borel-Cantelli),

and a sum of i**e is finite iff e < -1.
"""

from dataclasses import dataclass
from fractions import Fraction

from verifier.kernel.sequences.modes import Chance, Moment


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
