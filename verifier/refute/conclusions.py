"""What a search that found no violation may say: how far it looked, and what speaks against believing it."""

import math
from dataclasses import dataclass, replace

from verifier.claim.late_behaviour import hidden
from verifier.claim.model import Claim
from verifier.evidence import Finding, Grade
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import expand_lets
from verifier.prove.ranges.slack_signs import certify
from verifier.prove.rules.bound_form import bounds_of
from verifier.prove.rules.certify import Proof, prove
from verifier.prove.rules.magnitude_forms import Reader
from verifier.refute.ascent import trend
from verifier.refute.ascent.rational_points import Judge
from verifier.refute.ascent.worst_points import Hunt, flat
from verifier.refute.closeness import tightness
from verifier.refute.closeness.closed_form_numbers import times
from verifier.refute.closeness.improved_sides import ratios
from verifier.refute.closeness.range_ends import is_off, of_range
from verifier.refute.closeness.stronger_constants import LEAST, stronger
from verifier.refute.closeness.tightness import Measured
from verifier.refute.domain.domain_at_sizes import Sizes
from verifier.refute.domain.space import Domain
from verifier.refute.time_shares import Clock
from verifier.timer import worked

NAME = "search"
CERTIFIED = 2  # sizes that are worth a certificate beside a search
MEETING = 1e-6  # relative: an ascent comes no closer to a point such as pi, at which a square is 0
LEAST_PROVING = 0.4  # seconds: a proof is worth more than the search that it cuts short


@dataclass(frozen=True)
class Concluding:
    """All that is known once the hunts are over."""

    claim: Claim
    fact: N.Relation | N.Within
    domain: Domain
    clock: Clock
    proofs: tuple[Proof | None, ...]
    hunts: tuple[Hunt, ...] = ()
    trends: tuple[trend.Trend, ...] = ()
    planned: frozenset[int] = frozenset()  # of what was found, by identity
    suspicious: str | None = None

    @property
    def proved(self) -> bool:
        return bool(self.proofs) and all(self.proofs)

    def tightness(self, judge: Judge) -> Measured | None:
        if isinstance(self.fact, N.Within):
            found = of_range(list(self.hunts))
        else:
            found = tightness.measure(self.hunts[0], judge, self.clock.until(0.95))
        loose = found is not None and found.tightness.tight is False
        unsure = not self._explored() or not self._stays_away()
        if loose and unsure and not self._clearly_improved(found):
            return None  # a better search, or larger sizes, may close the gap
        return self._led_on(found) if loose else found

    def _stays_away(self) -> bool:
        """Larger sizes do not close the gap; of a range, that of one end which is off is enough."""
        known = [t.settled or (t.regular and t.limit < -0.05) for t in self.trends]
        if not isinstance(self.fact, N.Within):
            return all(known)
        return any(away and is_off(hunt) for hunt, away in zip(self.hunts, known, strict=True))

    def _led_on(self, found: Measured | None) -> Measured | None:
        """The gap where the sizes lead, if it still shrinks at the largest that were searched."""
        limits = [t.limit for t in self.trends if t.regular and math.isfinite(t.limit)]
        gap = None if found is None else found.tightness.gap_high
        if found is None or gap is None or len(limits) != 1 or isinstance(self.fact, N.Within):
            return found
        led = min(float(gap), max(-limits[0], 0.0))
        return replace(found, tightness=replace(found.tightness, gap_low=led, gap_high=led))

    def finding(self, known: Measured | None) -> Finding:
        """No violation: proved if the rules say so, searched if nothing speaks against it. That a bound is
        loose is proved where a better one is; else the search only suspects it."""
        known = known or self._stronger()
        tight = None if known is None else known.tightness
        doubt = None if self.proved else self._doubt()
        if doubt is not None:
            return Finding(NAME, "unknown", reason=doubt, tightness=tight)
        steps = tuple(step for proof in self.proofs if proof for step in proof.steps)
        looked = sum(len(hunt.found) for hunt in self.hunts)
        reason = f"no violation found at {looked} choices of sizes{self._closest()}"
        if self.proved:
            reason = f"by {', '.join(dict.fromkeys(steps))}"
        certified = () if self.proved else self._certified()
        whole = bool(certified) and not (self.domain.dimensions or self.domain.sized(K.Integer, K.IndexOf))
        grade: Grade = "proved" if self.proved else "certified" if whole else "searched"
        if self.proved and tight is not None and tight.tight is False and not tight.proved:
            tight = replace(tight, proved=self._clearly_improved(known))
        region = None if self.proved else self._region(certified)
        if whole:
            reason = "shown by boxes over all entries"
        curves = tuple(curve for hunt in self.hunts for curve in ratios(hunt))
        derivation = steps if self.proved else ()
        return Finding(
            NAME, "true", grade, reason, region, tightness=tight, derivation=derivation, curves=curves
        )

    def _closest(self) -> str:
        """How close the search came, in parts of the right side."""
        seen = [w.best for hunt in self.hunts for w in hunt.found if math.isfinite(w.best)]
        if not seen or any(hunt.bound.is_zero for hunt in self.hunts):
            return ""
        return f", the closest within {abs(min(max(seen), 0.0)):.3g} of the right side"

    def _stronger(self) -> Measured | None:
        """That a proved bound is loose, where no search tells."""
        bounds = bounds_of(self.fact)
        if not self.proved or len(bounds) != 1:
            return None
        return stronger(self.claim, bounds[0], self.clock.at_least(0.97, LEAST_PROVING))

    def _explored(self) -> bool:
        """A gap is believed once the ascent ran at three sizes and several of its runs met at one of them."""
        if self.suspicious is not None or self._hidden() is not None:
            return False
        if any(worst.objective.cell.creeps for hunt in self.hunts for worst in hunt.found):
            return False
        for hunt in self.hunts:
            large = [w for w in hunt.found if self.domain.counts_for_tightness(w.sizes) and w.finished]
            if not any(worst.settled for worst in large):
                return False
            for name in self.domain.dimensions:
                if len({worst.sizes[name] for worst in hunt.found if worst.finished}) < 3:
                    return False
        return True

    def _hidden(self) -> str | None:
        """What sizes beyond those searched may show."""
        names = self.domain.sized(K.Dimension, K.Integer, K.IndexOf)
        found = [worst.sizes for hunt in self.hunts for worst in hunt.found]
        return hidden(self.fact, {name: {sizes[name] for sizes in found} for name in names})

    def _doubt(self) -> str | None:
        """Why a search that found nothing is no answer.

        Sizes beyond the planned ones tell where the worst case leads; they need not be searched as well."""
        if self.suspicious is not None:
            return self.suspicious
        found_at = [worst for hunt in self.hunts for worst in hunt.found]
        if any(hunt.bound.strict and worst.best > -MEETING for hunt in self.hunts for worst in hunt.found):
            return "the two sides meet, or nearly: a strict relation may break at that very point"
        if any(flat(worst) for worst in found_at):
            return (
                "at every point that was tried the sides are equally far apart: where they move, nobody saw"
            )
        integers = self.domain.sized(K.Integer)
        if integers and found_at and not any(worst.objective.cell.width for worst in found_at):
            return "nothing is free but whole numbers, of which a few were tried"
        for name in (*self.domain.dimensions, *self.domain.sized(K.Integer)):
            for hunt in self.hunts:
                sizes = {w.sizes[name] for w in hunt.found if w.reached and math.isfinite(w.best)}
                if len(sizes) < 3 or not any(w.settled for w in hunt.found):
                    return f"only {len(sizes)} sizes of {name} were searched"
        for found in self.trends:
            if found.may_cross:
                return found.words
        if (unseen := self._hidden()) is not None:
            return unseen
        for hunt in self.hunts:
            worst = max(hunt.found, key=lambda item: item.best)
            if trend.still_climbing(worst):
                return "the bound comes closer as the values grow, beyond those searched"
            if not worst.settled and id(worst) in self.planned:
                return "the search did not settle: no two of its runs agree on the worst case"
        return None

    def _improvement_proved(self, known: Measured | None) -> bool:
        """The better bound follows from the rules as well."""
        bounds = bounds_of(self.fact)
        if known is None or known.better is None or len(bounds) != 1:
            return False
        deadline = self.clock.at_least(0.99, LEAST_PROVING)
        return prove(self.claim, bounds[0].restated(known.better), deadline) is not None

    def _clearly_improved(self, known: Measured | None) -> bool:
        """And it is better by more than 1% at every size: n is below n + 50, and for large n hardly so."""
        if known is None or known.better is None or not self._improvement_proved(known):
            return False
        (bound,) = bounds_of(self.fact)
        if Reader(self.claim.symbols).read(expand_lets(bound.stated)) is None:
            return False  # a factor makes a bound by something negative weaker, and shows nothing
        ends = (known.better, bound.stated) if bound.side == "upper" else (bound.stated, known.better)
        room = replace(bound, small=times(N.Number(LEAST), ends[0]), large=ends[1], strict=False)
        return prove(self.claim, room, self.clock.at_least(0.99, LEAST_PROVING)) is not None

    def _certified(self) -> tuple[Sizes, ...]:
        """The smallest sizes at which boxes over all entries show what was searched."""
        cells = {w.objective.cell.width: w.sizes for hunt in self.hunts for w in reversed(hunt.found)}
        shown: list[Sizes] = []
        for width in sorted(cells)[:CERTIFIED]:
            deadline = min(self.clock.until(1.0), worked() + 0.15 * self.clock.seconds)
            if certify(self.claim, self.fact, cells[width], deadline) is not None:
                break
            shown.append(cells[width])
        return tuple(shown)

    def _region(self, certified: tuple[Sizes, ...] = ()) -> str | None:
        parts = []
        for name in self.domain.dimensions:
            sizes = sorted({worst.sizes[name] for hunt in self.hunts for worst in hunt.found})
            parts.append(f"{name} in {{{', '.join(map(str, sizes))}}}")
        searched = "; ".join(parts) or None
        if not certified or searched is None:
            return searched
        exact = ", or ".join(", ".join(f"{k} = {v}" for k, v in sizes.items()) for sizes in certified)
        return f"certified for {exact}; searched for {searched}"
