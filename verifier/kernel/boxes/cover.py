"""A cover of a region by boxes, as a proof writes it down: the region is split again and again, and on every
part that is left the function is bounded.

    [{"split": ["x", "1/2"]}, "bound", {"meets": "1"}]

is x <= 1/2 and x >= 1/2, where the first part comes first; so nothing can be left out, and no part overlaps
another but in its end.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb, fmpq

from verifier.kernel.boxes.evaluate import written
from verifier.kernel.boxes.interval import INFINITE, MINUS_INFINITE, Interval
from verifier.kernel.boxes.region import Region
from verifier.kernel.boxes.sign import Gap
from verifier.kernel.points.data import RATIONAL
from verifier.kernel.rejected import Rejected

MOST_PARTS = 4_000


def check_cover(gap: Gap, region: Region, parts: object, strict: bool) -> None:
    """Accepts a function that is positive (or not negative) on every part of the cover."""
    if not isinstance(parts, Sequence) or isinstance(parts, str) or len(parts) > MOST_PARTS:
        raise Rejected("data", f"a cover is a list of at most {MOST_PARTS} parts")
    todo: list[Region | None] = [region]
    for part in parts:
        if not todo:
            raise Rejected("data", "more parts than the region is split into")
        here = todo.pop()
        match part:
            case "bound":
                if here is not None and not gap.is_positive(here, strict):
                    raise Rejected("condition", f"not known to have the right sign {_where(here)}")
            case {"split": [str() as name, at], **other} if not other:
                first, second = _halves(here, name, _rational(at))
                todo += [second, first]
            case {"meets": at, **other} if not other:
                if strict or (here is not None and not gap.meets_zero(here, _rational(at))):
                    raise Rejected("condition", "no minimum of 0 that is known to be one")
            case _:
                raise Rejected("data", "a part of a cover is `bound`, a split, or where 0 is met")
    if todo:
        raise Rejected("condition", "a part of the region that is not covered")


def _halves(region: Region | None, name: str, at: Fraction) -> Iterator[Region | None]:
    if region is None:
        return iter((None, None))
    keys = [key for key in region.box if written(key) == name]
    if not keys:
        raise Rejected("data", "a split by something else than a variable")
    middle = arb(fmpq(at.numerator, at.denominator))
    if not middle.is_exact():
        raise Rejected("data", "a split is at a binary fraction")
    sides = Interval(MINUS_INFINITE, middle), Interval(middle, INFINITE)
    return iter([region.within(keys[0], side) for side in sides])


def _rational(value: object) -> Fraction:
    if not isinstance(value, str) or not RATIONAL.fullmatch(value):
        raise Rejected("data", "a number is a fraction as text")
    above, _, below = value.partition("/")
    if below and not int(below):
        raise Rejected("data", "a fraction over zero")
    return Fraction(int(above), int(below or 1))


def _where(region: Region) -> str:
    ends = (f"{written(key)} in [{part.low.str(6)}, {part.high.str(6)}]" for key, part in region.box.items())
    return f"where {', '.join(ends)}"
