"""Expectations of what is no polynomial: sums over the values of few variables, by quadrature."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.mutants.functions import added
from tests.mutants.laws import basic, weighted
from tests.mutants.matrices import Matrix
from tests.mutants.polynomials import Coefficient, Poly, Undefined

if TYPE_CHECKING:
    from tests.mutants.oracle import Oracle

MAX_PLACES = 300
# By the number of continuous variables: nodes, and how far from the truth the sum may be, relatively.
NODES = {0: (1, 0.0), 1: (24, 2e-3), 2: (6, 0.08)}


class Asked(dict[Hashable, Coefficient]):
    """Some value for every variable that is asked for, and which ones were."""

    def __init__(self, known: Mapping[Hashable, Coefficient], held: frozenset[str]) -> None:
        super().__init__(known)
        self.held = held
        self.fresh: dict[Hashable, None] = {}

    def __contains__(self, key: Any) -> bool:
        return super().__contains__(key) or key[0] not in self.held

    def __missing__(self, key: Hashable) -> Coefficient:
        self.fresh[key] = None
        return Fraction(1, 3)


def integrated(oracle: Oracle, body: Callable[[Oracle], Matrix], held: frozenset[str]) -> Matrix:
    """E over every variable that is not held; `oracle.rough` learns how far off it may be."""
    asked = Asked(oracle.outcome, held)
    body(replace(oracle, outcome=asked))
    names = list(asked.fresh)
    smooth = sum(basic(oracle.claim, name) in ("normal", "uniform") for name in names)
    if smooth not in NODES:
        raise Undefined("too many variables to integrate over")
    nodes, error = NODES[smooth]
    choices = [weighted(oracle, name, nodes) for name in names]
    if math.prod(map(len, choices)) > MAX_PLACES:
        raise Undefined("too many variables to integrate over")
    oracle.rough.append(error)
    parts = []
    for place in itertools.product(*choices):
        values = {name: value for name, (value, _) in zip(names, place, strict=True)}
        weight = math.prod((w for _, w in place), start=Fraction(1))
        found = body(replace(oracle, outcome={**oracle.outcome, **values}))
        parts.append([[Poly.constant(weight) * x for x in row] for row in found])
    return [
        [added([part[i][j] for part in parts]) for j in range(len(parts[0][0]))] for i in range(len(parts[0]))
    ]
