"""How fast a function of random numbers may grow: |f| <= C (1 + |w|)**power * exp(C |w|**rate).

Under a normal law every moment of f is finite where rate < 2. A `power` without bound says that every moment
is finite and no more: nothing follows for exp(f).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from verifier.facts.spans import Span

Exponent = Fraction | float
_FAR = 10**30  # ends beyond are none


@dataclass(frozen=True, order=True)
class Rate:
    """Ordered by growth: an exponential is faster than any power."""

    rate: Exponent = Fraction(0)
    power: Exponent = Fraction(0)

    def __mul__(self, other: "Rate") -> "Rate":
        return Rate(max(self.rate, other.rate), self.power + other.power)

    def __pow__(self, k: Exponent) -> "Rate":
        return Rate(self.rate, self.power * k if self.power else self.power)

    @property
    def is_tame(self) -> bool:
        """Whether every moment is finite, for normal laws and for bounded ones."""
        return self.rate < 2


BOUNDED, LINEAR = Rate(), Rate(power=Fraction(1))
TAME = Rate(power=inf)
WILD = Rate(inf, inf)
# Slower than every power, as a logarithm is.
SLOW = Rate(power=Fraction(1, 1000))


def exponential(of: Rate) -> Rate:
    """exp of something that grows so fast."""
    if of.rate > 0 or of.power == inf:
        return WILD
    return Rate(of.power)


def logarithm(of: Rate) -> Rate:
    if of in (WILD, BOUNDED):
        return of
    return Rate(power=of.rate) if of.rate > 0 else TAME if of.power == inf else SLOW


@dataclass(frozen=True)
class Size:
    """What is known of a function, entry by entry: how fast its positive and its negative part grow at most,
    and 1/|f|; and numbers that it stays between."""

    above: Rate = WILD
    below: Rate = WILD
    inverse: Rate = WILD
    low: Exponent = -inf
    high: Exponent = inf

    @property
    def both(self) -> Rate:
        return max(self.above, self.below)

    @property
    def is_nonnegative(self) -> bool:
        return self.low >= 0

    def settled(self) -> "Size":
        """The same, with what the numbers say: f >= 2 has a bounded 1/f, and no negative part."""
        low: Exponent = self.low if -_FAR < self.low < _FAR else Fraction(1) if self.low > 0 else -inf
        high: Exponent = self.high if -_FAR < self.high < _FAR else Fraction(-1) if self.high < 0 else inf
        away = low > 0 or high < 0
        return Size(
            min(self.above, BOUNDED) if high < inf else self.above,
            min(self.below, BOUNDED) if low > -inf else self.below,
            BOUNDED if away else self.inverse,
            low,
            high,
        )


UNKNOWN = Size()


def constant(span: Span) -> Size:
    """A fixed number; where 1/f has no value, nothing is judged."""
    low, high = 0 if span.is_nonnegative else -inf, 0 if span.is_nonpositive else inf
    return Size(BOUNDED, BOUNDED, BOUNDED, low, high)


def plus(f: Size, g: Size) -> Size:
    inverse = WILD
    if (f.low >= 0 and g.low >= 0) or (f.high <= 0 and g.high <= 0):
        inverse = min(f.inverse, g.inverse)
    above, below = max(f.above, g.above), max(f.below, g.below)
    return Size(above, below, inverse, f.low + g.low, f.high + g.high).settled()


def minus(f: Size) -> Size:
    return Size(f.below, f.above, f.inverse, -f.high, -f.low)


def times(f: Size, g: Size) -> Size:
    ends = [_product(a, b) for a in (f.low, f.high) for b in (g.low, g.high)]
    both = f.both * g.both
    return Size(both, both, f.inverse * g.inverse, min(ends), max(ends)).settled()


def _product(a: Exponent, b: Exponent) -> Exponent:
    return Fraction(0) if a == 0 or b == 0 else a * b


def summed(f: Size, empty: bool = False) -> Size:
    """Several entries added; how many is not known."""
    same = f.low >= 0 or f.high <= 0
    inverse = f.inverse if same and not empty else WILD
    return Size(f.above, f.below, inverse, 0 if f.low >= 0 else -inf, 0 if f.high <= 0 else inf).settled()
