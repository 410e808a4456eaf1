"""Expectations of what is no polynomial: sums over the values of few variables, by quadrature."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tests.mutants.laws import basic, weighted
from tests.mutants.matrices import Matrix, flat
from tests.mutants.polynomials import Coefficient, Poly, Undefined, real

if TYPE_CHECKING:
    from tests.mutants.oracle import Oracle

MAX_PLACES = 300
# By the number of continuous variables: nodes on each side of 0, few and more, and the least that is taken
# for the relative error. Two of them would need too many nodes: kinks run across.
NODES = {0: (1, 1, 0.0), 1: (16, 24, 0.002)}
SAFETY = 6.0


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
    """E over every variable that is not held. `oracle.rough` learns how far off it may be, relatively and
    absolutely: some times what fewer nodes change."""
    asked = With(oracle.outcome, held)
    body(replace(oracle, outcome=asked))
    names = list(asked.fresh)
    smooth = sum(basic(oracle.claim, name) in ("normal", "uniform") for name in names)
    if smooth not in NODES:
        raise Undefined("too many variables to integrate over")
    *counts, least = NODES[smooth]
    coarse, fine = (_summed(oracle, body, held, names, int(nodes)) for nodes in counts)
    for a, b in zip(flat(coarse), flat(fine), strict=True):
        sizes = [abs(real(c)) for x in (a, b) for c in x.terms.values()]
        change = max((abs(real(c)) for c in (a - b).terms.values()), default=0)
        size = float(max(sizes, default=0))
        error = least + SAFETY * float(change / max(sizes)) if change else least
        oracle.rough.append((error, error * size))
    return fine


def _summed(
    oracle: Oracle,
    body: Callable[[Oracle], Matrix],
    held: frozenset[str],
    names: list[Hashable],
    nodes: int,
) -> Matrix:
    choices = [weighted(oracle, name, nodes) for name in names]
    if math.prod(map(len, choices)) > MAX_PLACES:
        raise Undefined("too many variables to integrate over")
    total: Matrix | None = None
    for place in itertools.product(*choices):
        values: dict[Hashable, Coefficient] = {
            name: value for name, (value, _) in zip(names, place, strict=True)
        }
        weight = Poly.constant(math.prod((w for _, w in place), start=Fraction(1)))
        part = body(replace(oracle, outcome=With(oracle.outcome, held, values)))
        part = [[weight * x for x in row] for row in part]
        total = part if total is None else _plus(total, part)
    assert total is not None
    return total


def _plus(a: Matrix, b: Matrix) -> Matrix:
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]
