"""Intervals of the real line with exact or infinite ends, and boxes inside them."""

from dataclasses import dataclass, replace
from typing import Any, final

from flint import arb, fmpq

from verifier.exact.numbers.constants import HALF, Exact, enclose, sign
from verifier.exact.numbers.interval import INF, NEG_INF, Interval


@final
@dataclass(frozen=True)
class Domain:
    """The values of one variable; an end that is None is infinite, an open end is left out."""

    low: Exact | None = None
    high: Exact | None = None
    low_open: bool = False
    high_open: bool = False
    integer: bool = False
    excluded: tuple[Exact, ...] = ()

    def holds(self, value: Exact) -> bool:
        """Whether an exact value is inside."""
        if any(sign(_minus(value, point)) == 0 for point in self.excluded):
            return False
        if self.low is not None:
            side = sign(_minus(value, self.low))
            if side < 0 or (side == 0 and self.low_open):
                return False
        if self.high is not None:
            side = sign(_minus(value, self.high))
            if side > 0 or (side == 0 and self.high_open):
                return False
        return not self.integer or (isinstance(value, fmpq) and value.q == 1)

    def is_open_end(self, value: Exact) -> bool:
        """Whether the value is an end that is itself left out."""
        low = self.low_open and self.low is not None and sign(_minus(value, self.low)) == 0
        high = self.high_open and self.high is not None and sign(_minus(value, self.high)) == 0
        return low or high

    def cut(self, op: str, end: Exact) -> "Domain":
        """This domain with `variable op end` added."""
        if op == "!=":
            return replace(self, excluded=(*self.excluded, end))
        open_end = op in ("<", ">")
        if op in ("<=", "<"):
            if self.high is None or sign(_minus(end, self.high)) < 0:
                return replace(self, high=end, high_open=open_end)
            tie = sign(_minus(end, self.high)) == 0
            return replace(self, high_open=self.high_open or (tie and open_end))
        if self.low is None or sign(_minus(end, self.low)) > 0:
            return replace(self, low=end, low_open=open_end)
        tie = sign(_minus(end, self.low)) == 0
        return replace(self, low_open=self.low_open or (tie and open_end))

    @property
    def is_empty(self) -> bool:
        if self.low is None or self.high is None:
            return False
        side = sign(_minus(self.high, self.low))
        return side < 0 or (side == 0 and (self.low_open or self.high_open))

    def text(self, name: str) -> str:
        """In words: "x over the whole real line"."""
        kind = "the integers in " if self.integer else ""
        if self.low is None and self.high is None:
            return f"{name} over the {'integers' if self.integer else 'whole real line'}"
        left = "(-oo" if self.low is None else f"{'(' if self.low_open else '['}{self.low}"
        right = "oo)" if self.high is None else f"{self.high}{')' if self.high_open else ']'}"
        return f"{name} over {kind}{left}, {right}"


def _minus(left: Exact, right: Exact) -> Any:
    return left - right


@final
@dataclass(frozen=True)
class Segment:
    """A box of one variable: low <= x <= high, exact ends or None for infinite ones."""

    low: Exact | None
    high: Exact | None

    @property
    def interval(self) -> Interval:
        low = NEG_INF if self.low is None else enclose(self.low).lower()
        return Interval(low, INF if self.high is None else enclose(self.high).upper())

    @property
    def middle(self) -> fmpq:
        """A rational inside: the midpoint, or twice as far out on a half line."""
        match self.low, self.high:
            case None, None:
                return fmpq(0)
            case low, None:
                return max(fmpq(1), 2 * _rational(low, up=True))
            case None, high:
                return min(fmpq(-1), 2 * _rational(high, up=False))
            case low, high:
                assert low is not None
                assert high is not None
                if isinstance(low, fmpq) and isinstance(high, fmpq):
                    return _short((low + high) * HALF, high - low)
                return enclose(_minus(high, low) * HALF + low).mid().fmpq()
        raise AssertionError

    def split(self) -> "tuple[Segment, Segment]":
        middle = self.middle
        return Segment(self.low, middle), Segment(middle, self.high)

    @property
    def integers(self) -> range:
        """The whole numbers in a box with finite ends."""
        interval = self.interval
        return range(int(interval.lo.ceil().fmpq().p), int(interval.hi.floor().fmpq().p) + 1)

    @property
    def width(self) -> arb:
        if self.low is None or self.high is None:
            return INF
        return enclose(_minus(self.high, self.low)).upper()


def _rational(value: "Exact | None", up: bool) -> fmpq:
    assert value is not None
    if isinstance(value, fmpq):
        return value
    ball = enclose(value)
    return (ball.upper() if up else ball.lower()).fmpq()


def _short(middle: fmpq, width: fmpq) -> fmpq:
    """A dyadic near the middle: ends stay cheap to compute with."""
    ball = arb(middle)
    near = ball.mid().fmpq()
    return near if abs(near - middle) < width / 8 else middle
