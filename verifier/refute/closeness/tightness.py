"""How close a bound comes to what it bounds, and the closed form of what it could be."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import torch

from verifier.evidence import Tightness
from verifier.expr.nodes import Node
from verifier.expr.symbols import Integer
from verifier.prove.rules.bound_form import Bound
from verifier.refute.ascent.rational_points import Judge, finest, roundings
from verifier.refute.ascent.shrink import shrink
from verifier.refute.ascent.worst_points import Hunt, Worst
from verifier.refute.closeness.closed_form_tables import fit
from verifier.refute.closeness.improved_sides import improved, stands, text_of
from verifier.refute.domain.domain_at_sizes import Design
from verifier.refute.domain.space import Domain
from verifier.timer import past

TIGHT = Fraction(1, 100)
CLOSE = Fraction(1, 10**6)
STEP, TRIALS, DRIFT = 1e-7, 3, 5e-3
NOISE = 1e-3  # relative: a gap that exact arithmetic does not confirm
SIZE = 1e-2  # of the numbers of a point that is to solve an equation
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
    large = [w for w in confirmed(hunt.bound, large, judge, deadline) if math.isfinite(w.best)]
    if not large:
        return None
    best = max(large, key=lambda w: w.best)
    distance = abs(min(best.best, 0.0))
    if distance <= float(TIGHT) and _nearly_solves(best):
        return None
    if distance <= float(TIGHT):
        return Measured(Tightness(True, 0.0, distance, where=readable(best), note="the bound is approached"))
    better = improved(hunt, large)
    where = readable(best)
    note = f"the search comes no closer than {distance:.3g} of the right side"
    return Measured(Tightness(False, distance, distance, text_of(better), where, note), better)


def _nearly_solves(worst: Worst) -> bool:
    """Small numbers satisfy C @ C == 0 to within what an ascent allows, whatever they are."""
    return worst.objective.cell.creeps and float(worst.points[0].abs().max()) < SIZE


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


def confirmed(bound: Bound, large: list[Worst], judge: Judge, deadline: float) -> list[Worst]:
    """With the gaps of exact arithmetic in the place of rounding errors, until the closest point has none."""
    checked: set[int] = set()
    while not past(deadline):
        at = max(range(len(large)), key=lambda i: large[i].best)
        if at in checked:
            break
        checked.add(at)
        large = [*large[:at], _exact_gaps(bound, large[at], judge), *large[at + 1 :]]
    return large


def _exact_gaps(bound: Bound, worst: Worst, judge: Judge) -> Worst:
    """The excess of each point as exact arithmetic has it; -inf where both sides vanish and there is none."""
    excess = []
    for point, found in zip(worst.points, worst.excess.tolist(), strict=True):
        there = finest(worst.objective.cell, point)
        ends = judge.gap_ends(bound, there)
        if ends is None:
            excess.append(-math.inf if judge.vanishes(bound, there) else found)
            continue
        low, high = map(float, ends)
        room = NOISE * (1 + abs(found))
        excess.append(found if low - room <= -found <= high + room else -high)
    values, order = torch.tensor(excess, dtype=worst.excess.dtype).sort(descending=True)
    return replace(worst, points=worst.points[order], excess=values)


def is_noise(hunt: Hunt, judge: Judge) -> bool:
    """Whether the closest point is close in floating point alone: where both sides vanish to a high order,
    a step that brings their values back is too large for `steady`."""
    worst = max(hunt.found, key=lambda w: w.best)
    if hunt.bound.is_zero or not len(worst.points) or worst.best < -float(TIGHT):
        return False
    ends = judge.gap_ends(hunt.bound, finest(worst.objective.cell, worst.points[0]))
    return ends is not None and ends[0] > 2 * TIGHT


def _from_zero(hunt: Hunt, large: list[Worst], best: Worst) -> Measured:
    """A constant 0 is tight if approached."""
    if max(best.best, *map(_far_off, large)) >= -1e-7:
        return Measured(Tightness(True, note="0 is approached", where=readable(best)))
    sign = 1 if hunt.bound.side == "upper" else -1
    found = fit([(w.sizes, sign * w.best) for w in large], hunt.domain.dimensions)
    better = found if found is not None and stands(hunt, found, large) else None
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
            if past(deadline):
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
