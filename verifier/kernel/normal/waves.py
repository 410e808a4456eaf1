"""Means of products of normal numbers and of sines and cosines of linear functions of them.

By parts, E(w*f) = E(w)*E(f) + sum of Cov(w, g)*E(slope of f by g) over all that f looks at; products of waves
are sums of waves, and E(cos(l)) = cos(E(l))*exp(-Var(l)/2), E(sin(l)) = sin(E(l))*exp(-Var(l)/2).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.kernel.normal.atoms import (
    UNIT,
    Entry,
    Function,
    Monomial,
    Poly,
    monomial,
    scaled,
    total,
)
from verifier.kernel.normal.orthants import MOST_ITEMS, Joint, is_linear, is_normal
from verifier.kernel.normal.renaming import Ranges

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

MOST_WAVES = 4


@dataclass(frozen=True)
class Wave:
    """`size` times cos or sin of `form`."""

    size: fmpq
    name: str
    form: Poly

    def times(self, other: "Wave") -> tuple["Wave", "Wave"]:
        """cos(a)*cos(b) = (cos(a - b) + cos(a + b))/2, and so on."""
        size = self.size * other.size / 2
        both = total((self.form, other.form))
        apart = total((self.form, scaled(other.form, fmpq(-1))))
        match self.name, other.name:
            case "cos", "cos":
                return Wave(size, "cos", apart), Wave(size, "cos", both)
            case "sin", "sin":
                return Wave(size, "cos", apart), Wave(-size, "cos", both)
            case "sin", "cos":
                return Wave(size, "sin", both), Wave(size, "sin", apart)
        return other.times(self)

    @property
    def slope(self) -> "Wave":
        """By its argument."""
        return Wave(-self.size, "sin", self.form) if self.name == "cos" else Wave(self.size, "cos", self.form)


def over_waves(algebra: "Means", powers: Monomial, draws: frozenset[str]) -> Poly | None:
    """The mean over all draws of a product with waves of linear functions of normal draws in it: of these
    together, then of the others. None for other products."""
    names = frozenset(name for name in draws & monomial_names(powers) if is_normal(algebra, name))
    bound: Ranges = {}
    inside = [(atom, power) for atom, power in powers if names & atom.names]
    items: list[Poly] = []
    waves: list[Wave] = []
    others = dict(item for item in powers if item not in inside)
    for atom, power in algebra.opened_all(inside, "", bound):
        match atom:
            case _ if not names & atom.names:
                others[atom] = others.get(atom, 0) + power
            case Entry() if isinstance(power, int) and power > 0:
                items += [Poly({((atom, 1),): fmpq(1)})] * power
            case Function("sin" | "cos" as name, (arg,)) if is_linear(arg, names) and _is_count(power):
                waves += [Wave(fmpq(1), name, arg)] * int(power)
            case _:
                return None
    if not waves or len(waves) > MOST_WAVES or len(items) > MOST_ITEMS:
        return None
    first, *rest = waves
    summed = [first]
    for wave in rest:
        summed = [part for one in summed for part in one.times(wave)]
    joint = Joint(algebra, names, ())
    found = total(_mean(joint, tuple(items), wave) for wave in summed)
    whole = algebra.close(bound, algebra.times(Poly({monomial(others): fmpq(1)}), found))
    return algebra.by_law(whole, draws - names)


def _is_count(power: object) -> bool:
    return isinstance(power, int) and power > 0


def monomial_names(powers: Monomial) -> frozenset[str]:
    return frozenset[str]().union(*(atom.names for atom, _ in powers))


def _mean(joint: Joint, items: tuple[Poly, ...], wave: Wave) -> Poly:
    """The mean of a product of numbers and of one wave."""
    algebra = joint.algebra
    algebra.budget.spend(1)
    if not items:
        spread = joint.covariance(wave.form, wave.form, ())
        fading = algebra.function("exp", (scaled(spread, fmpq(-1, 2)),))
        centre = joint.mean(wave.form, ())
        mean = algebra.function(wave.name, (centre,)) if centre.terms or wave.name == "sin" else UNIT
        return scaled(algebra.times(mean, fading), wave.size)
    first, *rest = items
    parts = [algebra.times(joint.mean(first, ()), _mean(joint, tuple(rest), wave))]
    for at, other in enumerate(rest):
        if (tie := joint.covariance(first, other, ())).terms:
            left = (*rest[:at], *rest[at + 1 :])
            parts.append(algebra.times(tie, _mean(joint, left, wave)))
    if (tie := joint.covariance(first, wave.form, ())).terms:
        parts.append(algebra.times(tie, _mean(joint, tuple(rest), wave.slope)))
    return total(parts)
