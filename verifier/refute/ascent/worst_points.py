"""The worst point of a bound at each choice of sizes, from small sizes to larger ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import torch
from torch import Tensor

from verifier.prove.rules.bound_form import Bound
from verifier.refute.ascent.ascend import climb
from verifier.refute.ascent.binding_constraints import finished
from verifier.refute.ascent.many_points import promising
from verifier.refute.ascent.plateaus import beyond
from verifier.refute.domain.domain_at_sizes import Cell, Sizes
from verifier.refute.domain.matrix_families import Scalar
from verifier.refute.domain.size_levels import cells_of
from verifier.refute.domain.space import Domain
from verifier.refute.domain.starts import TEMPLATES, starts, structured
from verifier.sample.compile.compile import evaluate
from verifier.sample.unsupported import UndefinedError
from verifier.timer import past, worked

BATCH = 48
KEPT = 6
FIRST = 4  # sizes that get the most time: an answer needs three of at least 2
PROBED = 4
ANCHORS = 64
INWARDS = (0.03, 0.1, 0.3, 0.6)
FEASIBLE = 1e-9
TINY = 1e-250
AT_ZERO = 1.0  # the excess of a point that breaks a bound whose stated side is 0 there
NEARBY = 1e-4  # relative: far enough from such a point for its neighbours to have a gap
PENALTIES = (10.0, 1e4, 1e7)
AGREE = 1e-3
SETTLED = 1e-5
TIGHT = 0.01
DEAR = 24  # evaluations that a search of one cell takes at least
FLAT = 1e-12
LEAST_FINISHING = 0.2  # seconds
STRETCH = tuple(10.0**k for k in (-6, -3, -2, -1, 1, 2, 3, 6))


@dataclass(frozen=True)
class Objective:
    """How far above the stated side the bounded one comes, (small - large)/|measure|: > 0 breaks it."""

    cell: Cell
    bound: Bound

    def _one(self, raw: Tensor) -> tuple[Tensor, Tensor]:
        scope = self.cell.bind(raw)
        small, large = evaluate(self.bound.small, scope), evaluate(self.bound.large, scope)
        excess = small - large
        if not self.bound.is_zero:
            measure = evaluate(self.bound.measure, scope).abs()
            # Where the stated side is 0 the gap is not defined, unless the bound is broken there.
            relative = excess / measure.clamp(min=TINY)
            excess = torch.where(measure > TINY, relative, torch.where(excess > TINY, AT_ZERO, torch.nan))
        overflown = ~(torch.isfinite(small) & torch.isfinite(large) & torch.isfinite(excess))
        excess = torch.where(overflown, -torch.inf, excess)
        broken = self.cell.broken(scope)
        return excess.amax(), torch.stack([broken.amax(), (broken * broken).sum()])

    @cached_property
    def _batched(self) -> Callable[[Tensor], tuple[Tensor, Tensor]]:
        batched: Callable[[Tensor], tuple[Tensor, Tensor]] = torch.func.vmap(self._one)
        return batched

    def excess_at(self, raw: Tensor) -> Tensor:
        """Of one point, with slopes."""
        return self._one(raw)[0]

    def margins(self, raw: Tensor) -> tuple[Tensor, Tensor]:
        """Of one point: what the assumptions leave, at most 0 where they hold, and which are equations."""
        return self.cell.margins(self.cell.bind(raw))

    def score(self, raw: Tensor, penalty: float = 0.0) -> Tensor:
        """What the ascent climbs: bounded, so that one huge value does not hide the others.

        Broken assumptions cost their square, which is smooth; the price rises as the ascent goes on."""
        excess, broken = self._batched(raw)
        squashed = torch.where(excess.isinf(), -torch.inf, excess / (1 + excess.abs()))
        return squashed - penalty * broken[:, 1] if self.cell.penalties else squashed

    def broken(self, raw: Tensor) -> Tensor:
        """The worst of the assumptions, 0 where all hold."""
        return self._batched(raw)[1][:, 0]

    def excess(self, raw: Tensor) -> Tensor:
        """The excess itself; -inf where an assumption is broken or a side has no value."""
        if not len(raw):
            return raw.new_zeros(0)
        with torch.no_grad():
            excess, broken = self._batched(raw)
        excess = torch.where(excess.isnan() | ~(broken[:, 0] <= FEASIBLE), -torch.inf, excess)
        return torch.where(self._left_over(raw, excess), -torch.inf, excess)

    def _left_over(self, raw: Tensor, excess: Tensor) -> Tensor:
        """Where the stated side is 0 and the other only a rounding error: what is positive there is so
        nearby, where the stated side is small."""
        doubtful = excess == AT_ZERO
        if not self.cell.width or not bool(doubtful.any()):
            return torch.zeros_like(doubtful)
        draw = torch.Generator().manual_seed(0)
        unit = raw.abs().amax(dim=1, keepdim=True).clamp(min=TINY)
        moved = raw + NEARBY * unit * torch.randn(raw.shape, generator=draw, dtype=raw.dtype)
        with torch.no_grad():
            return doubtful & ~(self._batched(moved)[0] > 0)


@dataclass(frozen=True, eq=False)
class Worst:
    """The worst points found at one choice of sizes, worst first."""

    objective: Objective
    points: Tensor
    excess: Tensor
    agreeing: int = 0  # how many independent runs ended as high as the best
    finished: bool = False  # the time sufficed for all assumptions to be driven home

    @staticmethod
    def nowhere(objective: Objective) -> "Worst":
        """Nothing found yet."""
        width = objective.cell.width
        return Worst(
            objective, torch.zeros(0, width, dtype=torch.float64), torch.zeros(0, dtype=torch.float64)
        )

    @property
    def sizes(self) -> Sizes:
        return self.objective.cell.sizes

    @property
    def settled(self) -> bool:
        """Several runs found the same worst case, or one that leaves nothing to find."""
        return self.finished and (self.agreeing > 1 or self.best > -SETTLED or not self.objective.cell.width)

    @property
    def reached(self) -> bool:
        """Settled, or so close to the bound that it is tight there."""
        return self.settled or (self.finished and self.best > -TIGHT)

    @property
    def best(self) -> float:
        return float(self.excess[0]) if len(self.excess) else -float("inf")

    def without(self, noise: Tensor) -> "Worst":
        """Without points whose excess was a rounding error; if there are no others, with an excess of 0."""
        if bool(noise.all()):
            return replace(self, excess=self.excess.clamp(max=0.0))
        return replace(self, points=self.points[~noise], excess=self.excess[~noise])

    def merged(self, points: Tensor) -> "Worst":
        """With more candidates."""
        everything = torch.cat([self.points, points])
        excess = torch.cat([self.excess, self.objective.excess(points)])
        order = torch.argsort(excess, descending=True)[:KEPT]
        return replace(self, points=everything[order], excess=excess[order])


def worst(objective: Objective, rng: np.random.Generator, batch: int, deadline: float) -> Worst:
    """Structured points as they are, then the ascent, then stretching and a last ascent."""
    cell = objective.cell
    empty = Worst.nowhere(objective)
    simple = structured(cell, rng, max(batch, len(TEMPLATES)))
    found = empty.merged(torch.cat([simple, 30 * simple]))
    if cell.width == 0:
        return replace(found, agreeing=1, finished=True)
    climbed = _climbed(objective, starts(cell, rng, batch), 30, deadline)
    found = found.merged(climbed)
    # Where assumptions bind, Newton's steps are few, and worth more than all further ascents.
    ended = _finished(
        objective, torch.cat([climbed, found.points]), max(deadline, worked() + LEAST_FINISHING)
    )
    found = found.merged(ended)
    if abs(found.best) <= SETTLED:
        outside = beyond(objective, rng, batch)
        found = found.merged(torch.cat([outside, _climbed(objective, outside, 40, deadline)]))
    if not cell.penalties:
        found = found.merged(_climbed(objective, promising(objective, rng, deadline), 30, deadline))
    if not past(deadline):
        found = found.merged(_stretched(cell, found.points[:2]))
        found = found.merged(_climbed(objective, found.points, 40, deadline))
    agreeing = int((objective.excess(climbed) >= found.best - AGREE * (1 + abs(found.best))).sum())
    done = not cell.penalties or len(ended) > 0 or not past(deadline)
    return replace(found, agreeing=agreeing, finished=done)


def flat(found: Worst) -> bool:
    """Numbers alone, of which none moves the excess: exp(-1000*x**2) is 0 nearly everywhere, and 1 at 0."""
    cell = found.objective.cell
    if not cell.variables or not all(isinstance(v.family, Scalar) for v in cell.variables):
        return False
    excess = found.objective.excess(starts(cell, np.random.default_rng(0), BATCH))
    seen = excess[excess.isfinite()]
    return len(seen) > 1 and float(seen.max() - seen.min()) <= FLAT


def _climbed(objective: Objective, points: Tensor, iterations: int, deadline: float) -> Tensor:
    """The ascent; under assumptions that are not built in, with a rising price and a last step inwards."""
    if not len(points):
        return points
    if not objective.cell.penalties:
        return climb(objective.score, points, iterations, deadline)[0]
    begun = points
    for penalty in PENALTIES:
        points, _ = climb(partial(objective.score, penalty=penalty), points, iterations, deadline)
    inside = _inwards(objective, points, torch.cat([points, begun]))
    return torch.cat([points, inside])


def _finished(objective: Objective, points: Tensor, deadline: float) -> Tensor:
    """From the points that an ascent with a high price likes best, to the very edge of what is allowed."""
    if not objective.cell.penalties:
        return points[:0]
    with torch.no_grad():
        score = torch.nan_to_num(objective.score(points, PENALTIES[-1]), nan=-torch.inf)
    liked = torch.argsort(score, descending=True)
    return finished(objective, points[liked], deadline)


def _stretched(cell: Cell, points: Tensor) -> Tensor:
    """Each variable scaled towards 0 and infinity, alone and with all others."""
    found = []
    for scale in STRETCH:
        found.append(points * scale)
        start = 0
        for variable in cell.variables:
            moved = points.clone()
            moved[:, start : start + variable.count] *= scale
            found.append(moved)
            start += variable.count
    return torch.cat(found)


def _inwards(objective: Objective, points: Tensor, known: Tensor) -> Tensor:
    """Points that break an assumption, pulled towards one that keeps all: of a convex set, into it."""
    if not objective.cell.penalties or not len(points):
        return points[:0]
    with torch.no_grad():
        outside = points[objective.broken(points) > 0]
        kept = known[objective.broken(known) == 0]
        if not len(outside) or not len(kept):
            return points[:0]
        # In the middle of several there is room on all sides.
        middle = kept.mean(dim=0, keepdim=True)
        anchor = middle[0] if bool(objective.broken(middle) == 0) else kept[0]
    steps = 1 - torch.logspace(-7, 0, 15, dtype=torch.float64)
    pulled = anchor + steps[:, None, None] * (outside - anchor)
    excess = objective.excess(pulled.reshape(-1, points.shape[1])).reshape(len(steps), -1)
    best = torch.argmax(excess, dim=0)
    return pulled[best, torch.arange(len(outside))]


def inside(objective: Objective, worst: Tensor, rng: np.random.Generator) -> Tensor:
    """Points off the boundary of the assumptions, the worst first: what is rounded there stays allowed.

    The worst point is moved a little, then more, towards points that keep all assumptions."""
    if not objective.cell.penalties:
        return worst[None][:0]
    drawn = torch.cat([structured(objective.cell, rng, ANCHORS), starts(objective.cell, rng, ANCHORS)])
    with torch.no_grad():
        anchors = drawn[objective.broken(drawn) == 0][:ANCHORS]
    moved = torch.cat([drawn, *(worst + step * (anchors - worst) for step in INWARDS)])
    excess = objective.excess(moved)
    order = torch.argsort(excess, descending=True)
    return moved[order][excess[order] > 0][:KEPT]


@dataclass
class Hunt:
    """Goes through the sizes; what was found stays here."""

    domain: Domain
    bound: Bound
    rng: np.random.Generator
    deadline: float
    found: list[Worst] = field(default_factory=list)
    cells: Callable[[Cell], list[Cell]] = lambda cell: [cell]  # what becomes of each cell

    def run(self) -> Iterator[Worst]:
        """One entry per choice of sizes, until all are done or the time is over."""
        cells = list(cells_of(self.domain, limit=7 if len(self.domain.dimensions) < 2 else 12))
        if any(cell.penalties for cell in cells):
            cells = cells[:5]  # each takes several ascents
        cells = [part for cell in cells for part in self.cells(cell)]
        for at, cell in enumerate(cells):
            now = worked()
            if now > self.deadline:
                return
            # Where time is short, rather few sizes well than many badly.
            share = (self.deadline - now) / (min(FIRST, len(cells) - at) if at < FIRST else len(cells) - at)
            yield self.at(cell, now + share)

    def at(self, cell: Cell, deadline: float) -> Worst:
        """The worst of one cell; as much as the time allows where an evaluation is dear."""
        objective = Objective(cell, self.bound)
        start = worked()
        probe = structured(cell, self.rng, PROBED)
        try:
            found = Worst.nowhere(objective).merged(probe)
        except (UndefinedError, OverflowError):  # an index beyond these sizes, a factorial beyond floats
            return Worst.nowhere(objective)
        cost = worked() - start
        if cost > 0.05 * (deadline - start):  # dear points: rather few sizes well than many badly
            deadline = max(deadline, min(start + DEAR * cost, self.deadline))
        share = max(deadline - start, 1e-3)
        if cost < 0.2 * share or not cell.width:
            full = BATCH // (2 if cell.penalties else 1)
            found = worst(objective, self.rng, 8 if cost > 0.05 * share else full, deadline)
        self.found.append(found)
        return found

    def forget(self, worst: Worst, noise: Tensor) -> None:
        """Points of what was found whose excess was a rounding error."""
        self.found = [item.without(noise) if item is worst else item for item in self.found]
