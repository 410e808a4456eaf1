"""Thousands of points with tiny sizes and tiny entries, all at once.

A point that assumptions with equations allow is rarely met among a few. Entries are 0, 1 and -1 here, all
of them or many drawn at random, and one batched evaluation in floating point tells which points the
assumptions allow and the relation does not survive. Those are for exact arithmetic to decide. Then entries up
to 3 are drawn, with scalars of every order: some bounds break only where a parameter is large.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import torch
from torch import Tensor

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.prove.rules.bound_form import Bound, bounds_of
from verifier.refute.ascent.worst_points import Objective
from verifier.refute.domain.domain_at_sizes import Cell, Design, Variable
from verifier.refute.domain.matrix_families import Scalar
from verifier.refute.domain.space import Domain
from verifier.sample.unsupported import UndefinedError
from verifier.timer import past

SIZES = (1, 2)
LARGER = (1, 2, 3)  # where two entries are tied, a third sets the next free
INTEGERS = (1, 2, 0)
MOST_CELLS = 24
MOST_POINTS = 4096
MOST_NUMBERS = 40
KEPT = 12
NOISE = 1e-7
ENTRIES = (0.0, 1.0, -1.0)
LOGARITHMS = (0.0, float(np.log(2)), -float(np.log(2)))  # of 1, 2 and 1/2
WIDER = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0)
ORDERS = (1.0, 0.0, -1.0, 2.0, 10.0, 100.0, -10.0, 1000.0)
WIDER_LOGARITHMS = tuple(float(np.log(10)) * k for k in (0, 1, -1, 2, -2, 3))
ANGLES = (0.0, float(np.pi / 2), float(np.pi / 4))


def halves(fact: N.Relation | N.Within) -> tuple[Bound, ...]:
    """An equality is broken as soon as one of its two bounds is."""
    match fact:
        case N.Relation("==", left, right):
            return Bound(left, right, right, "upper"), Bound(right, left, right, "lower")
    return bounds_of(fact)


def suspects(domain: Domain, rng: np.random.Generator, deadline: float) -> Iterator[Design]:
    """Points that break the relation in floating point, the simplest of each choice of sizes first."""
    for cell in _cells(domain):
        if past(deadline):
            return
        if not 0 < cell.width <= MOST_NUMBERS:
            continue
        for points in (_points(cell, rng), _wider(cell, rng)):
            for bound in halves(domain.fact):
                yield from _broken(Objective(cell, bound), points)


def _broken(objective: Objective, points: Tensor) -> Iterator[Design]:
    try:
        excess = objective.excess(points)
    except (UndefinedError, OverflowError):
        return
    (at,) = torch.where(excess > (-NOISE if objective.bound.strict else NOISE))
    simplest = at[torch.argsort(points[at].abs().sum(dim=1), stable=True)][:KEPT]
    for point in points[simplest]:
        yield objective.cell.design(point, 12)


def _cells(domain: Domain) -> Iterator[Cell]:
    """Every choice of tiny sizes and of all indices below them; then those that reach one further."""
    names = domain.sized(K.Dimension, K.Integer, K.IndexOf)
    seen: set[tuple[int, ...]] = set()
    for sizes in (SIZES, LARGER):
        kept = 0
        for values in _choices_of_sizes(domain, names, sizes):
            cell = None if values in seen else domain.cell(dict(zip(names, values, strict=True)))
            seen.add(values)
            if cell is not None:
                kept += 1
                yield cell
            if kept == MOST_CELLS:
                break


def _choices_of_sizes(domain: Domain, names: Sequence[str], sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    kinds = [domain.claim.symbols[name].kind for name in names]
    choices = product(*(INTEGERS if isinstance(kind, K.Integer) else sizes for kind in kinds))
    return sorted(choices, key=sum)


def _points(cell: Cell, rng: np.random.Generator) -> Tensor:
    """Every combination of tiny numbers where they are few, else as many as we may draw."""
    choices = [_choices(variable) for variable in cell.variables for _ in range(variable.count)]
    if len(ENTRIES) ** len(choices) <= MOST_POINTS:
        return torch.tensor(list(product(*choices)), dtype=torch.float64)
    columns = [rng.choice(choice, size=MOST_POINTS, p=_odds(choice)) for choice in choices]
    return torch.from_numpy(np.unique(np.stack(columns, axis=1), axis=0))


def _wider(cell: Cell, rng: np.random.Generator) -> Tensor:
    columns = []
    for variable in cell.variables:
        choice = _wider_choices(variable)
        odds = _odds(choice) if choice is WIDER_LOGARITHMS else None  # most of them 1
        columns += [rng.choice(choice, size=MOST_POINTS, p=odds) for _ in range(variable.count)]
    return torch.from_numpy(np.unique(np.stack(columns, axis=1), axis=0))


def _wider_choices(variable: Variable) -> tuple[float, ...]:
    family = variable.family
    if not isinstance(family, Scalar):
        return WIDER
    if family.is_logarithmic:
        return WIDER_LOGARITHMS
    return ANGLES if np.isfinite(family.low) and np.isfinite(family.high) else ORDERS


def _odds(choice: tuple[float, ...]) -> list[float]:
    """Zeros, and the number 1 of what is positive, come more often: such points are easier to read."""
    return [0.5] + [0.5 / (len(choice) - 1)] * (len(choice) - 1)


def _choices(variable: Variable) -> tuple[float, ...]:
    family = variable.family
    if not isinstance(family, Scalar):
        return ENTRIES
    if family.is_logarithmic:
        return LOGARITHMS
    return ANGLES if np.isfinite(family.low) and np.isfinite(family.high) else ENTRIES
