"""How close the ends of a range come to the values that are reached."""

import math
from fractions import Fraction

from verifier.evidence import Tightness
from verifier.expr.nodes import Node, Number
from verifier.expr.text import to_text
from verifier.search.bounds import Bound
from verifier.search.hunt import Hunt, Objective, Worst
from verifier.search.numbers import number
from verifier.search.tightness import Measured, readable


def of_range(hunts: list[Hunt]) -> Measured | None:
    """Each end of `in` is tight within 1% of the true range's width."""
    ends = {hunt.bound.side: hunt for hunt in hunts}
    extremes: dict[str, tuple[float, float, Worst]] = {}
    for side, hunt in ends.items():
        found = [w for w in hunt.found if hunt.domain.counts_for_tightness(w.sizes) and math.isfinite(w.best)]
        values = [(_reached(hunt.bound, w), w) for w in found]
        if not values:
            return None
        (reached, end), best = max(values, key=lambda item: item[0][0] if side == "upper" else -item[0][0])
        extremes[side] = reached, end, best
    if set(extremes) != {"upper", "lower"}:
        return None
    top, high, where_high = extremes["upper"]
    bottom, low, where_low = extremes["lower"]
    width = top - bottom
    off = max(high - top, bottom - low)
    if off <= 0.01 * width:
        gap = max(off, 0.0) / width if width > 0 else 0.0
        return Measured(Tightness(True, 0.0, gap, note="both ends are approached"))
    better_low, better_high = number(bottom), number(top)
    better = None
    if better_low is not None and better_high is not None:
        better = f"[{to_text(better_low)}, {to_text(better_high)}]"
    where = readable(where_high if high - top > bottom - low else where_low)
    relative = off / width if width > 0 else None
    return Measured(
        Tightness(
            False, relative, relative, better, where, f"the values found fill [{bottom:.6g}, {top:.6g}]"
        )
    )


def _reached(bound: Bound, worst: Worst) -> tuple[float, float]:
    """The bounded side and the end of the range, at the worst point and in its outermost entry."""
    return _outermost(bound.bounded, bound.side, worst), _outermost(bound.stated, bound.side, worst)


def _outermost(node: Node, side: str, worst: Worst) -> float:
    zero = Number(Fraction(0))
    plain = Bound(node, zero, zero, "upper") if side == "upper" else Bound(zero, node, zero, "lower")
    found = float(Objective(worst.objective.cell, plain).excess(worst.points[:1])[0])
    return found if side == "upper" else -found
