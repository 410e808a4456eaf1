"""Points at which a normal variable is spread little, moderately and much.

    E f(s z) -> f(0) for s -> 0,        E f(s z) -> (f(oo) + f(-oo))/2 for s -> oo,

and a bound on such a mean is often reached, or broken, only there. Both sides are evaluated from their
definitions in interval arithmetic: what is found is a counterexample, or how close a true bound comes.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import arb

from verifier.claim.model import Claim
from verifier.evidence import Finding, Tightness
from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, FixedMatrix, Positive
from verifier.expr.walk import walk
from verifier.rigorous.closed import enclose
from verifier.rigorous.compare import compare_claim
from verifier.rigorous.recheck import admissible, recheck
from verifier.symbolic.clock import Clock
from verifier.symbolic.points import Point, points

_FACTORS = (Fraction(1), Fraction(1, 32), Fraction(64), Fraction(1, 256), Fraction(4), Fraction(1024))
_BASES = 3
_TRIED = 24
_TIGHT = Fraction(1, 100)
AVERAGES = (N.Expectation, N.Variance, N.Covariance)


def stretched(claim: Claim, fact: N.Relation, seed: int, least: int = 1) -> Iterator[Point]:
    """Small points, free sizes from `least` on, with positive scalars (or else the matrices) scaled."""
    bases: list[Point] = []
    for tried, point in enumerate(points(claim, fact, {}, seed)):
        sizes = [v for k, v in point.items() if isinstance(claim.symbols[k].kind, Dimension)]
        if all(size >= least for size in sizes) and point not in bases:
            bases.append(point)
        if len(bases) == _BASES or tried > _TRIED:
            break
    for factor in _FACTORS:
        for base in bases:
            yield {name: _scaled(claim, base, name, factor) for name in base}


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
    best: Tightness | None = None
    for point in stretched(claim, fact, seed, least=2):
        if clock.left < 0.3 * clock.seconds:
            break
        gap = _gap(claim, fact, point)
        if (
            gap is not None
            and gap <= _TIGHT
            and (best is None or best.gap_high is None or gap < best.gap_high)
        ):
            shown = {k: v if isinstance(v, int | list) else str(v) for k, v in point.items()}
            best = Tightness(True, Fraction(0), gap, where=shown)
            if gap <= _TIGHT / 10:
                break
    return best


def _gap(claim: Claim, fact: N.Relation, point: Point) -> float | None:
    """An upper bound of (rhs - lhs)/|rhs|, mirrored for >="""
    if admissible(claim, point).outcome != "true":
        return None
    found = compare_claim(claim, fact, point)
    if found.outcome != "true" or found.left is None or found.right is None:
        return None
    left, right = enclose(found.left[0][0]), enclose(found.right[0][0])
    if right.contains(arb(0)):
        return None
    room = (right - left) if fact.op == "<=" else (left - right)
    return float((room / abs(right)).upper())
