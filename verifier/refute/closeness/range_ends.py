"""How close the ends of a range come to the values that are reached."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.evidence import Tightness
from verifier.expr.nodes import Node, Number, Symbol
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.rules.bound_form import Bound
from verifier.refute.ascent.worst_points import Hunt, Objective, Worst
from verifier.refute.closeness.closed_form_numbers import number, times
from verifier.refute.closeness.closed_form_tables import fit
from verifier.refute.closeness.improved_sides import stands
from verifier.refute.closeness.tightness import Measured, readable

TIGHT = 0.01
Sizes = tuple[tuple[str, int], ...]
Pair = tuple[Worst, Worst]  # what comes closest to the lower and to the upper end


def of_range(hunts: list[Hunt]) -> Measured | None:
    """Each end of `in` is tight within 1% of the true range's width.

    Ends that are numbers stand for all sizes together. Ends that vary are held against the values at the
    same sizes, and tight if that is close at some sizes, as a bound is."""
    ends = {hunt.bound.side: hunt for hunt in hunts}
    if set(ends) != {"upper", "lower"}:
        return None
    both = Ends(ends["lower"], ends["upper"])
    pairs = both.pairs
    if not pairs:
        return None
    below, above = (min(_off(pair, at) for pair in pairs) for at in (0, 1))
    off = max(below, above)
    if off <= TIGHT:
        return Measured(Tightness(True, 0.0, max(off, 0.0), note="both ends are approached"))
    better = both.better((below, above))
    at = 0 if below > above else 1
    closest = min(pairs, key=lambda pair: _off(pair, at))
    relative = off if math.isfinite(off) else None
    away = "the left side has one value" if relative is None else f"an end stays {off:.3g} of the width away"
    words = both.words if both.are_of_sizes else away
    return Measured(Tightness(False, relative, relative, better, readable(closest[at]), words))


def is_off(hunt: Hunt) -> bool:
    """Whether one end stays more than 1% of the stated width away, and so more than that of the true one."""
    return all(worst.best < -TIGHT for worst in _by_sizes(hunt).values())


def _off(pair: Pair, at: int) -> float:
    """How far one end is off, in widths of the true range: the search measures in those of the stated one."""
    gaps = [max(-worst.best, 0.0) for worst in pair]
    true = 1 - sum(gaps)
    return gaps[at] / true if true > 0 else 0.0 if gaps[at] == 0 else math.inf


@dataclass(frozen=True)
class Ends:
    """The searches for the values next to the two ends."""

    lower: Hunt
    upper: Hunt

    @property
    def symbols(self) -> frozenset[str]:
        """What the ends depend on."""
        nodes = (node for hunt in (self.lower, self.upper) for node in walk(hunt.bound.stated))
        return frozenset(node.name for node in nodes if isinstance(node, Symbol))

    @property
    def are_of_sizes(self) -> bool:
        """Whether the ends are numbers at given sizes."""
        return self.symbols <= set(self.lower.domain.dimensions)

    @property
    def pairs(self) -> list[Pair]:
        low, high = _by_sizes(self.lower), _by_sizes(self.upper)
        if not self.symbols and low and high:
            return [(max(low.values(), key=_closeness), max(high.values(), key=_closeness))]
        return [(low[at], high[at]) for at in low if at in high]

    @property
    def words(self) -> str:
        low, high = max(self.pairs, key=lambda pair: _value(self.upper, pair[1]))
        at = ", ".join(f"{name} = {size}" for name, size in sorted(high.sizes.items()))
        found = f"[{_value(self.lower, low):.6g}, {_value(self.upper, high):.6g}]"
        return f"the values found fill {found}{f' at {at}' if at and self.symbols else ''}"

    def better(self, off: tuple[float, float]) -> str | None:
        """The true range."""
        low, high = (self._end(at, off[at] <= TIGHT) for at in (0, 1))
        return None if low is None or high is None else f"[{to_text(low)}, {to_text(high)}]"

    def _end(self, at: int, tight: bool) -> Node | None:
        """The true end: a number, a function of the sizes, a multiple of a stated end."""
        hunt, other = (self.lower, self.upper) if at == 0 else (self.upper, self.lower)
        reached = [pair[at] for pair in self.pairs]
        if tight and self.symbols:
            return hunt.bound.stated
        values = [(worst, _value(hunt, worst)) for worst in reached]
        if not self.symbols:
            found = number(values[0][1])
            return hunt.bound.stated if found is None and tight else found
        if self.are_of_sizes:
            return fit([(worst.sizes, value) for worst, value in values], hunt.domain.dimensions)
        candidates = (end for worst, value in values[:1] for end in _multiples(hunt, other, worst, value))
        return next((end for end in candidates if stands(hunt, end, reached[:1])), None)


def _by_sizes(hunt: Hunt) -> dict[Sizes, Worst]:
    """What comes closest to the end, at each choice of sizes that counts."""
    found: dict[Sizes, Worst] = {}
    for worst in hunt.found:
        at = tuple(sorted(worst.sizes.items()))
        counts = hunt.domain.counts_for_tightness(worst.sizes) and math.isfinite(worst.best)
        if counts and (at not in found or worst.best > found[at].best):
            found[at] = worst
    return found


def _closeness(worst: Worst) -> float:
    return worst.best


def _multiples(hunt: Hunt, other: Hunt, worst: Worst, value: float) -> Iterator[Node]:
    """c * end for both stated ends, with the c of one point."""
    for stated in (hunt.bound.stated, other.bound.stated):
        size = _outermost(stated, hunt.bound.side, worst)
        factor = number(value / size) if size != 0 else None
        if factor is not None:
            yield factor if factor == Number(Fraction(0)) else times(factor, stated)


def _value(hunt: Hunt, worst: Worst) -> float:
    return _outermost(hunt.bound.bounded, hunt.bound.side, worst)


def _outermost(node: Node, side: str, worst: Worst) -> float:
    """The largest entry at the worst point, for a lower end the least one."""
    zero = Number(Fraction(0))
    plain = Bound(node, zero, zero, "upper") if side == "upper" else Bound(zero, node, zero, "lower")
    found = float(Objective(worst.objective.cell, plain).excess(worst.points[:1])[0])
    return found if side == "upper" else -found
