"""One relation, one Finding: broken exactly, proved by rules, or searched and nothing found."""

import contextlib
import math
import time
from dataclasses import dataclass, field, replace

import numpy as np
from torch import Tensor

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding, Grade
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import walk
from verifier.numeric.refuse import RefusedError, UndefinedError
from verifier.rigorous.rooms import certify
from verifier.search import averages, existence, tightness, trend
from verifier.search.bounds import Bound, bounds_of
from verifier.search.cells import Cell, Design, Sizes
from verifier.search.certify import Proof, prove
from verifier.search.exact import Judge, roundings
from verifier.search.extremes import without_extremes
from verifier.search.hunt import Hunt, Objective, Worst, cells_of, inside
from verifier.search.shrink import shrink
from verifier.search.space import Domain
from verifier.search.starts import structured
from verifier.search.tiny import suspects

NAME = "search"
NOISE = 1e-9
SUSPICIOUS = 1e-7
MISSED = 24  # points outside the assumptions before the small ones are given up
CERTIFIED = 2  # sizes that are worth a certificate beside a search
LEAST_PROVING = 0.4  # seconds: a proof is worth more than the search that it cuts short
EXPECTATIONS = (N.Expectation, N.Variance, N.Covariance)


def examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    """Look for the worst case of one relation."""
    try:
        return _examine(claim, step, budget)
    except RefusedError as refusal:
        return Finding(NAME, "unknown", reason="the search does not reach this", missing=refusal.missing)
    except UndefinedError as refusal:
        return Finding(NAME, "unknown", reason=str(refusal))


def _examine(claim: Claim, step: Step, budget: Budget) -> Finding:
    if any(isinstance(node, N.Growth | N.Order | N.Limit) for node in walk(step.fact)):
        return Finding(NAME, "unknown", missing="a search for orders, growth and limits")
    fact = without_extremes(step.fact)
    if fact is not None:
        return _Search(claim, fact, budget).run()
    some = existence.as_existence(step.fact)
    if some is not None:
        return existence.examine(claim, some, budget)
    parts = existence.halves(step.fact)
    if parts is None:
        return Finding(NAME, "unknown", missing="a search with sup and inf in this place")
    return _equality(claim, *parts, budget)


def _equality(claim: Claim, fact: N.Relation, some: existence.Existence, budget: Budget) -> Finding:
    """sup(f, Z) == c, one half after the other."""
    half = replace(budget, seconds=budget.seconds / 2)
    always = _Search(claim, fact, half, truth_only=True).run()
    if always.truth == "false":
        return always
    deadline = time.monotonic() + half.seconds / 2
    if always.grade == "searched" and certify(claim, fact, {}, deadline) is None:
        always = Finding(NAME, "true", "certified", "shown by boxes over all entries")
    return existence.both(always, existence.examine(claim, some, half, truth_only=True))


@dataclass
class _Search:
    """The state of one examination."""

    claim: Claim
    fact: N.Relation | N.Within
    budget: Budget
    truth_only: bool = False  # how tight it is does not matter
    started: float = field(default_factory=time.monotonic)
    checked: int = 0
    suspicious: str | None = None

    def __post_init__(self) -> None:
        self.domain = Domain(self.claim, self.fact)
        self.judge = Judge(self.domain, self.fact)
        self.rng = np.random.default_rng([self.budget.seed, *self.claim.id.encode()])
        self.proofs: list[Proof | None] = []

    def until(self, share: float) -> float:
        return self.started + share * self.budget.seconds

    def run(self) -> Finding:
        bounds = bounds_of(self.fact)
        proving = max(self.until(0.3), self.started + LEAST_PROVING)
        self.proofs = [prove(self.claim, bound, proving) for bound in bounds]
        if self.truth_only and self.proofs and all(self.proofs):
            return self._true(None, [])
        expected = any(isinstance(node, EXPECTATIONS) for node in walk(self.fact))
        proved = bool(self.proofs) and all(self.proofs)
        broken = None if expected or proved else self._tiny_points()
        if broken is not None:
            return self._refuted(broken)
        if not bounds or expected:
            return self._exact_only(expected)
        broken = self._small_points(max(self.until(0.25), time.monotonic() + 0.1 * self.budget.seconds))
        if broken is not None:
            return self._refuted(broken)
        self._warm_up(bounds[0])
        return self._search(bounds)

    def _exact_only(self, expected: bool) -> Finding:
        """Equalities and expectations: a counterexample at a small point, or nothing."""
        broken = self._small_points(self.until(0.7))
        if broken is not None:
            return self._refuted(broken)
        if self.proofs and all(self.proofs):
            return self._true(self._average_tightness(), [])
        tried = f"no counterexample among {self.checked} small points, checked exactly"
        return Finding(
            NAME, "unknown", reason=tried, missing="a closed form of the expectation" if expected else None
        )

    def _average_tightness(self) -> tightness.Measured | None:
        """Of one bound on an expectation that is known to be true."""
        if len(self.proofs) != 1:
            return None
        (bound,) = bounds_of(self.fact)
        found = averages.tightness(self.claim, bound, self.domain, self.judge, self.rng, self.until(0.95))
        return None if found is None else tightness.Measured(found)

    def _warm_up(self, bound: Bound) -> None:
        """The first derivative that torch takes loads half of it: that time is not the search's."""
        start = time.monotonic()
        for cell in cells_of(self.domain, limit=1):
            with contextlib.suppress(UndefinedError, OverflowError):
                Objective(cell, bound).excess(structured(cell, self.rng, 2))
        self.started += time.monotonic() - start

    # --- exact small points ---------------------------------------------------------------------

    def _small_points(self, deadline: float) -> Design | None:
        """Structured points with small integer entries, straight to exact arithmetic."""
        cells = sorted(cells_of(self.domain, limit=6), key=lambda cell: cell.width)
        missed = 0
        for turn in range(3):
            for at, cell in enumerate(cells):
                for raw in structured(cell, self.rng, 16 * (turn + 1))[16 * turn :]:
                    start = time.monotonic()
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
                    if time.monotonic() - start > 0.25 * self.budget.seconds:
                        del cells[at:]  # exact arithmetic is slow here, and slower at larger sizes
                        break
        return None

    def _tiny_points(self) -> Design | None:
        """One that exact arithmetic confirms, among the thousands that a batch looks at."""
        deadline = max(self.until(0.2), time.monotonic() + LEAST_PROVING)
        with contextlib.suppress(RefusedError):
            for design in suspects(self.domain, self.rng, deadline):
                if not self.judge.has_time(deadline):
                    return None
                if self.judge.is_false(design):
                    return design
        return None

    def _refuted(self, design: Design) -> Finding:
        """Shrink the violation, check it once more, and say so."""
        deadline = max(self.until(0.95), time.monotonic() + 0.1)
        small = shrink(design, self.judge.is_false, dict(self.claim.symbols), deadline)
        found = self.judge.check(small)
        assert found is not None, "the shrinker keeps what it was given"
        arithmetic = "exact" if found.grade == "proved" else "interval"
        reason = f"a counterexample, checked in {arithmetic} arithmetic"
        return Finding(NAME, "false", found.grade, reason=reason, counterexample=found.counterexample)

    # --- bounds -----------------------------------------------------------------------------------

    def _search(self, bounds: tuple[Bound, ...]) -> Finding:
        hunts = []
        begun = time.monotonic()
        share = max(self.until(0.65) - begun, 0.3 * self.budget.seconds) / len(bounds)
        for at, bound in enumerate(bounds):
            hunt = Hunt(self.domain, bound, self.rng, begun + share * (at + 1))
            hunts.append(hunt)
            for worst in hunt.run():
                broken = self._broken(worst)
                if broken is not None:
                    return self._refuted(broken)
        if not any(math.isfinite(worst.best) for hunt in hunts for worst in hunt.found):
            return Finding(
                NAME, "unknown", reason="vacuous: no point was found that satisfies the assumptions"
            )
        planned = {id(worst) for hunt in hunts for worst in hunt.found}
        trends = [trend.follow(hunt, self.until(0.82)) for hunt in hunts]
        for hunt in hunts:
            broken = self._broken(max(hunt.found, key=lambda w: w.best))
            if broken is not None:
                return self._refuted(broken)
        known = self._tightness(hunts, trends)
        return self._true(known, hunts, self._doubt(hunts, trends, planned))

    def _nothing_found(self, hunts: list[Hunt]) -> str:
        allowed = any(
            bool((worst.objective.broken(worst.points) == 0).any())
            for hunt in hunts
            for worst in hunt.found
            if len(worst.points)
        )
        if allowed:
            return "no point was found where both sides have a value and the right one is not 0"
        return "vacuous: no point was found that satisfies the assumptions"

    def _broken(self, worst: Worst) -> Design | None:
        """A worst point that exact arithmetic confirms to break the relation."""
        strict = worst.objective.bound.strict
        cell = worst.objective.cell
        for raw, excess in zip(worst.points, worst.excess.tolist(), strict=True):
            if excess <= (-NOISE if strict else NOISE):
                break
            found = self._confirmed(cell, raw)
            if found is not None:
                return found
            if excess > SUSPICIOUS:
                for nearby in inside(worst.objective, raw, self.rng):
                    found = self._confirmed(cell, nearby)
                    if found is not None:
                        return found
                self.suspicious = "a violation in floating point that exact arithmetic did not confirm"
                if self.judge.refused:
                    self.suspicious += f" ({self.judge.refused})"
        return None

    def _confirmed(self, cell: Cell, raw: Tensor) -> Design | None:
        """A rounding of the point that breaks the relation exactly."""
        for design in roundings(cell, raw):
            if not self.judge.has_time(self.until(0.85)):
                return None
            if self.judge.is_false(design):
                return design
        return None

    def _tightness(self, hunts: list[Hunt], trends: list[trend.Trend]) -> tightness.Measured | None:
        if isinstance(self.fact, N.Within):
            found = tightness.of_range(hunts)
        else:
            found = tightness.measure(hunts[0], self.judge, self.until(0.95))
        loose = found is not None and found.tightness.tight is False
        unsure = not self._explored(hunts) or not all(t.settled or t.limit < -0.02 for t in trends)
        if loose and unsure and not self._improvement_proved(found):
            return None  # a better search, or larger sizes, may close the gap
        return found

    def _explored(self, hunts: list[Hunt]) -> bool:
        """A gap is believed once the ascent ran at three sizes and several of its runs met at one of them."""
        if self.suspicious is not None:
            return False
        for hunt in hunts:
            large = [w for w in hunt.found if self.domain.counts_for_tightness(w.sizes) and w.finished]
            if not any(worst.settled for worst in large):
                return False
            for name in self.domain.dimensions:
                if len({worst.sizes[name] for worst in hunt.found if worst.finished}) < 3:
                    return False
        return True

    def _doubt(self, hunts: list[Hunt], trends: list[trend.Trend], planned: set[int]) -> str | None:
        """Why a search that found nothing is no answer.

        Sizes beyond the planned ones tell where the worst case leads; they need not be searched as well."""
        if self.suspicious is not None:
            return self.suspicious
        for name in (*self.domain.dimensions, *self.domain.sized(K.Integer)):
            for hunt in hunts:
                sizes = {w.sizes[name] for w in hunt.found if w.settled and math.isfinite(w.best)}
                if len(sizes) < 3:
                    return f"only {len(sizes)} sizes of {name} were searched"
        for found in trends:
            if found.may_cross:
                return found.words
        for hunt in hunts:
            worst = max(hunt.found, key=lambda item: item.best)
            if trend.still_climbing(worst):
                return "the bound comes closer as the values grow, beyond those searched"
            if not worst.settled and id(worst) in planned:
                return "the search did not settle: no two of its runs agree on the worst case"
        return None

    def _true(self, known: tightness.Measured | None, hunts: list[Hunt], doubt: str | None = None) -> Finding:
        """No violation: proved if the rules say so, searched if nothing speaks against it."""
        proved = bool(self.proofs) and all(self.proofs)
        tight = None if known is None else known.tightness
        if not proved and doubt is not None:
            return Finding(NAME, "unknown", reason=doubt, tightness=tight)
        steps = tuple(step for proof in self.proofs if proof for step in proof.steps)
        looked = sum(len(hunt.found) for hunt in hunts)
        reason = (
            f"by {', '.join(dict.fromkeys(steps))}"
            if proved
            else f"no violation found at {looked} choices of sizes"
        )
        certified = () if proved else self._certified(hunts)
        whole = bool(certified) and not (self.domain.dimensions or self.domain.sized(K.Integer, K.IndexOf))
        grade: Grade = "proved" if proved else "certified" if whole else "searched"
        if proved and tight is not None and tight.tight is False and not self._improvement_proved(known):
            # That it is true is proved; that it is loose was only searched.
            grade, reason = "searched", f"true {reason}; how loose it is was searched"
        region = None if proved else self._region(hunts, certified)
        if whole:
            reason = "shown by boxes over all entries"
        derivation = steps if proved else ()
        curves = tuple(curve for hunt in hunts for curve in tightness.ratios(hunt))
        return Finding(
            NAME, "true", grade, reason, region, tightness=tight, derivation=derivation, curves=curves
        )

    def _improvement_proved(self, known: tightness.Measured | None) -> bool:
        """The better bound follows from the rules as well."""
        bounds = bounds_of(self.fact)
        if known is None or known.better is None or len(bounds) != 1:
            return False
        deadline = max(self.until(0.99), time.monotonic() + LEAST_PROVING)
        return prove(self.claim, bounds[0].restated(known.better), deadline) is not None

    def _certified(self, hunts: list[Hunt]) -> tuple[Sizes, ...]:
        """The smallest sizes at which boxes over all entries show what was searched."""
        cells = {w.objective.cell.width: w.sizes for hunt in hunts for w in reversed(hunt.found)}
        shown: list[Sizes] = []
        for width in sorted(cells)[:CERTIFIED]:
            deadline = min(self.until(1.0), time.monotonic() + 0.15 * self.budget.seconds)
            if certify(self.claim, self.fact, cells[width], deadline) is not None:
                break
            shown.append(cells[width])
        return tuple(shown)

    def _region(self, hunts: list[Hunt], certified: tuple[Sizes, ...] = ()) -> str | None:
        parts = []
        for name in self.domain.dimensions:
            sizes = sorted({worst.sizes[name] for hunt in hunts for worst in hunt.found})
            parts.append(f"{name} in {{{', '.join(map(str, sizes))}}}")
        searched = "; ".join(parts) or None
        if not certified or searched is None:
            return searched
        exact = ", or ".join(", ".join(f"{k} = {v}" for k, v in sizes.items()) for sizes in certified)
        return f"certified for {exact}; searched for {searched}"
