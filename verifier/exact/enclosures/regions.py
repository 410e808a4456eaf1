"""A domain cut at the points where a function is undefined: segments, and what lies next to a cut."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

from flint import arb, fmpq

from verifier.exact.enclosures.domains import Domain, Segment
from verifier.exact.enclosures.one_sided import Germ
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.term_calculus import at
from verifier.exact.numbers.constants import Exact, enclose
from verifier.exact.numbers.guess_constants import simple_points
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.refusals import Refusal, Undefined

FIRST_START = fmpq(4)


@final
@dataclass(frozen=True)
class Reach:
    """The values near a germ: t >= start."""

    germ: Germ
    start: fmpq

    @property
    def closed(self) -> "Segment | Reach":
        """All values from the germ's point on, itself included; as it is where the point is infinite."""
        point, edge = self.germ.point, self.germ.edge(self.start)
        if point is None:
            return self
        return Segment(point, edge) if self.germ.side > 0 else Segment(edge, point)

    def enters(self, domain: Domain) -> bool:
        """Whether this side of the point belongs to the domain."""
        end = domain.low if self.germ.side < 0 else domain.high
        assert self.germ.point is not None
        if end is None:
            return True
        gap: Any = end - self.germ.point
        return bool(enclose(gap) * self.germ.side > 0)


def cut(term: Any, name: str, domain: Domain) -> list[Segment | Reach]:
    """The domain as segments between cuts, each cut and each infinite end with its germs."""
    cuts: list[Any] = sorted(_cuts(term, name, domain), key=lambda point: float(enclose(point).mid()))
    start = _start(domain, cuts)
    regions: list[Segment | Reach] = []
    low = -start if domain.low is None else domain.low
    regions += [Reach(Germ(None, -1), start)] if domain.low is None else []
    for point in cuts:
        before, after = Reach(Germ(point, -1), start), Reach(Germ(point, 1), start)
        if before.enters(domain):
            regions += [Segment(low, before.germ.edge(start)), before]
        low = after.germ.edge(start)
        regions += [after] if after.enters(domain) else []
    regions += [Reach(Germ(None, 1), start)] if domain.high is None else []
    if not cuts or Reach(Germ(cuts[-1], 1), start).enters(domain):
        regions.append(Segment(low, start if domain.high is None else domain.high))
    return regions


def _cuts(term: Any, name: str, domain: Domain) -> Iterator[Exact]:
    """Simple points and ends where the function is undefined, but defined next to them."""
    ends = [end for end in (domain.low, domain.high) if end is not None]
    for point in dict.fromkeys([*simple_points(domain.low, domain.high), *ends]):
        if _is_undefined(term, name, point) and _borders(term, name, point):
            yield point


def _is_undefined(term: Any, name: str, point: Exact) -> bool:
    """Seen in intervals where they are sharp, else in exact arithmetic."""
    try:
        found = enclosed(term, {name: Interval.of(point)})
        if not (found.whole and found.is_finite):
            at(term, {name: point})
    except Undefined:
        return True
    except Refusal:
        return False
    return False


def _borders(term: Any, name: str, point: Any) -> bool:
    """Whether the function is defined on some side of the point."""
    for side in (-1, 1):
        try:
            enclosed(term, {name: Interval.of(point + fmpq(side, 2**20))})
        except Refusal:
            continue
        return True
    return False


def _start(domain: Domain, cuts: list[Any]) -> fmpq:
    """Far enough out that half lines and neighbourhoods of cuts do not overlap."""
    start = FIRST_START
    marks = [enclose(end) for end in (domain.low, *cuts, domain.high) if end is not None]
    for mark in marks:
        while not abs(mark) + 1 < arb(start):
            start = start * 4
    for first, second in pairwise(marks):
        while second > first and not (second - first) * arb(start) > 3:
            start = start * 4
    return start
