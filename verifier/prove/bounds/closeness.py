"""How close a bound between closed forms comes, at sizes of any order: points of blocks, pushed to equality.

gap = (rhs - lhs)/|rhs|, mirrored for >=. The point where it is least may have no small sizes: the mean of
four powers of signs, 3 norm(v)**4 - 2 sum(v[i]**4), comes as close to 3 norm(v)**4 as v is long.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.prove.blocks.assumptions_at_blocks import holds
from verifier.prove.blocks.block_numbers import BALLS, EXPRESSIONS
from verifier.prove.blocks.block_points import NUMERIC, Point, Search, free_sizes, used
from verifier.prove.blocks.evaluate import At
from verifier.prove.forms.refusal import Refusal

_SMALL, _LARGE = 2, 10**6
_NOTHING = 1e-3  # a gap that needs no improvement


@dataclass(frozen=True)
class Near:
    """A point of blocks, and an upper bound of the gap there."""

    gap: Fraction
    shown: Mapping[str, object]


def nearest(
    claim: Claim, bound: N.Relation, dims: Mapping[str, Dim], out_of_time: Callable[[], bool], seed: int
) -> Near | None:
    """The least gap found, every free size at least 2."""

    def closeness(at: At) -> float | None:
        gap = _gap(at, bound)
        return None if gap is None else -float(gap)

    best: Near | None = None
    for sizes in _sizes(claim, bound, dims):
        if out_of_time() or (best is not None and best.gap <= _NOTHING):
            break
        try:
            if not _allowed(claim, Point(claim, sizes), set(sizes)):
                continue
            found = Search(claim, (bound,), sizes, closeness, -_NOTHING, out_of_time).run(seed, starts=2)
        except (Refusal, *NUMERIC):
            return best
        near = None if found is None or not _allowed(claim, found) else _certain(found, bound)
        if near is not None and (best is None or near.gap < best.gap):
            best = near
    return best


def _sizes(claim: Claim, bound: N.Relation, dims: Mapping[str, Dim]) -> Iterator[dict[str, int]]:
    """All small, all large, and one of them unlike the others; sizes given by others follow these."""
    sizes = free_sizes(claim, (bound,))
    names = [name for name in claim.symbols if name in sizes]
    free = [name for name in names if name not in dims]
    plans = [dict.fromkeys(free, _SMALL), dict.fromkeys(free, _LARGE)]
    for name in free if len(free) > 1 else ():
        plans += [{**plans[0], name: _LARGE}, {**plans[1], name: _SMALL}]
    for plan in plans:
        needed = {x: plan.get(x, _SMALL) for name in names if name in dims for x in dims[name].names}
        yield plan | {name: dims[name].at(needed) for name in names if name in dims}


def _allowed(claim: Claim, point: Point, about: set[str] | None = None) -> bool:
    """Whether the assumptions hold there: all of them, or those that speak of these names alone."""
    facts = [fact for fact in claim.constraints if about is None or used(claim, fact) <= about]
    try:
        return not facts or all(holds(point.at(EXPRESSIONS), fact) for fact in facts)
    except (Refusal, *NUMERIC):
        return False


def _certain(point: Point, bound: N.Relation) -> Near | None:
    """The gap in balls, rounded up."""
    try:
        gap = _gap(point.at(BALLS), bound)
    except (Refusal, *NUMERIC):
        return None
    if gap is None or not gap.is_finite():
        return None
    return Near(Fraction(float(gap.upper())), point.shown())


def _gap(at: At, bound: N.Relation) -> Any:
    left, right = at.scalar(bound.left), at.scalar(bound.right)
    if not right > 0 and not right < 0:
        return None
    return ((right - left) if bound.op == "<=" else (left - right)) / abs(right)
