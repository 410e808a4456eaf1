"""A point of blocks made simpler, for a person to check by hand: small sizes, zeros, plain patterns."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.prove.blocks.block_patterns import PEAK, PEAKS, SHAPES, Pattern
from verifier.prove.blocks.block_points import Choice, Point, Search

FAMILIAR = ("zeros", "all equal", "the identity", "e_1 e_1'", *SHAPES)
SIZES = (1, 2)
ROUNDS = 2


def simpler(search: Search, point: Point, free: set[str]) -> Point:
    """Go down from one point to a simpler one, one symbol at a time, as long as the goal stays as far up as
    it needs to be; sizes that nobody gave come first."""
    least = search.value(point)
    if least is None:
        return point
    least = min(least, search.enough)
    point = _smaller(search, point, least, free)
    options = replace(search, sizes=point.sizes).options()
    for _ in range(ROUNDS):
        before = point
        for name, choices in (options or {}).items():
            cheaper = sorted((c for c in choices if cost(c) < cost(point.choices[name])), key=cost)
            tried = (replace(point, choices={**point.choices, name: choice}) for choice in cheaper)
            point = next((there for there in tried if _reaches(search, there, least)), point)
        if point == before or search.out_of_time():
            break
    return _smaller(search, point, least, free)


def _smaller(search: Search, point: Point, least: float, free: set[str]) -> Point:
    """The free sizes as small as can be: all of them at once, then one after the other."""
    for names in (tuple(free), *((name,) for name in sorted(free))):
        tried = (replace(point, sizes={**point.sizes, **dict.fromkeys(names, size)}) for size in SIZES)
        smaller = (there for there in tried if sum(there.sizes.values()) < sum(point.sizes.values()))
        point = next((there for there in smaller if _is_kept(search, there, least)), point)
    return point


def _is_kept(search: Search, point: Point, least: float) -> bool:
    """At other sizes the assumptions about single symbols must be looked at again."""
    there = replace(search, sizes=point.sizes)
    return there.allows(point) and _reaches(there, point, least)


def _reaches(search: Search, point: Point, least: float) -> bool:
    if search.out_of_time():
        return False
    value = search.value(point)
    return value is not None and value >= least


def cost(choice: Choice) -> tuple[int, ...]:
    """How much there is to a choice: familiar matrices and peaks first, no norm to divide by, no factor."""
    if isinstance(choice, Fraction):
        return abs(choice.numerator) + 3 * (choice.denominator - 1), choice < 0
    return _factor(choice) + 2 * (choice.scale != "one"), _place(choice)


def _factor(pattern: Pattern) -> int:
    return 0 if pattern.factor == 1 else 1 if pattern.factor > 1 else 2


def _place(pattern: Pattern) -> int:
    known = (*FAMILIAR, *_peaks())
    return known.index(pattern.name) if pattern.name in known else len(known)


def _peaks() -> Iterator[str]:
    for place in ("", " in column 1", " in row 1, the other rows uniform"):
        yield from (f"{PEAK}{peak}{place}" for peak in PEAKS)
