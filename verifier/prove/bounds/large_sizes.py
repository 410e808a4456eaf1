"""Relations at given sizes that no matrix is written out for: broken, or touched, at a point of blocks.

`where: {n: 197, d: 768}` leaves matrices of 151,296 entries. A point of blocks is a handful of numbers there
(`blocks`), so a relation is tried at simple matrices of that very size, and what breaks it is checked in ball
arithmetic. A true bound that comes within 1% at one of them is tight.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, ctx

from verifier.claim.model import Claim
from verifier.evidence import Budget, Counterexample, Finding, Tightness
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import walk
from verifier.prove.blocks.block import Block
from verifier.prove.blocks.block_numbers import BALLS, EXPRESSIONS
from verifier.prove.blocks.block_points import NUMERIC, Point, Search, needed
from verifier.prove.blocks.evaluate import At
from verifier.prove.forms.refusal import Refusal
from verifier.prove.growth.magnitude_relations import allowed, plans
from verifier.prove.scalars.scalar_refusal import Clock, Refused

NAME = "symbolic"
LARGE = 16  # points with fewer rows and columns are written out by others
BITS = 200
CLEAR = 1e-6  # a relative excess that is no rounding error
WITHIN = Fraction(1, 100)
SHARE = 0.25
MOST_TEXT = 60
_FREE = ("matrix", "vector")


def at_given_sizes(
    claim: Claim, fact: N.Relation | N.Within, budget: Budget, judge: Callable[[Budget], Finding]
) -> Finding:
    """Where the given sizes are large, points of blocks come first: others write matrices out."""
    clock = Clock(budget.seconds)
    large = examine_large(claim, fact, budget.seconds, budget.seed)
    rest = replace(budget, seconds=clock.left)
    if large is None or large.truth == "false":
        return large or judge(rest)
    try:
        with clock.guard(0.9):
            found = judge(rest)
    except Refused:
        return large
    is_open = found.truth == "unknown" or is_open_bound(fact, found)
    return replace(found, tightness=large.tightness) if is_open else found


def is_open_bound(fact: N.Relation | N.Within, found: Finding) -> bool:
    """A true bound of which nobody knows yet how close it comes."""
    known = found.tightness is not None and found.tightness.tight is not None
    return found.truth == "true" and not known and isinstance(fact, N.Relation) and fact.op != "=="


def examine_large(claim: Claim, fact: N.Relation | N.Within, seconds: float, seed: int) -> Finding | None:
    """Refuted at a point of blocks, or how close a bound comes there; None where no size is large."""
    if not isinstance(fact, N.Relation) or not is_large(fact) or not _is_plain(claim, fact):
        return None
    clock = Clock(seconds)
    before = ctx.prec
    ctx.prec = BITS
    try:
        found = _refuted(claim, fact, seed, lambda: clock.spent > SHARE * seconds)
        return found or _touched(claim, fact, seed, lambda: clock.spent > 2 * SHARE * seconds)
    except (Refusal, *NUMERIC):
        return None
    finally:
        ctx.prec = before


def is_large(fact: N.Relation) -> bool:
    """Whether a matrix in it has many rows or columns, by the sizes that are given."""
    sizes = (end.constant for node in walk(fact) for end in (node.shape.rows, node.shape.cols))
    return any(size is not None and size >= LARGE for size in sizes)


def _is_plain(claim: Claim, fact: N.Relation) -> bool:
    """Whether the kinds of the symbols are kept by the values that points of blocks have, and by
    substitutions."""
    if any(isinstance(node, N.Derivative) for node in walk(fact)):  # which may not exist at simple points
        return False
    for assumption in claim.assumptions:
        given = assumption.substitution
        if given is not None and not _is_any(claim.symbols[given[0].name]):
            return False
    return all(_is_kept(declared) for declared in needed(claim, (fact,)))


def _is_any(declared: K.Declared) -> bool:
    kind = declared.kind
    return isinstance(kind, K.Real) or (isinstance(kind, K.FixedMatrix) and kind.family in _FREE)


def _is_kept(declared: K.Declared) -> bool:
    match declared.kind:
        case K.Interval(low, high):
            return isinstance(low, N.Number | N.Infinity) and isinstance(high, N.Number | N.Infinity)
        case K.Real() | K.Positive() | K.Integer() | K.Dimension() | K.IndexOf() | K.FixedMatrix():
            return True
    return False


def _refuted(claim: Claim, fact: N.Relation, seed: int, late: Callable[[], bool]) -> Finding | None:
    def goal(at: At) -> float | None:
        found = [_excess(fact.op, float(a), float(b)) for a, b in _pairs(at, fact)]
        return max((value for value in found if not math.isnan(value)), default=None)

    for sizes in plans(claim, (fact,)):
        search = Search(claim, (fact,), sizes, goal, CLEAR, late, moving=True)
        point = search.run(seed)
        broken = None if point is None or not allowed(claim, point) else _broken(point, fact)
        if broken is not None:
            return broken
    return None


def _excess(op: str, left: float, right: float) -> float:
    """By how much the relation is broken, relative to its sides."""
    difference = left - right if op in ("<=", "<") else right - left
    difference = abs(difference) if op == "==" else difference
    return difference / (abs(left) + abs(right)) if difference else 0.0


def _pairs(at: At, fact: N.Relation) -> Iterator[tuple[Any, Any]]:
    """Both sides, entry by entry; a scalar meets every entry."""
    left, right = at.value(fact.left), at.value(fact.right)
    if left.is_scalar or right.is_scalar:
        for a in _entries(left):
            yield from ((a, b) for b in _entries(right))
    else:
        yield from zip(_entries(left), _entries(right), strict=True)


def _entries(block: Block) -> Iterator[Any]:
    """One entry of each kind that there is: off the diagonal of a class of one there is none."""
    square = block.rows == block.cols
    for r, height in enumerate(block.rows):
        for c in range(len(block.cols)):
            if not (square and r == c and height == 1):
                yield block.value[r][c]
        if square:
            yield block.diagonal(r)


def _broken(point: Point, fact: N.Relation) -> Finding | None:
    """The counterexample, where balls are sure that the relation is false."""
    for at, (left, right) in enumerate(_pairs(point.at(BALLS), fact)):
        if not _is_false(fact.op, left, right):
            continue
        exact = list(_pairs(point.at(EXPRESSIONS), fact))[at]
        texts = [_text(side) for side in exact]
        example = Counterexample(point.shown(), _number(left), _number(right), texts[0], texts[1])
        reason = "a counterexample of the given sizes, checked in interval arithmetic"
        return Finding(NAME, "false", "certified", reason, counterexample=example)
    return None


def _is_false(op: str, left: arb, right: arb) -> bool:
    above, below = bool(left > right), bool(left < right)
    return {"<=": above, "<": above, ">=": below, ">": below, "==": above or below}.get(op, False)


def _number(value: arb) -> float:
    return float(value.mid())


def _text(value: sp.Expr) -> str | None:
    """A short number of rationals and roots, as the language writes it."""
    simple = sp.nsimplify(value) if value.is_Rational else sp.sqrtdenest(sp.simplify(value))
    plain = not simple.free_symbols and all(
        isinstance(part, sp.Rational | sp.Add | sp.Mul | sp.Pow) for part in sp.preorder_traversal(simple)
    )
    return str(simple) if plain and len(str(simple)) <= MOST_TEXT else None


def _touched(claim: Claim, fact: N.Relation, seed: int, late: Callable[[], bool]) -> Finding | None:
    """The bound comes within 1% of its right side: it is tight, if it is true."""
    if fact.op == "==" or not fact.left.shape.is_scalar:
        return None

    def closeness(at: At) -> float | None:
        gap = _gap(at, fact)
        return None if gap is None or math.isnan(float(gap)) else -float(gap)

    for sizes in plans(claim, (fact,)):
        search = Search(claim, (fact,), sizes, closeness, -float(WITHIN) / 2, late, moving=True)
        point = search.run(seed)
        if point is None or not allowed(claim, point):
            continue
        gap = _gap(point.at(BALLS), fact)
        if gap is not None and gap <= float(WITHIN):
            tight = Tightness(True, None, Fraction(float(gap.upper())), where=point.shown())
            return Finding(NAME, "unknown", reason="it is touched at the given sizes", tightness=tight)
    return None


def _gap(at: At, fact: N.Relation) -> Any:
    """(rhs - lhs)/|rhs|, mirrored for >=; None where the right side may be 0."""
    left, right = at.scalar(fact.left), at.scalar(fact.right)
    if not right > 0 and not right < 0:
        return None
    return ((right - left) if fact.op in ("<=", "<") else (left - right)) / abs(right)
