"""An explicit sequence in the place of any: Y_i = c + Z_i with a known Z, and numbers for fixed symbols and
for what has a joint law with the sequence. Of a matrix these are the first entry, and all others are 0."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.walk import distinct
from verifier.kernel.rejected import Rejected
from verifier.kernel.sequences.modes import PLACE, Chance, Mode, Moment, Sums, Surely
from verifier.kernel.sequences.spikes import Spike


@dataclass(frozen=True)
class World:
    """The numbers, the c of Y_i = c + Z_i, and Z."""

    sequence: str
    values: Mapping[str, Fraction]
    limit: Fraction
    spike: Spike

    def truth(self, mode: Mode) -> bool:
        """Whether the sequence is as the mode says; rejects what is not known of it."""
        away = self._away(mode.gap)
        if away and self.spike.height:
            raise Rejected("outside", "a sequence that stays away from what it is compared with, and moves")
        made = Spike(abs(away)) if away else self.spike
        if isinstance(mode, Surely):
            return made.converges
        size = mode.size
        if isinstance(size, Moment) and size.signed and away < 0:
            raise Rejected("outside", "odd powers of a negative constant")
        above = None
        if isinstance(size, Chance) and size.above is not None:
            above = self._value(size.above)
        order = made.order(size, above)
        return order is None or order < (-1 if isinstance(mode, Sums) else 0)

    def _away(self, gap: N.Node) -> Fraction:
        """c - g for the gap Y_i - g."""
        match gap:
            case N.Member(name, _, place) if (name, place) == (self.sequence, PLACE):
                return self.limit
            case N.Subtract(N.Member(name, shape, place), other) if (name, place) == (self.sequence, PLACE):
                if other.shape == shape:
                    return self.limit - self._value(other)
        raise Rejected("outside", "a gap that is not a member less a number")

    def _value(self, node: N.Node) -> Fraction:
        """Of numbers; of matrices the first entry, where all others are 0."""
        match node:
            case N.Number(value):
                return value
            case N.Zeros():
                return Fraction(0)
            case N.Symbol(name) if name in self.values:
                return self.values[name]
            case N.Let(_, body):
                return self._value(body)
        if all(part.shape.is_scalar for part in distinct(node)):
            match node:
                case N.Negate(arg):
                    return -self._value(arg)
                case N.Add(left, right):
                    return self._value(left) + self._value(right)
                case N.Subtract(left, right):
                    return self._value(left) - self._value(right)
                case N.Multiply(left, right):
                    return self._value(left) * self._value(right)
                case N.Divide(left, right) if below := self._value(right):
                    return self._value(left) / below
                case N.Power(base, N.Number(power)) if power.denominator == 1 and 0 <= power <= 8:
                    return self._value(base) ** int(power)
        raise Rejected("outside", "a number that is not worked out")
