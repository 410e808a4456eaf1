"""Covers of regions by boxes: a region is halved until the kernel tells the sign of the gap on every part."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from flint import arb, ctx, fmpq

from verifier.expr.nodes import Relation
from verifier.kernel.boxes import interval as iv
from verifier.kernel.boxes.evaluate import Key, written
from verifier.kernel.boxes.interval import Interval
from verifier.kernel.boxes.region import Region, bounded
from verifier.kernel.boxes.sign import Gap
from verifier.kernel.context import Context
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.intervals import BITS, gap_of
from verifier.proofs.linear import ends, given

MOST_VARIABLES, MOST_PARTS, DEEPEST = 4, 500, 40
NEAR = arb(fmpq(1, 2))  # where a minimum of 0 is looked for, the part is no wider

Part = str | dict[str, object]


class NoCover(Exception):
    """The gap is negative somewhere, or there are too many parts."""


def covers(context: Context, fact: Relation) -> Iterator[Proof]:
    """A proof by a cover, where one is found."""
    small, large, strict = ends(Proof("", Holds(fact)))
    if not (small.shape.is_scalar and large.shape.is_scalar):
        return
    before, ctx.prec = ctx.prec, BITS
    try:
        gap, region = gap_of(context, Relation("<=", small, large))
        if len(region.box) > MOST_VARIABLES:
            return
        premises, cut = _premises(context, fact, gap, region)
        parts = [] if cut is None else list(Search(gap, strict).of(cut, DEEPEST))
    except (NoCover, Rejected):
        return
    finally:
        ctx.prec = before
    yield Proof("cover", Holds(fact), premises, {"cover": parts})


def _premises(
    context: Context, fact: Relation, gap: Gap, region: Region
) -> tuple[tuple[Proof, ...], Region | None]:
    """What is assumed of single variables, and what it leaves of the region."""
    used: list[Proof] = []
    cut: Region | None = region
    for proof in given(context, fact):
        if proof.rule != "assumption" or cut is None:
            continue
        assert isinstance(proof.conclusion, Holds)
        assert isinstance(proof.conclusion.fact, Relation)
        try:
            smaller = bounded(context, cut, [proof.conclusion.fact], gap.budget)
        except Rejected:
            continue
        if smaller is None or smaller.box != cut.box:
            used.append(proof)
            cut = smaller
    return tuple(used), cut


class Search:
    """Halves regions, and counts the parts."""

    def __init__(self, gap: Gap, strict: bool) -> None:
        self.gap, self.strict, self.count = gap, strict, 0

    def of(self, region: Region | None, depth: int) -> Iterator[Part]:
        """The parts of a cover, in the order in which the kernel reads them."""
        self.count += 1
        if self.count > MOST_PARTS or not depth:
            raise NoCover
        if region is None or self.gap.is_positive(region, self.strict):
            yield "bound"
            return
        if not self.strict and (at := self._minimum(region)) is not None:
            yield {"meets": str(at)}
            return
        if not region.box or self._is_negative(region):
            raise NoCover
        key = max(region.box, key=lambda each: _width(region.box[each]))
        at = _middle(region.box[key])
        if at is None:
            raise NoCover
        yield {"split": [written(key), str(at)]}
        middle = arb(fmpq(at.numerator, at.denominator))
        yield from self.of(region.within(key, Interval(iv.MINUS_INFINITE, middle)), depth - 1)
        yield from self.of(region.within(key, Interval(middle, iv.INFINITE)), depth - 1)

    def _is_negative(self, region: Region) -> bool:
        """Whether one point shows that there is no such cover."""
        centre: dict[Key, Interval] = {}
        for key, part in region.box.items():
            at = _middle(part)
            ball = part.low if at is None else arb(fmpq(at.numerator, at.denominator))
            if key in region.whole:
                ball = ball.floor()
            centre[key] = Interval(ball, ball)
        return bool(self.gap.over(Region(centre, region.whole, region.positive)).high < 0)

    def _minimum(self, region: Region) -> Fraction | None:
        """The simplest number of a narrow part, if the gap has its minimum of 0 there."""
        if len(region.box) != 1:
            return None
        ((_, part),) = region.box.items()
        if not part.is_finite or not part.high - part.low <= NEAR:
            return None
        at = simplest(_exact(part.low), _exact(part.high))
        return at if self.gap.meets_zero(region, at) else None


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator between two."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = floor(low)
    if low == whole:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def _exact(ball: iv.Ball) -> Fraction:
    value = ball.fmpq()
    return Fraction(int(value.p), int(value.q))


def _width(part: Interval) -> iv.Ball:
    return (part.high - part.low).upper() if part.is_finite else iv.INFINITE


def _middle(part: Interval) -> Fraction | None:
    """Where to split: in the middle, or far out where an end is infinite; None for a single number."""
    low, high = part.low.is_finite(), part.high.is_finite()
    if low and high:
        total = _exact(part.low) + _exact(part.high)
        return total / 2 if part.low < part.high else None
    if low:
        return Fraction(max(2, 2 * ceil(_exact(part.low)) + 1)) if part.low >= 0 else Fraction(0)
    if high:
        return Fraction(min(-2, 2 * floor(_exact(part.high)) - 1)) if part.high <= 0 else Fraction(0)
    return Fraction(0)
