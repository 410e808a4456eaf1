"""Bounds at sizes that nobody searches: norm(v, 1) <= 10 norm(v) breaks at 101 entries, and at none before.

A point of blocks costs the same at every size. Where one breaks the bound in balls, each size is made as
small as it goes; where one comes within 1% of it, the bound is tight.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import floor, isqrt
from typing import Any

import sympy as sp
from flint import fmpq

from verifier.claim.model import Claim
from verifier.evidence import Budget, Counterexample, Finding, Tightness
from verifier.exact.values.recheck import recheck
from verifier.expr import nodes as N
from verifier.expr.symbols import FixedMatrix
from verifier.expr.walk import expand_lets, walk
from verifier.prove.blocks.assumptions_at_blocks import holds
from verifier.prove.blocks.block import Block
from verifier.prove.blocks.block_numbers import BALLS, EXPRESSIONS
from verifier.prove.blocks.block_points import NUMERIC, Point, Search, free_sizes, needed
from verifier.prove.blocks.evaluate import At
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.refusal import Refusal

NAME = "symbolic"
_ORDERS = (10**2, 10**4, 10**8, 10**64)  # the last one for gaps that close like 1/log(n)
_SECONDS, _SHARE = 0.5, 0.3
_SMALL, _LARGEST_NUMBER = 2, 10**6
_TIGHT, _SURE = Fraction(1, 100), 1e-9
_WRITTEN_OUT = 400  # entries of all matrices together, for a second look without blocks
_REFUSED = (
    N.Expectation,
    N.Variance,
    N.Covariance,
    N.Growth,
    N.Order,
    N.Limit,
    N.Extreme,
    N.After,
    N.Infinity,
)


def with_large_sizes(claim: Claim, fact: N.Relation | N.Within, found: Finding, budget: Budget) -> Finding:
    """What was found of a bound, with what large sizes say of it where that is open."""
    if found.truth != "unknown" or found.vacuous is not None:
        return found
    far = examine_far(claim, fact, Clock(min(_SECONDS, _SHARE * budget.seconds)), budget.seed)
    if far is None:
        return found
    if far.truth == "false":
        # What was found of the sides is still true of them, and what is offered in their place rests on it.
        return replace(far, lhs=far.lhs or found.lhs, rhs=far.rhs or found.rhs)
    return replace(found, tightness=far.tightness)


def examine_far(claim: Claim, fact: N.Relation | N.Within, clock: Clock, seed: int) -> Finding | None:
    """False at a point of blocks, or open and tight there; None where neither is seen."""
    if not isinstance(fact, N.Relation) or fact.op == "==" or claim.layers is not None or claim.growing:
        return None
    if not (fact.left.shape.is_scalar and fact.right.shape.is_scalar):
        return None
    free = free_sizes(claim, (fact,))
    names = [name for name in claim.symbols if name in free]
    if not names or any(isinstance(node, _REFUSED) for node in walk(expand_lets(fact))):
        return None
    best: tuple[Fraction, Point] | None = None
    for sizes in _plans(names, fact):
        if clock.left <= 0:
            break
        point = _furthest(claim, fact, sizes, clock, seed)
        excess = None if point is None else _excess(point, fact)
        if point is None or excess is None:
            continue
        if excess.lower() > 0:
            return _false(claim, fact, point)
        gap = Fraction(float((-excess).upper()))
        if min(sizes.values()) >= _SMALL and (best is None or gap < best[0]):
            best = gap, point
    if best is None or best[0] > _TIGHT or fact.right == N.Number(Fraction(0)):
        return None
    gap, point = best
    tight = Tightness(True, Fraction(0), max(gap, Fraction(0)), where=point.shown())
    return Finding(NAME, "unknown", tightness=tight, reason="no point of large size breaks it")


def _plans(names: list[str], fact: N.Relation) -> Iterator[dict[str, int]]:
    """All sizes alike, as large as numbers that the relation has or of some order; then one of them large."""
    for size in (*_told_by_numbers(fact), *_ORDERS):
        yield dict.fromkeys(names, size)
    for name in names if len(names) > 1 else ():
        for size in _ORDERS[:2]:
            yield dict.fromkeys(names, _SMALL) | {name: size}


def _told_by_numbers(fact: N.Relation) -> list[int]:
    """c, c**2 and sqrt(c), and the next whole ones, for every number c of the relation."""
    found: dict[int, None] = {}
    for node in walk(expand_lets(fact)):
        if isinstance(node, N.Number) and 2 < abs(node.value) <= _LARGEST_NUMBER:
            whole = floor(abs(node.value))
            for base in (whole, whole**2, isqrt(whole)):
                found |= dict.fromkeys((base, base + 1))
    return [size for size in found if size > 2]


def _furthest(claim: Claim, fact: N.Relation, sizes: dict[str, int], clock: Clock, seed: int) -> Point | None:
    """The point of blocks that comes furthest beyond the bound, and that the assumptions surely allow."""

    def goal(at: At) -> float | None:
        found = _beyond(at, fact)
        return None if found is None else float(found)

    with suppress(Refusal, *NUMERIC):
        point = Search(claim, (fact,), sizes, goal, _SURE, lambda: clock.left <= 0).run(seed, starts=2)
        if point is not None and all(holds(point.at(EXPRESSIONS), given) for given in claim.constraints):
            return point
    return None


def _beyond(at: At, fact: N.Relation) -> Any:
    """How far beyond the right side the left one is, relative to it. Where it is 0 there is no gap, and what
    is beyond it counts as it is."""
    left, right = at.scalar(fact.left), at.scalar(fact.right)
    beyond = left - right if fact.op in ("<=", "<") else right - left
    if right > 0 or right < 0:
        return beyond / abs(right)
    return beyond if beyond > 0 else None


def _excess(point: Point, fact: N.Relation) -> Any:
    """The same in balls."""
    with suppress(Refusal, *NUMERIC):
        found = _beyond(point.at(BALLS), fact)
        return found if found is not None and found.is_finite() else None
    return None


def _false(claim: Claim, fact: N.Relation, point: Point) -> Finding | None:
    point = _smallest(claim, fact, point)
    written = _written_out(claim, fact, point)
    if written is not None:
        checked = recheck(claim, fact, written)
        if checked.outcome == "true":
            return None  # one of the two is mistaken
        if checked.outcome == "false":
            words = "a counterexample, checked in exact arithmetic"
            return Finding(NAME, "false", checked.grade, words, counterexample=checked.counterexample)
    at = point.at(BALLS)
    left, right = (float(at.scalar(side).mid()) for side in (fact.left, fact.right))
    example = Counterexample(point.shown(), left, right)
    return Finding(
        NAME, "false", "certified", "a counterexample, checked in interval arithmetic", counterexample=example
    )


def _smallest(claim: Claim, fact: N.Relation, point: Point) -> Point:
    """Each size as small as bisection makes it while the same blocks break the bound."""
    for name in point.sizes:
        low, high = 0, point.sizes[name]
        while high - low > 1:
            middle = (low + high) // 2
            moved = replace(point, sizes={**point.sizes, name: middle})
            low, high = (low, middle) if _breaks(claim, fact, moved) else (middle, high)
        point = replace(point, sizes={**point.sizes, name: high})
    return point


def _breaks(claim: Claim, fact: N.Relation, point: Point) -> bool:
    excess = _excess(point, fact)
    if excess is None or not excess.lower() > 0:
        return False
    with suppress(Refusal, *NUMERIC):
        return all(holds(point.at(EXPRESSIONS), given) for given in claim.constraints)
    return False


def _written_out(claim: Claim, fact: N.Relation, point: Point) -> dict[str, Any] | None:
    """The point with every entry, where these are few and rational."""
    at = point.at(EXPRESSIONS)
    found: dict[str, Any] = dict(point.sizes)
    entries = 0
    for declared in needed(claim, (fact,)):
        block = at.symbols.get(declared.name)
        if block is None or declared.copies is not None:
            continue
        if not isinstance(declared.kind, FixedMatrix):
            number = sp.nsimplify(block.scalar) if block.scalar.is_Rational else None
            if number is None:
                return None
            found[declared.name] = fmpq(int(number.p), int(number.q))
            continue
        entries += sum(block.rows) * sum(block.cols)
        if entries > _WRITTEN_OUT or not all(value.is_Rational for value in block.entries()):
            return None
        found[declared.name] = _entries(block)
    return found


def _entries(block: Block) -> tuple[tuple[fmpq, ...], ...]:
    rows = [r for r, size in enumerate(block.rows) for _ in range(size)]
    cols = [c for c, size in enumerate(block.cols) for _ in range(size)]
    return tuple(
        tuple(
            _exact(block.diagonal(r) if block.shift and i == j else block.value[r][c])
            for j, c in enumerate(cols)
        )
        for i, r in enumerate(rows)
    )


def _exact(value: Any) -> fmpq:
    return fmpq(int(value.p), int(value.q))
