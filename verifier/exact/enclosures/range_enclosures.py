"""The range of a function of one real variable: enclosures of inf and sup, and where they lie.

Best-first branch and bound on the upper bound. Half lines and the neighbourhoods of singular points
are regions like any other: they are bounded by their expansion and split by moving its start out.
"""

from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any, final

from flint import arb, fmpq

from verifier.exact.enclosures.domains import Domain, Segment
from verifier.exact.enclosures.kinks_on_boxes import smoothed
from verifier.exact.enclosures.one_sided import Germ
from verifier.exact.enclosures.regions import Reach, cut
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.term_calculus import differentiate
from verifier.exact.numbers.constants import Closed, Exact, enclose
from verifier.exact.numbers.guess_constants import candidates
from verifier.exact.numbers.interval import INF, NEG_INF, Interval
from verifier.exact.numbers.refusals import Refusal, Undefined
from verifier.exact.numbers.scalar_terms import Term
from verifier.timer import past

TOLERANCE = fmpq(1, 10**8)
LAST_START = fmpq(2**80)
NARROW = arb(2) ** -44


@final
@dataclass(frozen=True)
class Extremum:
    """low <= sup <= high (for an inf alike). `where` is a point that reaches the near end of this
    enclosure, or the place that it is approached at. `limit` is the closed form of the value there,
    `exact` the same once it is certain that nothing lies beyond."""

    low: arb
    high: arb
    where: str
    point: fmpq | None
    approached: bool
    limit: Exact | None = None
    exact: Exact | None = None

    @property
    def place(self) -> str:
        """Where, in few digits."""
        if self.point is None or len(self.where) <= 12:
            return self.where
        return str(arb(self.point).str(9, radius=False))

    @property
    def converged(self) -> bool:
        if not self.low.is_finite():
            return True
        return bool(self.high - self.low <= arb(TOLERANCE) * (2 + 2 * abs(self.low)))


@final
@dataclass(frozen=True)
class Range:
    """inf and sup over the domain, and where the function is undefined."""

    inf: Extremum
    sup: Extremum
    holes: tuple[str, ...] = ()


def range_of(term: Any, name: str, domain: Domain, deadline: float) -> Range | None:
    """The range over the domain; None where the function is defined nowhere that was looked at."""
    upper = _Climb(term, name, domain, deadline)
    top = upper.run()
    bottom = infimum_of(term, name, domain, deadline)
    if top is None or bottom is None:
        return None
    return Range(bottom, top, tuple(dict.fromkeys(upper.holes)))


def supremum_of(term: Any, name: str, domain: Domain, deadline: float) -> Extremum | None:
    """The sup alone."""
    return _Climb(term, name, domain, deadline).run()


def infimum_of(term: Any, name: str, domain: Domain, deadline: float) -> Extremum | None:
    """The inf alone, as minus the sup of the negative."""
    bottom = _Climb(-term, name, domain, deadline).run()
    if bottom is None:
        return None
    return replace(
        bottom,
        low=-bottom.high,
        high=-bottom.low,
        limit=None if bottom.limit is None else -bottom.limit,
        exact=None if bottom.exact is None else -bottom.exact,
    )


class _Climb:
    """The search for the sup of one term."""

    def __init__(self, term: Any, name: str, domain: Domain, deadline: float) -> None:
        self.term, self.name, self.domain, self.deadline = term, name, domain, deadline
        self.best: Extremum | None = None
        self.holes: list[str] = []
        self.queue: list[tuple[float, int, arb, Segment | Reach]] = []
        self.order = count()

    def run(self) -> Extremum | None:
        if not isinstance(self.term, Term):
            ball = enclose(self.term)
            value = _exact(self.term)
            return Extremum(ball.lower(), ball.upper(), "everywhere", fmpq(0), False, value, value)
        for region in cut(self.term, self.name, self.domain):
            self._add(region)
        while self.queue:
            bound, region = self.queue[0][2:]
            if past(self.deadline) or self._is_settled(bound):
                break
            heappop(self.queue)
            if not self._split(region):
                heappush(self.queue, (float("-inf"), next(self.order), bound, region))
                break
        # The queue is ordered by rounded keys: the bound is the largest of all that is left.
        left = max((bound for _, _, bound, _ in self.queue), default=NEG_INF)
        return None if self.best is None else self._closed(max(left, self.best.high))

    def _is_settled(self, bound: arb) -> bool:
        best = self.best
        return best is not None and bool(best.low == INF or bound <= best.low + self._slack())

    def _slack(self) -> arb:
        assert self.best is not None
        return (arb(TOLERANCE) * (1 + abs(self.best.low))).lower()

    def _closed(self, high: arb) -> Extremum:
        best = self.best
        assert best is not None
        certain = best.limit is not None and bool(high <= enclose(best.limit).lower())
        return replace(best, high=max(high, best.low), exact=best.limit if certain else None)

    # --- bounds -----------------------------------------------------------------------------------

    def _add(self, region: Segment | Reach) -> None:
        if self.domain.integer and isinstance(region, Reach):
            region = region.closed  # whole numbers do not come near to a point
        try:
            bound = self._bound(region) if isinstance(region, Segment) else self._reach(region)
        except Undefined:
            place = region.interval if isinstance(region, Segment) else region.germ.text
            self.holes.append(f"{self.name} in {place}")
            return
        except Refusal:
            bound = INF
        if bound > NEG_INF and (self.best is None or bound > self.best.low):
            key = -float(bound.upper()) if bound < INF else float("-inf")
            heappush(self.queue, (key, next(self.order), bound, region))

    def _bound(self, box: Segment) -> arb:
        if self._is_counted(box):
            return self._at_integers(box)
        interval = box.interval
        term = smoothed(self.term, {self.name: interval})
        found = enclosed(term, {self.name: interval})
        self._try(box.middle)
        try:
            slope = enclosed(differentiate(term, self.name), {self.name: interval})
        except Refusal:
            return found.hi
        if not (slope.whole and slope.is_finite and found.whole and interval.is_finite):
            return found.hi
        if slope.lo >= 0 or slope.hi <= 0:
            end = box.high if slope.lo >= 0 else box.low
            assert end is not None
            self._try(end)
            return min(found.hi, enclosed(self.term, {self.name: Interval.of(end)}).hi)
        point = Interval.of(box.middle)
        centred = enclosed(term, {self.name: point}) + slope * (interval - point)
        return min(found.hi, centred.hi)

    def _is_counted(self, box: Segment) -> bool:
        """Whether the box holds so few whole numbers that each is looked at, and nothing between them."""
        return self.domain.integer and bool(box.width <= 1)

    def _at_integers(self, box: Segment) -> arb:
        bound = NEG_INF
        for point in map(fmpq, box.integers):
            if not self.domain.holds(point):
                continue
            self._try(point)
            try:
                bound = max(bound, enclosed(self.term, {self.name: Interval.of(point)}).hi)
            except Undefined:
                self.holes.append(f"{self.name} = {point}")
        return bound

    def _reach(self, reach: Reach) -> arb:
        tail = reach.germ.tail(self.term, self.name, reach.start)
        limit = tail.limit()
        if limit is None:
            if tail.lead()[2] > 0:
                self._offer(Extremum(INF, INF, reach.germ.text, None, True))
            return tail.range().hi
        value = limit if isinstance(limit, Interval) else Interval.of(limit)
        exact = None if isinstance(limit, Interval) else limit
        self._offer(Extremum(value.lo, value.hi, reach.germ.text, None, True, exact))
        return tail.range().hi

    def _try(self, point: Exact) -> None:
        """The value at a point of the domain may be the best so far."""
        try:
            inside = self.domain.holds(point)
            if not inside and not self.domain.is_open_end(point):
                return
            value = enclosed(self.term, {self.name: Interval.of(point)})
        except Refusal:
            return
        rational = point if isinstance(point, fmpq) else None
        if value.lo > NEG_INF and value.hi < INF and (inside or value.whole):
            self._offer(Extremum(value.lo, value.hi, str(point), rational, not inside))

    def _offer(self, found: Extremum) -> None:
        best = self.best
        if (
            best is None
            or found.low > best.low
            or (found.low == best.low and best.approached and not found.approached)
        ):
            self.best = found

    # --- splitting --------------------------------------------------------------------------------

    def _split(self, region: Segment | Reach) -> bool:
        """Replace a region by smaller ones; False where nothing smaller helps."""
        if isinstance(region, Reach):
            if region.start >= LAST_START:
                return False
            further = Reach(region.germ, region.start * 8)
            near, far = region.germ.edge(region.start), region.germ.edge(further.start)
            forward = (region.germ.side > 0) == (region.germ.point is None)
            self._add(Segment(near, far) if forward else Segment(far, near))
            self._add(further)
            return True
        if self._is_counted(region):
            return False
        if region.width < NARROW * (1 + abs(arb(region.middle))):
            return self._singular(region)
        for half in region.split():
            self._add(half)
        return True

    def _singular(self, box: Segment) -> bool:
        """A narrow box that stays unbounded or too wide: expand around the exact point inside it."""
        interval = box.interval
        for point in candidates(interval.lo, interval.hi):
            regions = [Reach(Germ(point, side), fmpq(2**40)) for side in (-1, 1)]
            inside = [reach for reach in regions if reach.enters(self.domain)]
            try:
                for reach in inside:
                    self._probe(reach)
            except Refusal:
                continue
            self._try(point)
            for reach in inside:
                self._add(reach)
            return True
        return False

    def _probe(self, reach: Reach) -> None:
        try:
            reach.germ.tail(self.term, self.name, reach.start).range()
        except Undefined:
            return


def _exact(value: Any) -> Exact | None:
    return value if isinstance(value, fmpq | Closed) else None
