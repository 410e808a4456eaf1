"""How well the two ends of a claimed range fit the true one."""

from dataclasses import replace
from typing import Any

from flint import arb

from verifier.evidence import Tightness
from verifier.exact.enclosures.closed_extremes import closed_end
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.range_enclosures import Extremum, Range
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import sign
from verifier.exact.numbers.interval import INF
from verifier.exact.numbers.number_text import end_text, short_text
from verifier.exact.numbers.refusals import Imprecise
from verifier.prove.ranges.tightness import ONE_PERCENT


def range_tightness(
    value: Any, low: Any | None, high: Any | None, name: str, domain: Domain, found: Range, deadline: float
) -> Tightness:
    """Each end within 1% of the true range's width; an infinite end (None) fits an infinite range."""
    fits = _fits(low, high, found)
    if None in fits or not all(fits):
        found = closed_range(value, name, domain, found, deadline)
        fits = _fits(low, high, found)
    tight = None if None in fits else all(fits)
    text = range_text(found)
    note = f"the true range is {text}, at {name} = {found.inf.place} and {found.sup.place}"
    return Tightness(tight, better=None if tight else text, note=note, proved=True)


def point_tightness(value: Any, low: Any | None, high: Any | None) -> Tightness | None:
    """A range around one number has width 0: each end must be that number."""
    try:
        tight = all(end is not None and sign(end - value) == 0 for end in (low, high))
    except Imprecise:
        return None
    text = short_text(value)
    better = None if tight or text is None else f"[{text}, {text}]"
    note = None if tight else "the left side is one number"
    return Tightness(tight, better=better, note=note, proved=True)


def closed_range(value: Any, name: str, domain: Domain, found: Range, deadline: float) -> Range:
    """The range with closed forms of its ends, where they are proven."""
    inf = replace(found.inf, exact=closed_end(value, name, domain, found.inf, False, deadline))
    sup = replace(found.sup, exact=closed_end(value, name, domain, found.sup, True, deadline))
    return replace(found, inf=inf, sup=sup)


def range_text(found: Range) -> str:
    """[low, high], rounded outward where no closed form is known."""
    low = end_text(found.inf.low, found.inf.exact, up=False)
    high = end_text(found.sup.high, found.sup.exact, up=True)
    return f"[{low}, {high}]"


def _fits(low: Any | None, high: Any | None, found: Range) -> list[bool | None]:
    width: Any = INF
    if found.sup.low.is_finite() and found.inf.high.is_finite():
        width = _number(found.sup) - _number(found.inf)
    return [_fit(low, found.inf, width), _fit(high, found.sup, width)]


def _number(extreme: Extremum) -> Any:
    """The closed form where it is known: an end that is off by exactly 1% still fits."""
    return extreme.low.union(extreme.high) if extreme.exact is None else extreme.exact


def _fit(end: Any | None, true: Extremum, width: Any) -> bool | None:
    if not (true.low.is_finite() and true.high.is_finite()):
        return None if end is not None else not (true.low.is_finite() or true.high.is_finite())
    if end is None:
        return False
    if isinstance(width, arb) and not width.is_finite():
        return True
    off = ar.kinked("abs", end - _number(true))
    try:
        return sign(width * ONE_PERCENT - off) >= 0
    except Imprecise:
        return None
