"""One relation, one Finding: broken exactly, proved by rules, or searched and nothing found."""

import contextlib
import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.exact.values.recheck import recheck
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import expand_lets, walk
from verifier.prove.ranges.simplices import without_softmax
from verifier.prove.ranges.slack_signs import certify
from verifier.prove.rules.bound_form import Bound, bounds_of
from verifier.prove.rules.certify import Proof, prove
from verifier.prove.rules.mean_rules import in_closed_form
from verifier.refute.ascent import tiny_points as tiny
from verifier.refute.ascent import trend
from verifier.refute.ascent.breaking_points import Breaking
from verifier.refute.ascent.exact_ascent import ascend
from verifier.refute.ascent.irrational_points import attained
from verifier.refute.ascent.rational_points import Judge
from verifier.refute.ascent.shrink import shrink
from verifier.refute.ascent.worst_points import Hunt, Objective
from verifier.refute.closeness import averages, tightness
from verifier.refute.closeness.sparse_points import nearest
from verifier.refute.conclusions import LEAST_PROVING, NAME, Concluding
from verifier.refute.domain.domain_at_sizes import Design
from verifier.refute.domain.size_levels import cells_of
from verifier.refute.domain.space import Domain
from verifier.refute.domain.starts import structured
from verifier.refute.existence import exists_value as existence
from verifier.refute.existence.quantifiers import without_extremes
from verifier.refute.time_shares import Clock
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import past, worked

EXPECTATIONS = (N.Expectation, N.Variance, N.Covariance)
# Sizes that are tried where there is one of them, or two.
WHOLE = ((*range(1, 65), 100, 128, 200, 256, 500, 512, 1000), (1, 2, 3, 5, 8, 13, 30, 100))
CLOSED = 0.6  # of the time that is left: what the closure of the domain says is mostly enough
LEAST_NEARING = 0.8  # seconds: a sparse point that shows a bound to be tight spares the search
NEARLY = 0.9  # of the time: what is left then is too little for a search


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
    deadline = worked() + half.seconds / 2
    if always.grade in (None, "searched") and certify(claim, fact, {}, deadline) is None:
        always = Finding(NAME, "true", "certified", "shown for all values of the entries")
    return existence.both(always, existence.examine(claim, some, half, truth_only=True))


@dataclass
class _Search:
    """The state of one examination."""

    claim: Claim
    fact: N.Relation | N.Within
    budget: Budget
    truth_only: bool = False  # how tight it is does not matter
    proofs: tuple[Proof | None, ...] = ()

    def __post_init__(self) -> None:
        self.clock = Clock(self.budget.seconds)
        self.domain = Domain(self.claim, self.fact)
        self.judge = Judge(self.domain, self.fact)
        self.rng = np.random.default_rng(self.budget.seed)
        self.breaking = Breaking(self.domain, self.judge, self.rng, self.clock)

    def run(self) -> Finding:
        bounds = bounds_of(self.fact)
        proving = self.clock.at_least(0.3, LEAST_PROVING)
        self.proofs = tuple(prove(self.claim, bound, proving) for bound in bounds)
        proved = bool(self.proofs) and all(self.proofs)
        if self.truth_only and proved:
            return self._concluding().finding(None)
        expected = any(isinstance(node, EXPECTATIONS) for node in walk(self.fact))
        broken = None if expected or proved else self._tiny()
        if broken is not None:
            return self._refuted(broken)
        if expected and self._multiplied_out is not None:
            inner = _Search(self.claim, self._multiplied_out, self._rest(1.0), proofs=self.proofs)
            return inner._over_values()
        if not bounds or expected:
            return self._exact_only(expected, proved)
        return (None if proved else self._whole_numbers()) or self._over_values()

    def _whole_numbers(self) -> Finding | None:
        """Where nothing is free but one or two sizes, many of them cost little: small ones and large ones."""
        names = self.domain.dimensions
        cells = list(cells_of(self.domain, limit=1))
        if not 1 <= len(names) <= len(WHOLE) or self.domain.sized(K.Integer, K.IndexOf):
            return None
        if not cells or any(cell.width for cell in cells):
            return None
        for values in product(WHOLE[len(names) - 1], repeat=len(names)):
            if past(self.clock.until(0.3)):
                return None
            found = recheck(self.claim, self.fact, dict(zip(names, values, strict=True)))
            if found.outcome == "false" and found.grade is not None:
                words = "a counterexample, checked in exact arithmetic"
                return Finding(NAME, "false", found.grade, words, counterexample=found.counterexample)
        return None

    def _over_values(self) -> Finding:
        """A relation without expectations: small points, then the ascent."""
        bounds = bounds_of(self.fact)
        proved = bool(self.proofs) and all(self.proofs)
        near = self._sparse_tightness(bounds) if proved else None
        if near is not None:
            return self._concluding().finding(near)
        broken = self.breaking.small(self.clock.at_least(0.25, 0.1 * self.budget.seconds))
        if broken is not None:
            return self._refuted(broken)
        closed = self._over_closure()
        if closed is not None and (closed.truth == "true" or self.clock.until(NEARLY) < worked()):
            return closed
        return self._search(bounds)

    @cached_property
    def _multiplied_out(self) -> N.Relation | N.Within | None:
        """The relation with known second moments in place of expectations, if that leaves none of them."""
        fact = in_closed_form(self.claim, self.fact)
        left = any(isinstance(node, EXPECTATIONS) for node in walk(fact))
        return fact if bounds_of(fact) and not left else None

    def _rest(self, share: float) -> Budget:
        left = self.clock.until(1.0) - worked()
        return replace(self.budget, seconds=max(share * left, 0.1))

    def _exact_only(self, expected: bool, proved: bool) -> Finding:
        """Equalities and expectations: a counterexample at a small point, or nothing."""
        broken = self.breaking.small(self.clock.until(0.3 if expected else 0.7))
        if broken is not None:
            return self._refuted(broken)
        if proved:
            return self._concluding().finding(self._average_tightness())
        for bound in bounds_of(self.fact) if expected else ():
            found = ascend(self.domain, bound, self.rng, self.clock.until(0.95))
            if found is not None and found.counterexample is not None:
                reason = "a counterexample, checked by exact moments"
                return Finding(NAME, "false", found.grade, reason, counterexample=found.counterexample)
        tried = f"no counterexample among {self.breaking.checked} small points, checked exactly"
        return Finding(
            NAME, "unknown", reason=tried, missing="a closed form of the expectation" if expected else None
        )

    def _average_tightness(self) -> tightness.Measured | None:
        """Of one bound on an expectation that is known to be true."""
        if len(self.proofs) != 1:
            return None
        fact = in_closed_form(self.claim, self.fact)
        found = averages.how_tight(self.claim, fact, self.rng, self.clock.until(0.95))
        return None if found is None else tightness.Measured(found)

    def _tiny(self) -> Design | None:
        with contextlib.suppress(RefusedError):
            for bound in tiny.halves(self.fact)[:1]:
                self._warm_up(bound)
            return self.breaking.tiny()
        return None

    def _warm_up(self, bound: Bound) -> None:
        """The first derivative that torch takes loads half of it: that time is not the search's."""
        start = worked()
        for cell in cells_of(self.domain, limit=1):
            with contextlib.suppress(UndefinedError, OverflowError):
                Objective(cell, bound).excess(structured(cell, self.rng, 2))
        self.clock.started += worked() - start

    def _sparse_tightness(self, bounds: tuple[Bound, ...]) -> tightness.Measured | None:
        """How close one bound that is known to be true comes at sparse points."""
        if len(bounds) != 1:
            return None
        with contextlib.suppress(RefusedError):
            self._warm_up(bounds[0])
        found = nearest(self.domain, bounds[0], self.judge, self.rng, self.clock.at_least(0.5, LEAST_NEARING))
        return None if found is None else tightness.Measured(found)

    def _refuted(self, design: Design) -> Finding:
        """Shrink the violation, check it once more, and say so."""
        deadline = self.clock.at_least(0.95, 0.1)
        small = shrink(design, self.judge.is_false, dict(self.claim.symbols), deadline)
        found = self.judge.check(small)
        assert found is not None, "the shrinker keeps what it was given"
        arithmetic = "exact" if found.grade == "proved" else "interval"
        reason = f"a counterexample, checked in {arithmetic} arithmetic"
        return Finding(NAME, "false", found.grade, reason=reason, counterexample=found.counterexample)

    # --- bounds -----------------------------------------------------------------------------------

    def _over_closure(self) -> Finding | None:
        """softmax(Z) as any stochastic matrix: what is true of all of these, zeros included, is true of all
        Z, and their extremes are reached where those of Z are only approached."""
        claim, fact = without_softmax(self.claim, self.fact)
        strict = any(bound.strict for bound in bounds_of(fact))
        if fact == expand_lets(self.fact) or strict:
            return None
        left = self.clock.until(1.0) - worked()
        inner = _Search(
            claim, fact, replace(self.budget, seconds=max(CLOSED * left, 0.1)), proofs=self.proofs
        )
        found = inner._search(bounds_of(fact))
        # A stochastic matrix that breaks it need not be a softmax.
        return found if found.truth != "false" else None

    def _search(self, bounds: tuple[Bound, ...]) -> Finding:
        hunts = []
        begun = worked()
        share = max(self.clock.until(0.65) - begun, 0.45 * self.budget.seconds) / len(bounds)
        for at, bound in enumerate(bounds):
            hunt = Hunt(self.domain, bound, self.rng, begun + share * (at + 1))
            hunts.append(hunt)
            for worst in hunt.run():
                broken = self.breaking.near(hunt, worst) or self.breaking.beyond(worst)
                if broken is not None:
                    return self._refuted(broken)
        if not any(math.isfinite(worst.best) for hunt in hunts for worst in hunt.found):
            return Finding(
                NAME, "unknown", reason="vacuous: no point was found that satisfies the assumptions"
            )
        planned = frozenset(id(worst) for hunt in hunts for worst in hunt.found)
        trends = [trend.follow(hunt, self.clock.until(0.82)) for hunt in hunts]
        for hunt in hunts:
            broken = self.breaking.near(hunt, max(hunt.found, key=lambda w: w.best))
            if broken is not None:
                return self._refuted(broken)
        noise = any(tightness.is_noise(hunt, self.judge) for hunt in hunts)
        if noise:
            self.breaking.suspicious = "rounding errors hide how close the sides come"
        met = self._attained(hunts)
        if met is not None:
            return met
        concluding = self._concluding(hunts, trends, planned)
        return concluding.finding(None if noise else concluding.tightness(self.judge))

    def _attained(self, hunts: list[Hunt]) -> Finding | None:
        """A strict bound that is met at a point of roots."""
        for worst in (worst for hunt in hunts for worst in hunt.found):
            found = attained(self.judge, worst, self.clock.at_least(0.9, 0.1))
            if found is not None:
                reason = "both sides are equal at a point, in exact arithmetic"
                return Finding(NAME, "false", found.grade, reason, counterexample=found.counterexample)
        return None

    def _concluding(
        self,
        hunts: list[Hunt] | None = None,
        trends: list[trend.Trend] | None = None,
        planned: frozenset[int] = frozenset(),
    ) -> Concluding:
        return Concluding(
            self.claim,
            self.fact,
            self.domain,
            self.clock,
            self.proofs,
            tuple(hunts or ()),
            tuple(trends or ()),
            planned,
            self.breaking.suspicious,
        )
