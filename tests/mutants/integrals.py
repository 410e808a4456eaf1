"""Expectations of what is no polynomial: sums over the values of few variables, by quadrature."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
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


@dataclass(frozen=True)
class With(Mapping[Hashable, Coefficient]):
    """Known values, and some for the variables that are not held: which ones are asked for is noted."""

    known: Mapping[Hashable, Coefficient]
    held: frozenset[str]
    fresh: dict[Hashable, Coefficient] = field(default_factory=dict)

    def __contains__(self, key: Any) -> bool:
        return key in self.known or key[0] not in self.held

    def __getitem__(self, key: Any) -> Coefficient:
        return self.known[key] if key in self.known else self.fresh.setdefault(key, Fraction(1, 3))

    def __iter__(self) -> Iterator[Hashable]:
        return iter({**self.known, **self.fresh})

    def __len__(self) -> int:
        return len(self.known) + len(self.fresh)


def integrated(oracle: Oracle, body: Callable[[Oracle], Matrix], held: frozenset[str]) -> Matrix:
    """E over every variable that is not held; `oracle.rough` learns how far off it may be."""
    asked = With(oracle.outcome, held)
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
        values: dict[Hashable, Coefficient] = {
            name: value for name, (value, _) in zip(names, place, strict=True)
        }
        weight = math.prod((w for _, w in place), start=Fraction(1))
        found = body(replace(oracle, outcome=With(oracle.outcome, held, values)))
        parts.append([[Poly.constant(weight) * x for x in row] for row in found])
    return [
        [added([part[i][j] for part in parts]) for j in range(len(parts[0][0]))] for i in range(len(parts[0]))
    ]
