"""sup(f, Z) >= c: a value of Z for every choice of the other symbols.

A pattern that serves all sizes at once proves it. Otherwise one is looked for at each choice of
sizes; where none is found and the largest f is known in closed form and proved, it is refuted.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

import numpy as np

from verifier.claim.model import Claim
from verifier.evidence import Budget, Counterexample, Finding, Grade, Tightness
from verifier.exact.values.compare_at_point import compare
from verifier.exact.values.recheck import as_float, exact_text
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.scaling import scaling
from verifier.expr.walk import substitute
from verifier.prove.ranges.slack_signs import certify
from verifier.prove.rules.bound_form import Bound, bounds_of
from verifier.prove.rules.certify import prove
from verifier.refute.ascent import trend
from verifier.refute.ascent.rational_points import Judge, roundings
from verifier.refute.ascent.worst_points import Hunt, Objective, Worst
from verifier.refute.closeness import tightness
from verifier.refute.closeness.improved_sides import improved, text_of
from verifier.refute.domain.domain_at_sizes import Cell
from verifier.refute.domain.matrix_families import Fixed
from verifier.refute.domain.space import Domain
from verifier.refute.domain.starts import structured
from verifier.refute.existence.pattern_witnesses import Witness, bound_elsewhere, for_all_sizes
from verifier.refute.existence.quantifiers import Existence, as_existence, halves
from verifier.refute.existence.scalar_rays import on_the_ray
from verifier.timer import worked

__all__ = ["Existence", "as_existence", "both", "examine", "halves"]

NAME = "search"
ZERO = N.Number(Fraction(0))
GRADES: tuple[Grade, ...] = ("proved", "certified", "sampled", "searched")  # strongest first
APPROACHED = 1e-6
ENDLESS = 1e6
RAYS = 12  # roundings of the best point
CONES = (K.Real(), K.Positive(), K.FixedMatrix("matrix"), K.FixedMatrix("vector"), K.FixedMatrix("symmetric"))
OTHERS = 4  # choices of the symbols that the extreme does not range over


def examine(claim: Claim, existence: Existence, budget: Budget, truth_only: bool = False) -> Finding:
    """Judge that some value of the named symbols satisfies the relation, and how far beyond it they lead."""
    return _Existence(claim, existence, budget, truth_only).run()


@dataclass
class _Existence:
    claim: Claim
    existence: Existence
    budget: Budget
    truth_only: bool = False

    def __post_init__(self) -> None:
        self.started = worked()
        (stated,) = bounds_of(self.existence.fact)
        self.strict = stated.strict
        # What the hunt makes as large as it can is how far beyond c the f comes, not how far below.
        side = "upper" if stated.side == "lower" else "lower"
        self.bound = Bound(stated.large, stated.small, stated.stated, side)  # type: ignore[arg-type]
        self.domain = Domain(self.claim, self.existence.fact)
        self.judge = Judge(self.domain, self.existence.fact)
        self.names = {symbol.name for symbol in self.existence.over}
        self.sizes = set(self.domain.sized(K.Dimension, K.Integer, K.IndexOf))
        self.whole = self.names & self.sizes

    def until(self, share: float) -> float:
        return self.started + share * self.budget.seconds

    def run(self) -> Finding:
        witness = for_all_sizes(self.claim, self.existence.fact, self.existence.over, self.until(0.3))
        if witness is not None and self.truth_only:
            return self._true([], witness)
        rng = np.random.default_rng(self.budget.seed)
        hunt = Hunt(self.domain, self.bound, rng, self.until(0.75), cells=self._with_others(rng))
        for _ in hunt.run():
            pass
        known = [worst for worst in hunt.found if math.isfinite(worst.best)]
        if witness is None and self._is_one_cell(known):
            witness = self._at_a_point(known[0]) or self._on_a_ray(known[0])
        if witness is None and self.whole:
            return self._among_whole_numbers(known)
        if witness is not None:
            return self._true(known, witness)
        missing = [worst for worst in known if not self._found(worst)]
        if missing:
            return self._below(hunt, missing)
        doubt = self._doubt(known)
        if doubt is None and not all(map(self._ranges_over_all, known)):
            # Nobody looked for the values of the others that are worst: few of them were tried at all.
            doubt = f"a witness was found at each of {len(known)} choices of the other symbols"
            return Finding(NAME, "unknown", reason=doubt, missing="a witness for all of their values")
        return Finding(NAME, "unknown", reason=doubt) if doubt else self._true(known, None)

    def _with_others(self, rng: np.random.Generator) -> Callable[[Cell], list[Cell]]:
        """The cell, once for each of several values of the symbols outside the extreme."""

        def each(cell: Cell) -> list[Cell]:
            others = [v for v in cell.variables if v.name not in self.names]
            if not others:
                return [cell]
            found = []
            for raw in structured(cell, rng, OTHERS):
                values = {v.name: Fixed(v.value(part)) for v, part in cell.blocks(raw)}
                held = tuple(
                    v if v.name in self.names else replace(v, family=values[v.name]) for v in cell.variables
                )
                found.append(replace(cell, variables=held))
            return found

        return each

    def _found(self, worst: Worst) -> bool:
        """A value that satisfies the relation: exactly, or so nearly that it is approached."""
        if worst.best > APPROACHED or (not self.strict and worst.best > -APPROACHED):
            return True
        return self._at_a_point(worst) is not None

    def _is_one_cell(self, known: list[Worst]) -> bool:
        """Nothing is free but what the extreme ranges over: one point is a proof."""
        return len(known) == 1 and not self.sizes and self._ranges_over_all(known[0])

    def _ranges_over_all(self, worst: Worst) -> bool:
        return all(variable.name in self.names for variable in worst.objective.cell.variables)

    def _among_whole_numbers(self, known: list[Worst]) -> Finding:
        """The extreme ranges over sizes: one of them is enough, and a few that do not serve show nothing."""
        best = max(known, key=lambda worst: worst.best, default=None)
        if best is not None and self.sizes <= self.names and self._ranges_over_all(best):
            witness = self._at_a_point(best)
            if witness is not None:
                return Finding(NAME, "true", "proved", f"by the witness {witness.words}")
        reason = f"a few values of {', '.join(sorted(self.whole))} were tried"
        return Finding(NAME, "unknown", reason=reason, missing="a witness, or a proof that there is none")

    def _at_a_point(self, worst: Worst) -> Witness | None:
        """A simple point that satisfies the relation, checked exactly."""
        for design in roundings(worst.objective.cell, worst.points[0]):
            if not self.judge.has_time(self.until(0.85)):
                return None
            found = self.judge.check(design)
            if found is not None and found.outcome == "true":
                values = self.judge.values(design)
                return Witness(", ".join(f"{name} = {value}" for name, value in values.items()))
        return None

    def _on_a_ray(self, worst: Worst) -> Witness | None:
        """Through a simple point near the best one; for `>=` it is enough that the relation is approached."""
        if self.strict or worst.best < -APPROACHED:
            return None
        for design in islice(roundings(worst.objective.cell, worst.points[0]), RAYS):
            left = self.until(1.0) - worked()
            if left <= 0:
                return None
            end = worked() + left / 3
            found = on_the_ray(self.claim, self.existence.fact, design, end)
            if found is not None:
                return found
        return None

    def _doubt(self, known: list[Worst]) -> str | None:
        for name in (*self.domain.dimensions, *self.domain.sized(K.Integer)):
            sizes = {worst.sizes[name] for worst in known}
            if len(sizes) < 3:
                return f"only {len(sizes)} sizes of {name} were searched"
        return None if known else "no point was found that satisfies the assumptions"

    def _true(self, known: list[Worst], witness: Witness | None) -> Finding:
        tight = self._tightness(known)
        if witness is not None:
            return Finding(NAME, "true", "proved", f"by the witness {witness.words}", tightness=tight)
        sizes = "; ".join(
            f"{name} in {{{', '.join(map(str, sorted({w.sizes[name] for w in known})))}}}"
            for name in self.domain.dimensions
        )
        words = f"a witness was found at each of {len(known)} choices of the other symbols"
        return Finding(NAME, "true", "searched", words, sizes or None, tightness=tight)

    def _tightness(self, known: list[Worst]) -> Tightness | None:
        """gap = inf over the sizes of (sup f - c)/|c|."""
        if self._scales():
            return Tightness(False, note="the extreme is infinite: the left side scales without end")
        large = [worst for worst in known if self.domain.counts_for_tightness(worst.sizes)]
        if not large:
            return None
        least = min(large, key=lambda worst: worst.best)
        gap, where = max(least.best, 0.0), tightness.readable(least)
        if gap > ENDLESS or (gap > 0.01 and trend.still_climbing(least)):
            return Tightness(False, where=where, note="the extreme has no end, or lies far beyond")
        if self.bound.is_zero:
            return Tightness(gap <= 1e-7, where=where, note=f"the extreme lies {gap:.3g} beyond 0")
        if gap <= 0.01:
            return Tightness(True, 0.0, gap, where=where, note="the extreme is what is stated")
        if self._closing(large, gap):
            return None
        return Tightness(False, gap, gap, where=where, note=f"the extreme lies {gap:.3g} of it beyond")

    def _scales(self) -> bool:
        """f(t*Z) = t**k f(Z) with k > 0 and a value beyond 0: then there are values without end."""
        fixed: dict[N.Node, N.Node] = {
            N.Symbol(name): N.Number(value) for name, value in self.claim.where.items()
        }
        body, stated = substitute(self.bound.bounded, fixed), substitute(self.bound.stated, fixed)
        if not isinstance(stated, N.Number):
            return False
        sign = 1 if self.bound.side == "upper" else -1
        if sign * stated.value < 0 or (stated.value == 0 and not self.strict):
            return False
        for symbol in self.existence.over:
            found = scaling(body, {symbol.name})
            cone = self.claim.symbols[symbol.name].kind in CONES
            if cone and found is not None and found.degree > 0:
                return not bound_elsewhere(self.claim, {symbol.name})
        return False

    def _closing(self, large: list[Worst], gap: float) -> bool:
        """The gap is least at the largest sizes: beyond them it may close."""
        if not self.domain.dimensions:
            return False
        level = max(sum(worst.sizes.values()) for worst in large)
        before = [worst.best for worst in large if sum(worst.sizes.values()) < level]
        return bool(before) and gap < 0.99 * min(before)

    # --- refutation -----------------------------------------------------------------------------

    def _below(self, hunt: Hunt, missing: list[Worst]) -> Finding:
        """Nothing reaches c at some sizes: refuted if it is shown that f stays below c there."""
        ordered = sorted(missing, key=lambda item: (item.objective.cell.width, sum(item.sizes.values())))
        if self._ranges_over_all(ordered[0]):
            refuted = self._by_boxes(ordered[0]) or self._by_rules(hunt, ordered)
            if refuted is not None:
                return refuted
        short = f"it stays {-ordered[0].best:.3g} short"
        reason = f"at {_words(ordered[0])} nothing was found that reaches it: {short}"
        return Finding(NAME, "unknown", reason=reason, missing="a proof that nothing reaches it")

    def _by_boxes(self, worst: Worst) -> Finding | None:
        """Half of what it stays short by is shown for all values at these sizes."""
        margin = N.Number(Fraction(max(-worst.best, 0.0) / 2).limit_denominator(10**4))
        stated = self.bound.stated
        scale: N.Node = N.Number(Fraction(1)) if self.bound.is_zero else N.Apply("abs", (stated,))
        offset = N.Multiply(margin, scale)
        upper = self.bound.side == "upper"
        end = N.Subtract(stated, offset) if upper else N.Add(stated, offset)
        fact = N.Relation("<=" if upper else ">=", self.bound.bounded, end)
        deadline = max(self.until(0.95), worked() + 0.2 * self.budget.seconds)
        if margin.value == 0 or certify(self.claim, fact, worst.sizes, deadline) is not None:
            return None
        plain = Objective(worst.objective.cell, Bound(stated, ZERO, ZERO, "upper"))
        right = float(plain.excess(worst.points[:1])[0])
        left = right + (worst.best if upper else -worst.best) * (1.0 if self.bound.is_zero else abs(right))
        example = Counterexample(dict(worst.sizes), left, right)
        words = "all values are enclosed, and none comes near"
        return Finding(NAME, "false", "certified", words, counterexample=example)

    def _by_rules(self, hunt: Hunt, missing: list[Worst]) -> Finding | None:
        """The extreme in closed form for all sizes, proved, and short of c at one of them."""
        better = improved(hunt, [w for w in hunt.found if math.isfinite(w.best)])
        proving = max(self.until(0.95), worked() + 0.2 * self.budget.seconds)
        if better is None or prove(self.claim, self.bound.restated(better), proving) is None:
            return None
        op: N.Comparison = "<" if self.bound.side == "upper" else ">"
        for worst in missing:
            found = compare(N.Relation(op, better, self.bound.stated), worst.sizes, self.domain.context)
            if found.outcome == "true" and found.left is not None and found.right is not None:
                (left,), (right,) = found.left[0], found.right[0]
                example = Counterexample(
                    dict(worst.sizes), as_float(left), as_float(right), exact_text(left), exact_text(right)
                )
                words = "the extreme is known, and lies short of it"
                text = text_of(better)
                return Finding(NAME, "false", "proved", words, corrected=text, counterexample=example)
        return None


def _words(worst: Worst) -> str:
    return ", ".join(f"{name} = {size}" for name, size in worst.sizes.items()) or "the values tried"


def both(always: Finding, some: Finding) -> Finding:
    """sup(f, Z) == c from f <= c for all Z, and f >= c for some."""
    for half in (always, some):
        if half.truth == "false":
            return replace(half, tightness=None)
    if always.truth == some.truth == "true":
        weakest = max((always.grade or "searched", some.grade or "searched"), key=GRADES.index)
        words = f"never beyond it ({always.reason}), and reached ({some.reason})"
        return Finding(NAME, "true", weakest, words)
    reasons = [half.reason for half in (always, some) if half.truth == "unknown"]
    return Finding(NAME, "unknown", reason="; ".join(reasons))
