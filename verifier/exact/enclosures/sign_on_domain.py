"""Prove or refute h(x) >= 0 (or > 0) over a domain of one real variable.

Boxes are bisected until interval arithmetic shows the sign. What no box can show is shown by exact
expansions: at infinity, at poles and ends, and at points where h touches zero, such as x = 0 in
x - log(1 + x). A point of touch must be an exact number; one that is not recognised leaves the
answer unknown, never guessed.
"""

from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, final

from flint import arb, fmpq

from verifier.exact.enclosures.critical_points import turning_point
from verifier.exact.enclosures.domains import Domain, Segment
from verifier.exact.enclosures.kinks_on_boxes import smoothed
from verifier.exact.enclosures.one_sided import Germ
from verifier.exact.enclosures.straight_line import enclosed
from verifier.exact.enclosures.tail_expansions import ORDERS
from verifier.exact.enclosures.term_calculus import at, differentiate
from verifier.exact.numbers.constants import Exact, enclose, sign
from verifier.exact.numbers.guess_constants import candidates, simple_points
from verifier.exact.numbers.interval import Interval
from verifier.exact.numbers.refusals import Imprecise, Refusal, Undefined
from verifier.timer import past

STARTS = tuple(fmpq(b) for b in (4, 8, 16, 64, 512, 2**14, 2**30))
NEIGHBOURHOODS = tuple(fmpq(b) for b in (4, 64, 1024, 2**16))
MAX_UNRESOLVED = 300
TINY = arb(2) ** -40
SMALL = arb(2) ** -9


@final
@dataclass(frozen=True)
class Sign:
    """`proved`: h >= 0 everywhere (h > 0 if asked), zero at `zeros`, towards zero at `approached`.
    `refuted`: h < 0 (or h = 0 if h > 0 was asked) at `point`. `unknown`: see `reason`.
    `algebra` says how it was shown where no enclosure was needed."""

    outcome: Literal["proved", "refuted", "unknown"]
    point: Exact | None = None
    zeros: tuple[str, ...] = ()
    approached: tuple[str, ...] = ()
    holes: tuple[str, ...] = ()
    reason: str = ""
    algebra: str | None = None


class Refuted(Exception):
    """A point where the inequality breaks."""

    def __init__(self, point: Exact) -> None:
        super().__init__(str(point))
        self.point = point


def prove_sign(term: Any, name: str, domain: Domain, strict: bool, deadline: float) -> Sign:
    """Whether term >= 0 (strict: > 0) for every value of the variable in the domain."""
    search = _Search(term, name, domain, strict, deadline)
    try:
        reason = search.run()
    except Refuted as found:
        return Sign("refuted", point=found.point, holes=tuple(search.holes))
    outcome: Literal["proved", "unknown"] = "unknown" if reason else "proved"
    return Sign(
        outcome, None, tuple(search.zeros), tuple(search.approached), tuple(search.holes), reason or ""
    )


class _Search:
    def __init__(self, term: Any, name: str, domain: Domain, strict: bool, deadline: float) -> None:
        self.term, self.name, self.domain, self.strict = term, name, domain, strict
        self.deadline = deadline
        self.covered: list[tuple[arb, arb]] = []
        self.zeros: list[str] = []
        self.approached: list[str] = []
        self.holes: list[str] = []

    def run(self) -> str | None:
        """None when proved, the reason when not; raises Refuted."""
        ends = Segment(self._outer(-1), self._outer(1))
        if ends.low is not None and ends.high is not None and sign(_gap(ends)) < 0:
            return None  # the tails overlap: all of the domain is covered
        for point in simple_points(self.domain.low, self.domain.high):
            self._special(point)
        for end in (self.domain.low, self.domain.high):
            if end is not None:
                self._special(end)
        return self._bisect([ends])

    # --- ends and special points ----------------------------------------------------------------

    def _outer(self, side: int) -> Exact | None:
        """Settle the tail towards side*oo; returns where the rest of the domain begins."""
        end = self.domain.high if side > 0 else self.domain.low
        if end is not None:
            return end
        other = self.domain.low if side > 0 else self.domain.high
        germ = Germ(None, side)
        for order, start in product(ORDERS, STARTS):
            if other is not None and enclose(other) * side >= arb(start):
                continue
            if self._germ(germ, start, order):
                return germ.edge(start)  # type: ignore[no-any-return]
        return None

    def _germ(self, germ: Germ, start: fmpq, order: int) -> bool:
        """Whether the sign on one side of the point is settled for all t >= start."""
        if past(self.deadline):
            return False
        try:
            tail = germ.tail(self.term, self.name, start, order)
            direction = tail.sign()
        except Undefined:
            self.holes.append(f"{self.name} towards {germ.text}")
            return True
        except Refusal:
            return False
        if direction < 0 or (direction == 0 and self.strict):
            self._refute_towards(germ, start)
            return False
        if self.domain.integer and germ.point is not None:
            return True  # whole numbers do not come near to it
        limit = tail.limit()
        if direction == 0 or (limit is not None and not isinstance(limit, Interval) and not sign(limit)):
            self.approached.append(germ.text)
        return True

    def _refute_towards(self, germ: Germ, start: fmpq) -> None:
        for stretch in (1, 2, 16, 2**10):
            point = germ.edge(start * stretch)
            if not isinstance(point, fmpq):
                point = enclose(point).mid().fmpq()
            self._check(point)

    def _check(self, point: Exact) -> int | None:
        """The sign of h at an exact point of the domain; raises Refuted where it breaks the claim."""
        try:
            if not self.domain.holds(point):
                return None
            side = self._sign_at(point)
        except Refusal:
            return None
        if side < 0 or (side == 0 and self.strict):
            raise Refuted(point)
        return side

    def _sign_at(self, point: Exact) -> int:
        found = enclosed(self.term, {self.name: Interval.of(point)})
        if found.lo > 0 or found.hi < 0:
            return 1 if found.lo > 0 else -1
        return sign(at(self.term, {self.name: point}))

    def _special(self, point: Exact) -> bool:
        """At a zero, a pole or an undefined point: settle both sides by exact expansions."""
        try:
            if self._sign_at(point) != 0:
                self._check(point)
                return False
            self._check(point)
            if self.domain.holds(point):
                self.zeros.append(str(point))
        except Undefined:
            if self.domain.holds(point):
                self.holes.append(f"{self.name} = {point}")
        except Refusal:
            return False
        return self._settle(point)

    def _settle(self, point: Exact) -> bool:
        """Cover a neighbourhood of the point, as wide as the expansions allow."""
        reach = {}
        for side in (-1, 1):
            end = self.domain.low if side < 0 else self.domain.high
            if end is not None and sign(_minus(point, end)) * side >= 0:
                reach[side] = enclose(point)
                continue
            for order, start in product(ORDERS, NEIGHBOURHOODS):
                edge = Germ(point, side).edge(start)
                if self._leaves(edge, side):
                    continue
                if self._germ(Germ(point, side), start, order):
                    reach[side] = enclose(edge)
                    break
            else:
                return False
        self.covered.append((reach[-1].upper(), reach[1].lower()))
        return True

    def _leaves(self, edge: Exact, side: int) -> bool:
        end = self.domain.low if side < 0 else self.domain.high
        return end is not None and sign(_minus(edge, end)) * side > 0

    # --- boxes ------------------------------------------------------------------------------------

    def _bisect(self, boxes: list[Segment]) -> str | None:
        tried: set[int] = set()
        while boxes:
            unresolved = [box for box in boxes if not self._resolved(box)]
            clusters = _clusters(unresolved)
            for cluster in clusters:
                self._touch(cluster, tried)
            unresolved = [box for box in unresolved if not self._is_covered(box)]
            narrow = [box for box in unresolved if box.width < TINY * (1 + abs(arb(box.middle)))]
            if not unresolved:
                return None
            if narrow or len(unresolved) > MAX_UNRESOLVED or past(self.deadline):
                return _stuck(self.name, unresolved)
            boxes = [half for box in unresolved for half in box.split()]
        return None

    def _touch(self, cluster: Segment, tried: set[int]) -> None:
        """Look for an exact point of touch in a narrow cluster of boxes, at a few widths."""
        if not cluster.width < SMALL:
            return
        depth = int(cluster.width.log().floor().fmpq().p) // 6
        key = hash((depth, int((arb(cluster.middle) * 64).floor().fmpq().p)))
        if key in tried:
            return
        tried.add(key)
        box = cluster.interval
        ends = box.lo.fmpq(), box.hi.fmpq()
        for point in candidates(*(turning_point(self.term, self.name, *ends) or (box.lo, box.hi))):
            if self._special(point):
                return

    def _is_covered(self, box: Segment) -> bool:
        interval = box.interval
        return any(low <= interval.lo and interval.hi <= high for low, high in self.covered)

    def _resolved(self, box: Segment) -> bool:
        """Whether h >= 0 (strict: > 0) is shown on the whole box; raises Refuted."""
        if self._is_covered(box):
            return True
        if self.domain.integer and box.width <= 1:
            return all(self._check(fmpq(k)) is not None for k in box.integers)
        interval = box.interval
        try:
            found = enclosed(self.term, {self.name: interval})
            if self._good(found):
                return True
            if found.hi < 0:
                self._check(box.middle)
            return self._by_slope(box, interval)
        except Undefined:
            self.holes.append(f"{self.name} in {interval}")
            return True
        except Imprecise:
            return False

    def _good(self, found: Interval) -> bool:
        return bool(found.lo > 0) if self.strict else bool(found.lo >= 0)

    def _by_slope(self, box: Segment, interval: Interval) -> bool:
        """Monotone boxes need one end; others the mean value form h(m) + h'(box) (box - m)."""
        term = smoothed(self.term, {self.name: interval})
        found = enclosed(term, {self.name: interval})
        try:
            slope = enclosed(differentiate(term, self.name), {self.name: interval})
        except Refusal:
            return False
        self._check(box.middle)
        if not (slope.whole and slope.is_finite and found.whole):
            return False
        if slope.lo >= 0 and box.low is not None:
            return self._end(box.low, bool(slope.lo > 0))
        if slope.hi <= 0 and box.high is not None:
            return self._end(box.high, bool(slope.hi < 0))
        if not interval.is_finite:
            return False
        point = Interval.of(box.middle)
        centred = enclosed(term, {self.name: point}) + slope * (interval - point)
        return self._good(found.meet(centred))

    def _end(self, end: Exact, strictly: bool) -> bool:
        """h is least at this end of its box."""
        try:
            side = self._sign_at(end)
        except Refusal:
            return False
        self._check(end)
        if side == 0 and self.domain.holds(end) and str(end) not in self.zeros:
            self.zeros.append(str(end))
        return side > 0 or (side == 0 and (not self.strict or strictly))


def _minus(left: Any, right: Any) -> Any:
    return left - right


def _gap(segment: Segment) -> Any:
    return _minus(segment.high, segment.low)


def _clusters(boxes: list[Segment]) -> list[Segment]:
    """Neighbouring boxes joined."""
    joined: list[Segment] = []
    for box in boxes:
        if joined and joined[-1].high is not None and joined[-1].high == box.low:
            joined[-1] = Segment(joined[-1].low, box.high)
        else:
            joined.append(box)
    return joined


def _stuck(name: str, boxes: list[Segment]) -> str:
    first = _clusters(boxes)[0]
    return f"the sign near {name} = {arb(first.middle).str(8, radius=False)} is not decided"
