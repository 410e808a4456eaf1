"""How close a bound comes to what it bounds, and the closed form of what it could be."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import torch

from verifier.evidence import Curve, Tightness
from verifier.expr.nodes import (
    Add,
    Apply,
    Divide,
    Multiply,
    Negate,
    Node,
    Number,
    Pi,
    Power,
    Subtract,
    Symbol,
)
from verifier.expr.symbols import Integer
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.search.bounds import Bound
from verifier.search.cells import Design
from verifier.search.exact import Judge, roundings
from verifier.search.hunt import Hunt, Objective, Worst
from verifier.search.recognise import fit, number, times, value
from verifier.search.shrink import shrink
from verifier.search.space import Domain
from verifier.timer import worked

TIGHT = Fraction(1, 100)
CLOSE = Fraction(1, 10**6)
ATTAINED = 1e-5
STEP, TRIALS, DRIFT = 1e-7, 3, 5e-3
SMALL = 1e-3  # a distance from 0 that may be one of the search and not of the bound
SCALES = (1e-8, 1e-6, 1e-4, 1e-2, 1e2, 1e4, 1e6, 1e8)
MAX_SHOWN = 64  # numbers of one matrix that a person would read


@dataclass(frozen=True)
class Measured:
    """How tight a relation is, and the improved side as a tree."""

    tightness: Tightness
    better: Node | None = None


def measure(hunt: Hunt, judge: Judge, deadline: float) -> Measured | None:
    """The gap of one bound from what the hunt found; None where it found nothing to go by."""
    found = _measured(hunt, judge, deadline)
    if found is not None and found.tightness.tight is False and _leads_out(hunt):
        return Measured(replace(found.tightness, tight=None, better=None))
    return found


def _leads_out(hunt: Hunt) -> bool:
    """The bound comes closest at the largest or the least integer that was tried: others may be closer."""
    known = [w for w in hunt.found if math.isfinite(w.best)]
    best = max(known, key=lambda w: w.best)
    for name in hunt.domain.sized(Integer):
        tried = [w.sizes[name] for w in known]
        if best.sizes[name] in (min(tried), max(tried)):
            return True
    return False


def _measured(hunt: Hunt, judge: Judge, deadline: float) -> Measured | None:
    known = [w for w in hunt.found if hunt.domain.counts_for_tightness(w.sizes) and math.isfinite(w.best)]
    large = known if hunt.bound.is_zero else [w for w in map(steady, known) if math.isfinite(w.best)]
    if not large:
        return None
    best = max(large, key=lambda w: w.best)
    if hunt.bound.is_zero:
        return _from_zero(hunt, large, best)
    shown = _shown(hunt.bound, judge, best, hunt.domain, deadline)
    if shown is not None:
        gap, design = shown
        words = "the bound is attained" if gap <= CLOSE else "the bound is approached"
        return Measured(
            Tightness(True, Fraction(0), max(gap, Fraction(0)), where=judge.values(design), note=words)
        )
    distance = abs(min(best.best, 0.0))
    if distance <= float(TIGHT):
        return Measured(Tightness(True, 0.0, distance, where=readable(best), note="the bound is approached"))
    better = improved(hunt, large)
    where = readable(best)
    note = f"the search comes no closer than {distance:.3g} of the right side"
    return Measured(Tightness(False, distance, distance, text_of(better), where, note), better)


def steady(worst: Worst) -> Worst:
    """Without the points where the ratio is one of rounding errors.

    Where both sides vanish, what is left of them in floating point may have any ratio. A step too
    small to matter brings the true values back, and a ratio that it changes was never there."""
    if not worst.objective.cell.width or not len(worst.points):
        return worst
    draw = torch.Generator().manual_seed(0)
    sizes = worst.points.abs().amax(dim=1, keepdim=True).clamp(min=1e-30)
    keeps = torch.zeros(len(worst.points), dtype=torch.bool)
    for _ in range(TRIALS):
        shake = torch.randn(worst.points.shape, generator=draw, dtype=worst.points.dtype)
        moved = worst.objective.excess(worst.points + STEP * sizes * shake)
        # Off the domain nothing is learned; on it the excess must be about what it was.
        keeps |= (moved >= worst.excess - DRIFT * (1 + worst.excess.abs())) | moved.isinf()
    return replace(worst, points=worst.points[keeps], excess=worst.excess[keeps])


def text_of(node: Node | None) -> str | None:
    return None if node is None else to_text(node)


def _from_zero(hunt: Hunt, large: list[Worst], best: Worst) -> Measured:
    """A constant 0 is tight if approached."""
    if max(best.best, *map(_far_off, large)) >= -1e-7:
        return Measured(Tightness(True, note="0 is approached", where=readable(best)))
    sign = 1 if hunt.bound.side == "upper" else -1
    found = fit([(w.sizes, sign * w.best) for w in large], hunt.domain.dimensions)
    better = found if found is not None and _stands(hunt, found, large) else None
    words = f"it stays {-best.best:.3g} away from 0"
    if better is None and -best.best < SMALL:
        # Nobody knows whether a longer search would have come closer.
        return Measured(Tightness(None, where=readable(best), note=words))
    return Measured(Tightness(False, better=text_of(better), where=readable(best), note=words), better)


def _far_off(worst: Worst) -> float:
    """The largest excess along the rays through the points that were found, far out and near 0."""
    scales = [worst.objective.excess(worst.points * scale) for scale in SCALES] if len(worst.points) else []
    found = [float(excess[excess.isfinite()].max()) for excess in scales if bool(excess.isfinite().any())]
    # A crossing would have been found where it counts; here it is a rounding error.
    return min(max(found, default=-math.inf), 0.0)


def _shown(
    bound: Bound, judge: Judge, best: Worst, domain: Domain, deadline: float
) -> tuple[Fraction, Design] | None:
    """An exact point where the gap is at most 1%, as simple as it gets."""
    if best.best < -0.02:
        return None
    for limit in (CLOSE, TIGHT):
        for design in roundings(best.objective.cell, best.points[0]):
            if worked() > deadline:
                return None
            gap = judge.gap(bound, design)
            if gap is None or gap > limit:
                continue

            def close(candidate: Design, limit: Fraction = limit) -> bool:
                if not domain.counts_for_tightness(candidate.sizes):
                    return False
                found = judge.gap(bound, candidate)
                return found is not None and found <= limit

            simple = shrink(design, close, dict(domain.claim.symbols), deadline)
            reached = judge.gap(bound, simple)
            return (gap if reached is None else reached), simple
    return None


def improved(hunt: Hunt, large: list[Worst]) -> Node | None:
    """What the stated side could be: c * shape(sizes) * what is left of it without sizes and constants.

    Smaller cells are searched better than larger ones, so the fit goes through as many as it can
    from the smallest on, three at least; the others may stay below it, and none may lie above."""
    bound, domain = hunt.bound, hunt.domain
    ordered = sorted(large, key=lambda w: (w.objective.cell.width, sum(w.sizes.values())))
    known = [(w, _ratio(w, bound)) for w in ordered]
    sized, rest = split(bound.stated, frozenset(domain.dimensions))
    table = [(w.sizes, ratio * value(sized, w.sizes)) for w, ratio in known if ratio is not None]
    for count in range(len(table), min(2, len(table) - 1), -1):
        shape = fit(table[:count], domain.dimensions)
        if shape is not None:
            found = times(shape, rest)
            return found if _stands(hunt, found, ordered[:count]) else None
    return _scaled(hunt, [(w, ratio) for w, ratio in known if ratio is not None])


def _scaled(hunt: Hunt, known: list[tuple[Worst, float]]) -> Node | None:
    """A constant times the stated side, where that is attained at some sizes only."""
    if not known or hunt.bound.is_zero:
        return None
    pick = max if hunt.bound.side == "upper" else min
    best, ratio = pick(known, key=lambda item: item[1])
    factor = number(ratio)
    found = None if factor is None else times(factor, hunt.bound.stated)
    return found if found is not None and _stands(hunt, found, [best]) else None


def _ratio(worst: Worst, bound: Bound) -> float | None:
    """bounded/stated at the worst point: 1 + excess for an upper bound of positive sign, and so on."""
    plain = Bound(bound.stated, Number(Fraction(0)), Number(Fraction(0)), "upper")
    stated = float(Objective(worst.objective.cell, plain).excess(worst.points[:1])[0])
    if not math.isfinite(stated) or stated == 0 or not math.isfinite(worst.best):
        return None
    sign = 1.0 if stated > 0 else -1.0
    return 1 + sign * worst.best if bound.side == "upper" else 1 - sign * worst.best


def ratios(hunt: Hunt) -> Iterator[Curve]:
    """The largest (for >= the smallest) ratio of the sides that was found at each size, for a picture."""
    if hunt.bound.is_zero:
        return
    pick = max if hunt.bound.side == "upper" else min
    for name in hunt.domain.dimensions:
        by_size: dict[int, float] = {}
        for worst in hunt.found:
            ratio, size = _ratio(worst, hunt.bound) if len(worst.points) else None, worst.sizes[name]
            if ratio is not None:
                by_size[size] = pick(ratio, by_size.get(size, ratio))
        if len(by_size) >= 3:
            sizes = sorted(by_size)
            line = tuple(by_size[size] for size in sizes)
            held = "all other symbols at the worst that was found"
            yield Curve("ratio", name, tuple(map(float, sizes)), {"left side": line}, held=held)


def split(node: Node, sizes: frozenset[str]) -> tuple[Node, Node | None]:
    """The factors that only sizes determine, and the rest: 2*sqrt(n)*norm(A)/5 = (2*sqrt(n)/5) * norm(A)."""
    if _is_plain(node, sizes):
        return node, None
    match node:
        case Multiply(left, right):
            (a, x), (b, y) = split(left, sizes), split(right, sizes)
            return Multiply(a, b), y if x is None else x if y is None else Multiply(x, y)
        case Divide(left, right):
            (a, x), (b, y) = split(left, sizes), split(right, sizes)
            return Divide(a, b), x if y is None else Divide(x or Number(Fraction(1)), y)
        case Negate(arg):
            a, x = split(arg, sizes)
            return Multiply(Number(Fraction(-1)), a), x
    return Number(Fraction(1)), node


def _is_plain(node: Node, sizes: frozenset[str]) -> bool:
    """A tree of sizes and constants that `recognise.value` can read."""
    return all(
        isinstance(part, Number | Pi | Add | Subtract | Multiply | Divide | Power)
        or (isinstance(part, Symbol) and part.name in sizes)
        or (isinstance(part, Apply) and part.function in ("sqrt", "exp", "log", "min", "max"))
        for part in walk(node)
    )


def _stands(hunt: Hunt, better: Node, attained: list[Worst]) -> bool:
    """The improved bound judged as one of its own: attained at the sizes searched well, crossed at none."""
    bound = hunt.bound
    tighter = bound.restated(better)
    for found in hunt.found:
        excess = Objective(found.objective.cell, tighter).excess(found.points)
        top = float(excess.max()) if len(excess) else -math.inf
        known = any(found.objective is worst.objective for worst in attained)
        if top > ATTAINED or (known and top < -ATTAINED):
            return False
    again = Hunt(hunt.domain, tighter, np.random.default_rng(7), worked() + 0.3)
    small = sorted(hunt.found, key=lambda w: w.objective.cell.width)[:3]
    return all(again.at(w.objective.cell, worked() + 0.1).best <= ATTAINED for w in small)


def readable(worst: Worst) -> dict[str, object]:
    """The worst point to four digits: where a person would look."""
    with torch.no_grad():
        scope = worst.objective.cell.bind(worst.points[0])
    found: dict[str, object] = dict(worst.sizes)
    for name, tensor in scope.values.items():
        if tensor.numel() > MAX_SHOWN:
            found[name] = f"{tensor.numel()} numbers"
            continue
        rows = [[float(f"{x:.4g}") for x in row] for row in tensor.reshape(-1, tensor.shape[-1]).tolist()]
        found[name] = rows[0][0] if tensor.numel() == 1 else rows
    return found


def of_range(hunts: list[Hunt]) -> Measured | None:
    """Each end of `in` is tight within 1% of the true range's width."""
    ends = {hunt.bound.side: hunt for hunt in hunts}
    extremes: dict[str, tuple[float, float, Worst]] = {}
    for side, hunt in ends.items():
        found = [w for w in hunt.found if hunt.domain.counts_for_tightness(w.sizes) and math.isfinite(w.best)]
        values = [(_reached(hunt.bound, w), w) for w in found]
        if not values:
            return None
        (reached, end), best = max(values, key=lambda item: item[0][0] if side == "upper" else -item[0][0])
        extremes[side] = reached, end, best
    if set(extremes) != {"upper", "lower"}:
        return None
    top, high, where_high = extremes["upper"]
    bottom, low, where_low = extremes["lower"]
    width = top - bottom
    off = max(high - top, bottom - low)
    if off <= 0.01 * width:
        gap = max(off, 0.0) / width if width > 0 else 0.0
        return Measured(Tightness(True, 0.0, gap, note="both ends are approached"))
    better_low, better_high = number(bottom), number(top)
    better = None
    if better_low is not None and better_high is not None:
        better = f"[{to_text(better_low)}, {to_text(better_high)}]"
    where = readable(where_high if high - top > bottom - low else where_low)
    relative = off / width if width > 0 else None
    return Measured(
        Tightness(
            False, relative, relative, better, where, f"the values found fill [{bottom:.6g}, {top:.6g}]"
        )
    )


def _reached(bound: Bound, worst: Worst) -> tuple[float, float]:
    """The bounded side and the end of the range, at the worst point and in its outermost entry."""
    return _outermost(bound.bounded, bound.side, worst), _outermost(bound.stated, bound.side, worst)


def _outermost(node: Node, side: str, worst: Worst) -> float:
    zero = Number(Fraction(0))
    plain = Bound(node, zero, zero, "upper") if side == "upper" else Bound(zero, node, zero, "lower")
    found = float(Objective(worst.objective.cell, plain).excess(worst.points[:1])[0])
    return found if side == "upper" else -found
