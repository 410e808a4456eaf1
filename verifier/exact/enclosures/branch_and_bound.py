"""Inequalities in several real variables: plain branch and bound over boxes."""

from collections.abc import Mapping, Sequence
from typing import Any

from flint import arb, fmpq

from verifier.exact.enclosures.convex_minimum import flat_and_convex
from verifier.exact.enclosures.domains import Domain, Segment
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.term_calculus import differentiate
from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.refusals import Imprecise, Refusal, Undefined
from verifier.timer import past

Box = dict[str, Segment]
MAX_BOXES = 20_000
CURVED = fmpq(1, 2)  # boxes narrow enough to ask whether the term is convex over them


def prove_on_boxes(
    term: Any,
    domains: Mapping[str, Domain],
    constraints: Sequence[Any],
    strict: bool,
    deadline: float,
) -> str | None:
    """Show term >= 0 (strict: > 0) where every constraint is >= 0. None when shown, else why not."""
    slopes = {name: differentiate(term, name) for name in domains}
    boxes: list[Box] = [{name: Segment(d.low, d.high) for name, d in domains.items()}]
    for _ in range(MAX_BOXES):
        if not boxes:
            return None
        if past(deadline):
            break
        box = boxes.pop()
        if _ruled_out(box, constraints) or _shown(term, slopes, box, strict):
            continue
        halves = _halves(box, slopes)
        if halves is None:
            return f"not decided near {_place(box)}"
        boxes += halves
    return f"{len(boxes)} boxes were left when the budget ended"


def _intervals(box: Box) -> dict[str, Interval]:
    return {name: segment.interval for name, segment in box.items()}


def _ruled_out(box: Box, constraints: Sequence[Any]) -> bool:
    for constraint in constraints:
        try:
            if enclosed(constraint, _intervals(box)).hi < 0:
                return True
        except Undefined:
            return True
        except Imprecise:
            continue
    return False


def _shown(term: Any, slopes: Mapping[str, Any], box: Box, strict: bool) -> bool:
    """By the natural enclosure, by monotone directions, then by the mean value form."""
    try:
        found = enclosed(term, _intervals(box))
    except Undefined:
        return True
    except Imprecise:
        return False
    if _good(found, strict):
        return True
    gradient = _gradient(slopes, box)
    if gradient is None or not found.whole:
        return False
    lowered = _lowered(box, gradient)
    found = enclosed(term, _intervals(lowered))
    if _good(found, strict):
        return True
    if _good(found.meet(_centred(term, gradient, lowered)), strict):
        return True
    return _small(lowered) and flat_and_convex(term, lowered, strict)


def _small(box: Box) -> bool:
    return all(bool(segment.width < CURVED) for segment in box.values())


def _good(found: Interval, strict: bool) -> bool:
    return bool(found.lo > 0) if strict else bool(found.lo >= 0)


def _gradient(slopes: Mapping[str, Any], box: Box) -> dict[str, Interval] | None:
    intervals = _intervals(box)
    try:
        gradient = {name: enclosed(slope, intervals) for name, slope in slopes.items()}
    except Refusal:
        return None
    return gradient if all(slope.whole for slope in gradient.values()) else None


def _lowered(box: Box, gradient: Mapping[str, Interval]) -> Box:
    """Where the term is monotone in a variable, its least value is at one end."""
    lowered = dict(box)
    for name, segment in box.items():
        if gradient[name].lo >= 0 and segment.low is not None:
            lowered[name] = Segment(segment.low, segment.low)
        elif gradient[name].hi <= 0 and segment.high is not None:
            lowered[name] = Segment(segment.high, segment.high)
    return lowered


def _centred(term: Any, gradient: Mapping[str, Interval], box: Box) -> Interval:
    intervals = _intervals(box)
    centre = {name: Interval.of(segment.middle) for name, segment in box.items()}
    total = enclosed(term, centre)
    for name, interval in intervals.items():
        total = total + gradient[name] * (interval - centre[name])
    return total


def _halves(box: Box, slopes: Mapping[str, Any]) -> list[Box] | None:
    """Split where the term varies most; None where every side is already narrow."""
    gradient = _gradient(slopes, box)
    best, most = None, -1.0
    for name, segment in box.items():
        if segment.width < arb(2) ** -24 * (1 + abs(arb(segment.middle))):
            continue
        steep = 1.0 if gradient is None else _size(gradient[name])
        spread = min(float(segment.width), 1e30) * max(steep, 1e-6)
        if spread > most:
            best, most = name, spread
    if best is None:
        return None
    return [{**box, best: half} for half in box[best].split()]


def _size(slope: Interval) -> float:
    return min(float(max(abs(slope.lo), abs(slope.hi))), 1e30)


def _place(box: Box) -> str:
    middles = {name: enclose(segment.middle) for name, segment in box.items()}
    return ", ".join(f"{name} = {middle.str(6, radius=False)}" for name, middle in middles.items())
