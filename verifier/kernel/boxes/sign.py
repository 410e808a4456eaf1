"""Whether a function is never negative on a box: by its values, by its slopes, or by a minimum of 0."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, fmpq

from verifier.expr.dims import Dim
from verifier.kernel.boxes import interval as iv
from verifier.kernel.boxes.evaluate import Enclosure, Key, spread
from verifier.kernel.boxes.interval import Interval
from verifier.kernel.boxes.region import Region
from verifier.kernel.boxes.tails import Tails
from verifier.kernel.budget import Budget
from verifier.kernel.core import terms as T
from verifier.kernel.core.derive import Slope
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected


def _no_derivative(*_: object) -> T.Term:
    raise Rejected("outside", "the derivative of something of which too little is known")


@dataclass
class Gap:
    """A function of variables, and the same as a normal form: one of the two often encloses better."""

    term: T.Term
    algebra: ZeroTest
    budget: Budget
    slopes: dict[Key, "Gap"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.forms = [self.term]
        try:
            other = self.algebra.term_of(self.algebra.normal(self.term))
            self.forms.append(spread(other, {}, self.budget))
        except Rejected:
            return

    def by(self, key: Key) -> "Gap":
        """The derivative by a variable."""
        if key not in self.slopes:
            name, at = key
            slope = Slope(name, tuple(map(Dim.of, at)), {}, _no_derivative, _no_derivative, self.budget)
            found = spread(slope.of(self.term), {}, self.budget)
            self.slopes[key] = Gap(found, self.algebra, self.budget)
        return self.slopes[key]

    # Enclosures

    def over(self, region: Region) -> Interval:
        """All values on the region."""
        found = iv.REALS
        for form in self.forms:
            for value in self._enclosures(form, region):
                found = iv.common(found, value)
        return found

    def _enclosures(self, form: T.Term, region: Region) -> Iterator[Interval]:
        try:
            yield Enclosure(region.box, region.positive, self.budget).of(form)
        except Rejected as rejected:
            if rejected.reason == "too-large":
                raise
        tail = self._tail(region)
        if tail is not None:
            try:
                yield tail.bounds(tail.of(form))
            except Rejected as rejected:
                if rejected.reason == "too-large":
                    raise

    def _tail(self, region: Region) -> Tails | None:
        """One variable runs to infinity, and is at least 1 in size."""
        far = [key for key, part in region.box.items() if not part.is_finite]
        if len(far) != 1:
            return None
        part = region.box[far[0]]
        if part.low >= 1:
            return Tails(far[0], 1, part.low, region.box, self.budget)
        return Tails(far[0], -1, -part.high, region.box, self.budget) if part.high <= -1 else None

    def is_continuous(self, region: Region) -> bool:
        """Whether the function, as written, has a value all over the region and does not jump."""
        enclosure = Enclosure(region.box, region.positive, self.budget)
        try:
            enclosure.of(self.term)
        except Rejected:
            return False
        return not enclosure.jumps

    # Signs

    def is_positive(self, region: Region, strict: bool) -> bool:
        """Whether it is positive (or, unless `strict`, not negative) all over the region."""
        if _is_signed(self.over(region), strict):
            return True
        try:
            return self.is_continuous(region) and self._by_slopes(region, strict)
        except Rejected as rejected:
            if rejected.reason == "too-large":
                raise
            return False

    def _by_slopes(self, region: Region, strict: bool) -> bool:
        """From a corner where all slopes lead upwards, or from the middle where a slope has no sign."""
        corner, room = dict(region.box), iv.of_number(0)
        for key, part in region.box.items():
            if part.low == part.high:
                continue
            slope = self.by(key).over(region)
            at = part.low if slope.low >= 0 else part.high if slope.high <= 0 else None
            if at is None:
                if not part.is_finite:
                    return False
                at = part.ball.mid()
                reach = (part.high - at).max(at - part.low).upper()
                room = iv.plus(room, iv.times(slope, Interval(-reach, reach)))
            if not at.is_finite():
                return False
            corner[key] = Interval(at, at)
        there = Region(corner, region.whole, region.positive)
        return _is_signed(iv.plus(self.over(there), room), strict) or (
            not strict and room == iv.of_number(0) and self._is_zero_at(there)
        )

    def _is_zero_at(self, there: Region) -> bool:
        """Exactly, by its normal form."""
        values = {key: part.low.fmpq() for key, part in there.box.items() if part.low == part.high}
        if len(values) != len(there.box) or not self.is_continuous(there):
            return False
        exact = {key: Fraction(int(value.p), int(value.q)) for key, value in values.items()}
        try:
            return self.algebra.is_zero(self.algebra.normal(_at(self.term, exact)))
        except Rejected:
            return False

    def meets_zero(self, region: Region, at: Fraction) -> bool:
        """A function of one variable that is convex here, and has a minimum of 0 at a point of the region."""
        if len(region.box) != 1 or not self.is_continuous(region):
            return False
        ((key, part),) = region.box.items()
        if not part.holds(arb(fmpq(at.numerator, at.denominator))):
            return False
        slope = self.by(key)
        if not slope.is_continuous(region) or not slope.by(key).over(region).low >= 0:
            return False
        try:
            values = [self.algebra.normal(_at(form.term, {key: at})) for form in (self, slope)]
        except Rejected:
            return False
        return all(map(self.algebra.is_zero, values))


def _is_signed(found: Interval, strict: bool) -> bool:
    return bool(found.low > 0 or (not strict and found.low >= 0))


def _at(term: T.Term, values: dict[Key, Fraction]) -> T.Term:
    """The term with numbers in the place of variables."""
    if isinstance(term, T.Var):
        found = values.get((term.name, tuple(position.constant or 0 for position in term.at)))
        return term if found is None else T.number(found)
    return T.rebuilt(term, lambda part: _at(part, values))
