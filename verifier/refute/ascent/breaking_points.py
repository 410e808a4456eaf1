"""Points that break a relation, confirmed without floating point: small ones, and what an ascent found."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from verifier.refute.ascent.rational_points import Judge, finest, roundings
from verifier.refute.ascent.tiny_points import suspects
from verifier.refute.ascent.underflow import unseen
from verifier.refute.ascent.worst_points import Hunt, Worst, inside
from verifier.refute.domain.domain_at_sizes import Cell, Design
from verifier.refute.domain.size_levels import cells_of
from verifier.refute.domain.space import Domain
from verifier.refute.domain.starts import structured
from verifier.refute.time_shares import Clock
from verifier.timer import worked

NOISE = 1e-13
SUSPICIOUS = 1e-7
MISSED = 24  # points outside the assumptions before the small ones are given up
LEAST_TINY = 0.8  # seconds: a batch of tiny points finds most of what is false
UNCONFIRMED = "a violation in floating point that exact arithmetic did not confirm"


@dataclass
class Breaking:
    """Looks for a violation; remembers what it could not decide."""

    domain: Domain
    judge: Judge
    rng: np.random.Generator
    clock: Clock
    checked: int = 0
    suspicious: str | None = None

    def tiny(self) -> Design | None:
        """One that exact arithmetic confirms, among the thousands that a batch looks at."""
        deadline = self.clock.at_least(0.35, LEAST_TINY)
        for design in suspects(self.domain, self.rng, deadline):
            if not self.judge.has_time(deadline):
                return None
            if self.judge.is_false(design):
                return design
        return None

    def small(self, deadline: float) -> Design | None:
        """Structured points with small integer entries, straight to exact arithmetic."""
        cells = sorted(cells_of(self.domain, limit=6), key=lambda cell: cell.width)
        missed = 0
        for turn in range(3):
            for at, cell in enumerate(cells):
                for raw in structured(cell, self.rng, 16 * (turn + 1))[16 * turn :]:
                    start = worked()
                    if not self.judge.has_time(deadline):
                        return None
                    design = cell.design(raw, 6)
                    found = self.judge.check(design)
                    self.checked += found is not None
                    missed += found is None
                    if missed > MISSED + self.checked:
                        return None  # few small points are allowed here: the ascent finds its own
                    if found is not None and found.outcome == "false":
                        return design
                    if found is not None and found.outcome == "unsupported" and self.checked > 4:
                        return None
                    if worked() - start > 0.25 * self.clock.seconds:
                        del cells[at:]  # exact arithmetic is slow here, and slower at larger sizes
                        break
        return None

    def near(self, hunt: Hunt, worst: Worst) -> Design | None:
        """A worst point that exact arithmetic confirms to break the relation.

        Where it says that the relation holds at that very point, what floating point saw was a rounding
        error, and the hunt forgets the point. Where it says nothing, the suspicion stays."""
        strict = worst.objective.bound.strict
        noise = torch.zeros(len(worst.points), dtype=torch.bool)
        for at, (raw, excess) in enumerate(zip(worst.points, worst.excess.tolist(), strict=True)):
            if excess <= (-NOISE if strict else NOISE):
                break
            if not self.judge.has_time(self.clock.until(0.85)):
                self.suspicious = UNCONFIRMED if excess > SUSPICIOUS else self.suspicious
                break
            there = finest(worst.objective.cell, raw)
            found = self.judge.check(there)
            if found is not None and found.outcome == "false":
                return self._simple(worst.objective.cell, raw) or there
            if found is not None and (found.outcome == "true" or found.is_equality):
                noise[at] = True
                continue
            broken = self._simple(worst.objective.cell, raw)
            if broken is None and excess > SUSPICIOUS:
                broken = self._inside(worst, raw)
                self.suspicious = UNCONFIRMED + (f" ({self.judge.refused})" if self.judge.refused else "")
            if broken is not None:
                return broken
        if bool(noise.any()):
            hunt.forget(worst, noise)
        return None

    def beyond(self, worst: Worst) -> Design | None:
        """A point that breaks the relation where floating point is blind."""
        deadline = self.clock.until(0.85)
        for design in unseen(worst):
            if not self.judge.has_time(deadline):
                return None
            if self.judge.is_false(design):
                return design
        return None

    def _inside(self, worst: Worst, raw: Tensor) -> Design | None:
        nearby: Iterator[Tensor] = iter(inside(worst.objective, raw, self.rng))
        confirmed = (self._simple(worst.objective.cell, point) for point in nearby)
        return next((found for found in confirmed if found is not None), None)

    def _simple(self, cell: Cell, raw: Tensor) -> Design | None:
        """The simplest rounding of the point that breaks the relation exactly."""
        for design in roundings(cell, raw):
            if not self.judge.has_time(self.clock.until(0.85)):
                return None
            if self.judge.is_false(design):
                return design
        return None
