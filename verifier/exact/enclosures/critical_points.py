"""Narrow down where the slope of a function changes sign."""

from typing import Any

from flint import arb, fmpq

from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.term_calculus import differentiate
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.refusals import Refusal

HALVINGS = 70


def turning_point(term: Any, name: str, low: fmpq, high: fmpq) -> tuple[arb, arb] | None:
    """A narrow bracket of a sign change of the slope in [low, high]; None where its ends agree."""
    slope = differentiate(term, name)
    try:
        first = _side(slope, name, low)
        if first * _side(slope, name, high) >= 0:
            return None
        for _ in range(HALVINGS):
            middle = arb((low + high) / 2).mid().fmpq()
            side = _side(slope, name, middle)
            if side == 0:
                return arb(middle), arb(middle)
            low, high = (middle, high) if side == first else (low, middle)
    except Refusal:
        return None
    return arb(low), arb(high)


def _side(slope: Any, name: str, point: fmpq) -> int:
    found = enclosed(slope, {name: Interval.of(point)})
    return int(found.lo > 0) - int(found.hi < 0)
