"""Points at which a normal variable is spread little, moderately and much.

    E f(s z) -> f(0) for s -> 0,        E f(s z) -> (f(oo) + f(-oo))/2 for s -> oo,

and a bound on such a mean is often reached, or broken, only there. Both sides are evaluated from their
definitions in interval arithmetic: what is found is a counterexample, or how close a true bound comes.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.compare_at_point import compare_claim
from verifier.exact.values.recheck import admissible, recheck
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, FixedMatrix, Positive, Real
from verifier.expr.walk import walk
from verifier.prove.equal.small_integer_points import Point, points
from verifier.prove.forms.deadline import Clock

_FACTORS = (
    Fraction(1),
    Fraction(1, 256),
    Fraction(64),
    Fraction(1, 32),
    Fraction(1024),
    Fraction(4),
    Fraction(1, 2**16),
)
_BASES = 4
_TRIED = 24
_TIGHT = Fraction(1, 100)
AVERAGES = (N.Expectation, N.Variance, N.Covariance)


def stretched(claim: Claim, fact: N.Relation, seed: int, least: int = 1) -> Iterator[Point]:
    """Small points, free sizes from `least` on, with positive scalars (or else the matrices) scaled."""
    bases = _bases(claim, fact, seed, least)
    for base in bases:
        for factor in _FACTORS:
            yield {name: _scaled(claim, base, name, factor) for name in base}


def _bases(claim: Claim, fact: N.Relation, seed: int, least: int) -> list[Point]:
    """A few small points: two with reals at 0 and rows along one axis, on one side and on both."""
    found: list[Point] = []
    for tried, point in enumerate(points(claim, fact, {}, seed)):
        sizes = [v for k, v in point.items() if isinstance(claim.symbols[k].kind, Dimension)]
        if all(size >= least for size in sizes):
            sides = (1, -1) if not found else ()
            plain = [{k: _plain(claim, k, v, side) for k, v in point.items()} for side in sides]
            found += [at for at in plain or [point] if at not in found]
        if len(found) >= _BASES or tried > _TRIED:
            break
    return found


def _plain(claim: Claim, name: str, value: Any, side: int) -> Any:
    """0, or rows along one axis, of another length for each matrix: all variables are then multiples."""
    match claim.symbols[name].kind:
        case Real():
            return 0
        case FixedMatrix("matrix" | "vector") if claim.symbols[name].copies is None:
            place, is_column = list(claim.symbols).index(name), len(value[0]) == 1
            length = (1 + place) * side**place
            places = [
                [i == 0 if is_column else j == 0 for j in range(len(row))] for i, row in enumerate(value)
            ]
            return [[length * int(there) for there in row] for row in places]
    return value


def _scaled(claim: Claim, point: Point, name: str, factor: Fraction) -> Any:
    positive = any(isinstance(claim.symbols[x].kind, Positive) for x in point)
    match claim.symbols[name].kind:
        case Positive():
            return point[name] * factor
        case FixedMatrix("matrix" | "vector") if not positive:
            return _times(point[name], factor)
    return point[name]


def _times(value: Any, factor: Fraction) -> Any:
    return [_times(item, factor) for item in value] if isinstance(value, list) else value * factor


def broken(claim: Claim, fact: N.Relation, clock: Clock, seed: int) -> Finding | None:
    """A point that breaks a relation between means; None where there is none among those tried."""
    if claim.layers is not None or not any(isinstance(x, AVERAGES) for x in walk(fact)):
        return None
    for point in stretched(claim, fact, seed):
        if clock.left < 0.3 * clock.seconds:
            return None
        found = recheck(claim, fact, point)
        if found.outcome == "unsupported" and not found.excluded:
            return None
        if found.outcome == "false":
            words = "a counterexample, checked in interval arithmetic"
            return Finding("symbolic", "false", found.grade, words, counterexample=found.counterexample)
    return None


def closeness(claim: Claim, fact: N.Relation, clock: Clock, seed: int) -> Tightness | None:
    """A point where a true bound is within 1% of being reached, sizes from 2 on; None if none is met."""
    if fact.right == N.Number(Fraction(0)):
        return Tightness(True, Fraction(0)) if _vanishes(claim, fact, seed) else None
    best: tuple[float, Point] | None = None
    for point in stretched(claim, fact, seed, least=2):
        found = sides_at(claim, fact, point) if clock.left > 0.3 * clock.seconds else None
        if found is None or found[1].contains(arb(0)):
            continue
        room = (found[1] - found[0]) if fact.op == "<=" else (found[0] - found[1])
        gap = float((room / abs(found[1])).upper())
        if gap <= _TIGHT and (best is None or gap < best[0]):
            best = (gap, point)
        if gap <= _TIGHT / 4:
            break
    if best is None:
        return None
    shown = {k: v if isinstance(v, int | list) else str(v) for k, v in best[1].items()}
    return Tightness(True, Fraction(0), best[0], where=shown)


def _vanishes(claim: Claim, fact: N.Relation, seed: int) -> bool:
    """Whether the left side falls by far from one spread to the next, twice: a constant 0 is approached."""
    for base in _bases(claim, fact, seed, 2)[:2]:
        for factors in ((Fraction(1), Fraction(1, 32), Fraction(1, 1024)), (1, 32, 1024)):
            at = [{name: _scaled(claim, base, name, Fraction(f)) for name in base} for f in factors]
            sizes = [abs(found[0]) if (found := sides_at(claim, fact, p)) else None for p in at]
            falls = [b is not None and a is not None and 16 * b < a for a, b in pairwise(sizes)]
            if all(falls):
                return True
    return False


def sides_at(claim: Claim, fact: N.Relation, point: Point) -> tuple[arb, arb] | None:
    """Both sides of a true relation at a point; they may be equal there."""
    if admissible(claim, point).outcome != "true":
        return None
    found = compare_claim(claim, fact, point)
    if found.outcome not in ("true", "undecided") or found.left is None or found.right is None:
        return None
    return enclose(found.left[0][0]), enclose(found.right[0][0])
