"""How tight a bound on an expectation is: the sides at points that grow, exactly or by sampling."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import torch

from verifier.claim.model import Claim
from verifier.evidence import Budget, Tightness
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import expand_lets, substitute, symbols_in, walk
from verifier.prove.rules.bound_form import Bound, bounds_of
from verifier.refute.ascent.rational_points import Judge
from verifier.refute.closeness.growth_directions import Way, ways
from verifier.refute.domain.domain_at_sizes import Cell, Sizes
from verifier.refute.domain.space import Domain
from verifier.refute.domain.starts import structured
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.draw_scope import Scope
from verifier.sample.interface import Point, estimate_expression
from verifier.sample.unsupported import RefusedError, UndefinedError
from verifier.timer import past, worked

TIGHT = 0.01
MOST_SECONDS, LEAST_SECONDS = 0.6, 0.05  # on one point
LEVELS = (32, 8, 2)  # largest first: there most bounds on averages are closest
CLEARLY = 0.02
SETTLED = 0.7  # a gap that shrinks by more than this share of the last time has no end in sight
WIDE = 0.1  # an interval for a gap that says little: another look at it pays
ALLOWED = 1e-9  # how far an assumption may be from true, by rounding
EXACT = 8  # sizes up to which moments are computed exactly
POINTS = 3
MAX_SHOWN = 64  # numbers of one matrix that a person would read
Fact = N.Relation | N.Within
AVERAGES = (N.Expectation, N.Variance, N.Covariance)


def under_signs(claim: Claim, fact: Fact) -> tuple[Claim, Fact]:
    """Entries of which only mean and variance are known, as mean + std * fair signs: one law among many.

    What is reached under it is reached; what is not may be reached under another."""
    symbols = dict(claim.symbols)
    signs: dict[N.Node, N.Node] = {}
    for node in walk(fact):
        declared = claim.symbols.get(node.name) if isinstance(node, N.Symbol) else None
        match None if declared is None else declared.kind:
            case K.Iid(mean, var) if mean is not None and var is not None:
                assert declared is not None
                fair = N.Symbol(f"signs of {declared.name}", declared.shape)
                symbols[fair.name] = replace(declared, name=fair.name, kind=K.Rademacher())
                signs[node] = N.Add(mean, N.Multiply(N.Apply("sqrt", (var,)), fair))
    return replace(claim, symbols=symbols), substitute(expand_lets(fact), signs)


def has_unknown_law(claim: Claim, fact: Fact) -> bool:
    """Whether the relation speaks of a random symbol of which only moments are known."""
    names = symbols_in(fact)
    return any(isinstance(claim.symbols[x].kind, K.Iid | K.AnyLaw) for x in names if x in claim.symbols)


@dataclass(frozen=True)
class Met:
    """A point and what is known of the gap there."""

    cell: Cell
    raw: torch.Tensor
    values: dict[str, object]
    low: float
    high: float

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


def how_tight(claim: Claim, fact: Fact, rng: np.random.Generator, deadline: float) -> Tightness | None:
    """Of one bound on an expectation that is known to be true; None where that is not seen."""
    some = has_unknown_law(claim, fact)
    if some:
        claim, fact = under_signs(claim, fact)
    bounds = bounds_of(fact)
    if len(bounds) != 1:
        return None
    domain = Domain(claim, fact)
    found = tightness(claim, bounds[0], domain, Judge(domain, fact), rng, deadline)
    # Under another law it may be closer: that it is loose is not known from one.
    return None if found is None or (some and not found.tight) else found


def tightness(
    claim: Claim, bound: Bound, domain: Domain, judge: Judge, rng: np.random.Generator, deadline: float
) -> Tightness | None:
    """Tight where some point comes within 1%. Loose where sizes and scalars are all that is free, and no way
    in which they may grow or shrink leads there."""
    looks = _Looks(claim, bound, domain, judge, deadline)
    names = [name for name in domain.names if name in claim.symbols]
    if all(claim.symbols[name].shape.is_scalar for name in names):
        return looks.everywhere()
    for level in LEVELS:
        cell = looks.cell(dict.fromkeys(domain.dimensions, level))
        points = () if cell is None else structured(cell, rng, POINTS)
        met = [found for raw in points if cell is not None and (found := looks.at(cell, raw)) is not None]
        close = next((found for found in met if found.high <= TIGHT), None)
        if close is not None or not met:
            return None if close is None else _reached(close)
    return None


def _reached(met: Met) -> Tightness:
    note = "the bound is reached to within 1%, by exact moments or sampling"
    return Tightness(True, 0.0, max(met.high, 0.0), where=met.values, note=note)


@dataclass(frozen=True)
class _Looks:
    """How close the sides come at points of one claim."""

    claim: Claim
    bound: Bound
    domain: Domain
    judge: Judge
    deadline: float

    def everywhere(self) -> Tightness | None:
        """The least gap at the ends of all ways, where none of them leads on to a smaller one."""
        near = self._after(Way(), 0)
        if near is None or near.high <= TIGHT:
            return None if near is None else _reached(near)
        scalars = [variable.name for variable in near.cell.variables]
        ends = {way: self._far(way) for way in ways(self.domain.dimensions, scalars)}
        close = next((far for far in ends.values() if far is not None and far.high <= TIGHT), None)
        if close is not None:
            return _reached(close)
        near = self._sharper(near)
        least, limit = near, near.low
        for way, far in ends.items():
            far = None if far is None else self._sharper(far)
            end = None if far is None else self._end(near, way, far)
            if far is None or end is None:
                return None
            least, limit = min(least, far, key=lambda met: met.middle), min(limit, end)
        return self._loose(least, limit)

    def _far(self, way: Way) -> Met | None:
        """The end of the way; further out where it is too close to call."""
        far = self._after(way, 2)
        further = far is not None and far.low <= TIGHT < far.high
        return (self._after(way, 3) or far) if further else far

    def _end(self, near: Met, way: Way, far: Met) -> float | None:
        """Where the gap leads on this way; None where it shrinks, and nothing says where that ends."""
        if far.low >= near.high:
            return far.low
        between = self._after(way, 1)
        if between is None:
            return None
        between = self._sharper(between)
        last, before = between.middle - far.middle, near.middle - between.middle
        noise = max(met.high - met.low for met in (near, between, far))
        return None if last > noise and last > SETTLED * before else far.low - max(last, 0.0)

    def _loose(self, least: Met, limit: float) -> Tightness | None:
        if limit <= CLEARLY:
            return None
        again = least if least.low == least.high else self._sampled(least.cell, least.raw, least.middle)
        gap = max((again or least).middle, limit)
        note = f"no size comes closer than about {gap:.2g} of the right side"
        return Tightness(False, limit, gap, where=least.values, note=note)

    def cell(self, sizes: Sizes) -> Cell | None:
        return self.domain.cell({**sizes, **dict.fromkeys(self.domain.sized(K.IndexOf, K.Integer), 1)})

    def _after(self, way: Way, step: int) -> Met | None:
        """The point after some steps on the way."""
        cell = self.cell({name: way.size(name, step) for name in self.domain.dimensions})
        if cell is None:
            return None
        places = [way.place(variable.name, variable.family, step) for variable in cell.variables]
        return self.at(cell, torch.tensor(places, dtype=torch.float64))

    def at(self, cell: Cell, raw: torch.Tensor) -> Met | None:
        if past(self.deadline):
            return None
        return self._exactly(cell, raw) or self._sampled(cell, raw, TIGHT)

    def _sharper(self, met: Met) -> Met:
        """The gap there again, as closely as time allows."""
        if met.high - met.low <= WIDE * met.middle:
            return met
        return self._sampled(met.cell, met.raw, met.middle) or met

    def _exactly(self, cell: Cell, raw: torch.Tensor) -> Met | None:
        if max(cell.sizes.values(), default=0) > EXACT:
            return None
        design = cell.design(raw, 6)
        gap = self.judge.gap(self.bound, design)
        if gap is None:
            return None
        return Met(cell, raw, self.judge.values(design), float(gap), float(gap))

    def _sampled(self, cell: Cell, raw: torch.Tensor, around: float) -> Met | None:
        """Which gap there is, by an interval for the distance of the bounded side from one with a given gap:
        draws end when the gap is seen to be larger or smaller than that."""
        sign = 1 if self.bound.side == "upper" else -1
        try:
            scope = cell.bind(raw)
            stated = math.nan if _random(self.bound.stated) else float(evaluate(self.bound.stated, scope))
            if not stated > 0 or bool(cell.broken(scope).amax() > ALLOWED):
                return None
            there = N.Multiply(N.Number(1 - sign * Fraction(around)), self.bound.stated)
            point = Point(cell.sizes, dict(scope.values), "tightness")
            seconds = min((self.deadline - worked()) / 2, MOST_SECONDS)
            beyond = N.Subtract(self.bound.bounded, there)
            sample = estimate_expression(self.claim, beyond, point, Budget(max(seconds, LEAST_SECONDS)))
        except (RefusedError, UndefinedError):
            return None
        if sample is None:
            return None
        low, high = sorted(around - sign * end / stated for end in (sample.low, sample.high))
        return Met(cell, raw, _shown(cell, scope), low, high)


def _shown(cell: Cell, scope: Scope) -> dict[str, object]:
    shown: dict[str, object] = {**cell.sizes}
    for name, tensor in scope.values.items():
        short = tensor.tolist() if tensor.numel() <= MAX_SHOWN else f"{tensor.numel()} numbers"
        shown[name] = float(tensor) if tensor.numel() == 1 else short
    return shown


def _random(node: N.Node) -> bool:
    return any(isinstance(part, AVERAGES) for part in walk(node))
