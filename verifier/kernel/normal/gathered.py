"""Means under laws of which little is known, several in one."""

from contextlib import suppress
from dataclasses import dataclass, field

from flint import fmpq

from verifier.kernel.normal.atoms import Moment, Monomial, Net, Poly, scaled, total
from verifier.kernel.normal.centred import Centred, centred_blocks
from verifier.kernel.normal.laws import Law
from verifier.kernel.normal.normalise import Normaliser, is_polynomial
from verifier.kernel.rejected import Rejected


@dataclass
class Gathered(Normaliser):
    """Normal forms whose means are added up."""

    centred: list[Centred] = field(default_factory=list)  # what assumptions say of conditional means

    def __post_init__(self) -> None:
        super().__post_init__()
        self.centred = list(centred_blocks(self))

    def in_one_mean(self, poly: Poly) -> Poly:
        """Sums of means that exist are means of sums, whose terms need not have means. What has a mean may be
        integrated in one draw after the other (Fubini), if the others are held its terms by themselves."""
        found = {powers: self.as_mean(powers) for powers in poly.terms}
        draws = frozenset[str]().union(*(part[0] for part in found.values() if part is not None))
        inside, outside = [], []
        for powers, factor in poly.terms.items():
            part = found[powers]
            if part is None or draws & part[1].names:
                outside.append(Poly({powers: factor}))
            else:
                inside.append(scaled(self.times(part[1], part[2]), factor))
        body = total(inside)
        if len(inside) < 2 or draws & self.conditioned() or self.context.tied():
            return poly
        for name in sorted(draws) if is_polynomial(body, draws) and not self.whole else ():
            with suppress(Rejected):
                law = Law(self, self.context.symbols[name])
                body = total(self._mean(powers, factor, name, law) for powers, factor in body.terms.items())
        return total((*outside, self.moment(body, draws & body.names)))

    def as_mean(self, powers: Monomial) -> tuple[frozenset[str], Poly, Poly] | None:
        """A product with one mean in it, or in a sum: its draws, what stands beside it, the integrand."""
        means = [atom for atom, power in powers if isinstance(atom, Moment) and power == 1]
        sums = [atom for atom, power in powers if isinstance(atom, Net) and power == 1 and _has_mean(atom)]
        if len(means) + len(sums) != 1:
            return None
        beside = Poly({tuple(item for item in powers if item[0] not in (*means, *sums)): fmpq(1)})
        if means:
            return means[0].draws, beside, means[0].body
        bound, inner = self.open(sums[0])
        ((factors, factor),) = inner.terms.items()
        part = self.as_mean(factors)
        if part is None or part[0] & part[1].names:
            return None
        body = scaled(self.times(part[1], part[2]), factor)
        for index, (low, high) in bound.items():
            body = self.summed(body, index, low, high)
        return part[0], beside, body


def _has_mean(net: Net) -> bool:
    return any(isinstance(atom, Moment) for atom, _ in net.factors)
