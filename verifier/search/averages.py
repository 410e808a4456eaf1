"""How tight a bound on an expectation is: the sides at points that grow, exactly or by sampling."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import torch

from verifier.claim.model import Claim
from verifier.evidence import Budget, Tightness
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import expand_lets, substitute, walk
from verifier.numeric.api import Point, estimate_expression
from verifier.numeric.compile import evaluate
from verifier.numeric.refuse import RefusedError, UndefinedError
from verifier.search.bounds import Bound
from verifier.search.cells import Cell, Sizes
from verifier.search.exact import Judge
from verifier.search.space import Domain
from verifier.search.starts import structured
from verifier.timer import worked

TIGHT = 0.01
NEAR = Fraction(99, 100)
MOST_SECONDS = 0.6  # on one point
LEVELS = (32, 8, 2)  # largest first: there most bounds on averages are closest
LARGEST = 64  # where the first of them is too close to call
CLEARLY = 0.02
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
    names = {node.name for node in walk(fact) if isinstance(node, N.Symbol | N.Member)}
    return any(isinstance(claim.symbols[x].kind, K.Iid | K.AnyLaw) for x in names if x in claim.symbols)


@dataclass(frozen=True)
class Met:
    """A point and what is known of the gap there."""

    sizes: Sizes
    values: dict[str, object]
    low: float
    high: float


def tightness(
    claim: Claim, bound: Bound, domain: Domain, judge: Judge, rng: np.random.Generator, deadline: float
) -> Tightness | None:
    """Tight where some point comes within 1%; loose where none does and larger sizes do not help."""
    least: list[Met] = []
    levels = list(LEVELS) if domain.dimensions else [1]
    while levels:
        cell = _cell(domain, levels.pop(0))
        met = [] if cell is None else list(_met(claim, bound, cell, judge, rng, deadline))
        close = [found for found in met if found.high <= TIGHT]
        if close:
            note = "the bound is reached to within 1%, by exact moments or sampling"
            return Tightness(True, 0.0, max(close[0].high, 0.0), where=close[0].values, note=note)
        if not met or worked() > deadline:
            return None
        least.append(min(met, key=lambda item: item.high))
        if len(least) == 1 and least[0].low <= TIGHT and domain.dimensions:
            levels, least = [LARGEST], []
    return _loose(domain, least) if least else None


def _met(
    claim: Claim, bound: Bound, cell: Cell, judge: Judge, rng: np.random.Generator, deadline: float
) -> Iterator[Met]:
    """Some points of the cell, until one is close or the time is over."""
    for raw in structured(cell, rng, POINTS if cell.width else 1):
        left = deadline - worked()
        if left <= 0:
            return
        found = _exactly(bound, judge, cell, raw) or _sampled(claim, bound, cell, raw, left / 2)
        if found is not None:
            yield found
            if found.high <= TIGHT:
                return


def _loose(domain: Domain, met: list[Met]) -> Tightness | None:
    """Only where sizes and scalars are all that is free, and halving the sizes shows where the gap leads."""
    names = [name for name in domain.names if name in domain.claim.symbols]
    if any(not domain.claim.symbols[name].shape.is_scalar for name in names):
        return None
    middles = [(item.low + item.high) / 2 for item in met]
    limit = min(item.low for item in met)
    if len(met) == len(LEVELS):
        last, before = middles[1] - middles[0], middles[2] - middles[1]
        noise = max(item.high - item.low for item in met)
        if last > noise and last > 0.7 * before:
            return None  # it shrinks with the sizes, and nothing says where it ends
        limit -= max(last, 0.0)
    if limit <= CLEARLY:
        return None
    note = f"no size comes closer than about {limit:.2g} of the right side"
    return Tightness(False, limit, max(limit, min(middles)), where=met[0].values, note=note)


def _cell(domain: Domain, level: int) -> Cell | None:
    """All free sizes alike."""
    others = dict.fromkeys(domain.sized(K.IndexOf, K.Integer), 1)
    return domain.cell({**dict.fromkeys(domain.dimensions, level), **others})


def _exactly(bound: Bound, judge: Judge, cell: Cell, raw: torch.Tensor) -> Met | None:
    if max(cell.sizes.values(), default=0) > EXACT:
        return None
    design = cell.design(raw, 6)
    gap = judge.gap(bound, design)
    return None if gap is None else Met(cell.sizes, judge.values(design), float(gap), float(gap))


def _sampled(claim: Claim, bound: Bound, cell: Cell, raw: torch.Tensor, seconds: float) -> Met | None:
    """Whether the bounded side lies within 1% of the stated one, by an interval for their distance."""
    try:
        scope = cell.bind(raw)
        stated = float(evaluate(bound.stated, scope)) if not _random(bound.stated) else math.nan
        if not stated > 0:
            return None
        near = N.Multiply(N.Number(NEAR if bound.side == "upper" else 2 - NEAR), bound.stated)
        beyond = N.Subtract(bound.bounded, near)
        point = Point(cell.sizes, dict(scope.values), "tightness")
        sample = estimate_expression(claim, beyond, point, Budget(min(seconds, MOST_SECONDS)))
    except (RefusedError, UndefinedError):
        return None
    if sample is None:
        return None
    sign = 1 if bound.side == "upper" else -1
    gaps = sorted(TIGHT - sign * end / stated for end in (sample.low, sample.high))
    shown: dict[str, object] = {**cell.sizes}
    for name, tensor in scope.values.items():
        short = tensor.tolist() if tensor.numel() <= MAX_SHOWN else f"{tensor.numel()} numbers"
        shown[name] = float(tensor) if tensor.numel() == 1 else short
    return Met(cell.sizes, shown, gaps[0], gaps[1])


def _random(node: N.Node) -> bool:
    return any(isinstance(part, AVERAGES) for part in walk(node))
