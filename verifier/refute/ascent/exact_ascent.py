"""An ascent in exact arithmetic: one number after the other, over a few small values.

A relation between expectations cannot be climbed by slopes where nobody has a closed form, yet exact moments
give both sides at a tiny size. From a start with small entries, each number in turn takes the value at which
the bound comes closest or breaks: scales that must differ by orders of magnitude are found in a sweep or two.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np

from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.refusals import Refusal
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.recheck import Rechecked, admissible, recheck
from verifier.expr import symbols as K
from verifier.prove.rules.bound_form import Bound
from verifier.refute.domain.space import Domain
from verifier.timer import past

REAL: tuple[Any, ...] = (1, 0, -1, 2, -2, 10, 100)
POSITIVE: tuple[Any, ...] = (1, 2, Fraction(1, 2), 10, 100, Fraction(1, 100))
ENTRIES: tuple[Any, ...] = (1, 0, -1, 2, -2)
SIZES = (1, 2)
MOST_CELLS = 8
DRAWS = 16  # of a start at which both sides have a value
STARTS = 3
SWEEPS = 2
MOST_PLACES = 24
DEAR = 0.15  # seconds of computing for one point beyond which larger sizes are left alone
NOWHERE = -float("inf")
Place = tuple[str, int | None, int | None]
Point = dict[str, Any]


def ascend(domain: Domain, bound: Bound, rng: np.random.Generator, deadline: float) -> Rechecked | None:
    """A point with tiny sizes that breaks the bound; None where the ascent met none."""
    for sizes in _sizes(domain):
        climb = _Climb(domain, bound, sizes, rng, deadline)
        if not 0 < len(climb.places) <= MOST_PLACES:
            continue
        for _ in range(STARTS if climb.begins() else 0):
            point = climb.top()
            if point is not None and climb.is_broken(point):
                return recheck(domain.claim, domain.fact, climb.simpler(point))
        if climb.dearest > DEAR or past(deadline):
            return None  # larger sizes take longer still
    return None


def _sizes(domain: Domain) -> Iterator[Mapping[str, int]]:
    names = domain.sized(K.Dimension, K.Integer, K.IndexOf)
    for sizes in islice(sorted(product(SIZES, repeat=len(names)), key=sum), MOST_CELLS):
        chosen = dict(zip(names, sizes, strict=True))
        cell = domain.cell(chosen)
        if cell is not None:
            yield cell.sizes


@dataclass
class _Climb:
    """The numbers at one choice of sizes."""

    domain: Domain
    bound: Bound
    sizes: Mapping[str, int]
    rng: np.random.Generator
    deadline: float

    def __post_init__(self) -> None:
        self.choices: dict[Place, tuple[Any, ...]] = dict(self._places())
        self.places = list(self.choices)
        self.dearest = 0.0  # seconds of computing that both sides have taken at one point

    def begins(self) -> bool:
        """Whether a few random points show one at which both sides have a value."""
        for _ in range(DRAWS):
            if self._score(self._start()) > NOWHERE:
                return True
            if self.dearest > DEAR or past(self.deadline):
                return False
        return False

    def _places(self) -> Iterator[tuple[Place, tuple[Any, ...]]]:
        """Every number that is free, with the values it may take; none where a symbol is of another kind."""
        found: list[tuple[Place, tuple[Any, ...]]] = []
        for name, declared in self.domain.claim.symbols.items():
            fixed = name in self.sizes or name in self.domain.substituted or name in self.domain.claim.where
            if fixed or name not in self.domain.names:
                continue
            rows, cols = declared.shape.rows.at(self.sizes), declared.shape.cols.at(self.sizes)
            match declared.kind:
                case K.Real():
                    found.append(((name, None, None), REAL))
                case K.Positive():
                    found.append(((name, None, None), POSITIVE))
                case K.FixedMatrix("matrix" | "vector") if declared.copies is None:
                    found += [((name, i, j), ENTRIES) for i in range(rows) for j in range(cols)]
                case _:
                    return
        yield from found

    def top(self) -> Point | None:
        """Where the ascent from a random start ends; None where the start has no value."""
        for _ in range(DRAWS):
            point = self._start()
            best = self._score(point)
            if best > NOWHERE or past(self.deadline):
                break
        if best == NOWHERE:
            return None
        for _ in range(SWEEPS):
            before = best
            for place in self._order():
                point, best = self._improved(point, place, best)
                if best > 0 or past(self.deadline):
                    return point
            if best <= before:
                return point
        return point

    def _order(self) -> list[Place]:
        """Scalars first: of them there are few, and orders of magnitude between them break most."""
        mixed = [self.places[at] for at in self.rng.permutation(len(self.places))]
        return sorted(mixed, key=lambda place: place[1] is not None)

    def simpler(self, point: Point) -> Point:
        """The broken point with as many numbers as possible 1 or 0."""
        for place in self.places:
            for value in (1, 0):
                other = self._with(point, place, value)
                if not past(self.deadline) and self.is_broken(other):
                    point = other
                    break
        return point

    def is_broken(self, point: Point) -> bool:
        """Whether exact arithmetic says so."""
        return recheck(self.domain.claim, self.domain.fact, point).outcome == "false"

    def _with(self, point: Point, place: Place, value: Any) -> Point:
        other = {name: _copied(item) for name, item in point.items()}
        _put(other, place, value, self._shape(place[0]))
        return other

    def _start(self) -> Point:
        point: Point = dict(self.sizes)
        for place, values in self.choices.items():
            _put(point, place, values[int(self.rng.integers(3))], self._shape(place[0]))
        return point

    def _improved(self, point: Point, place: Place, best: float) -> tuple[Point, float]:
        for value in self.choices[place]:
            other = self._with(point, place, value)
            if other == point:
                continue
            score = self._score(other)
            if score > best:
                point, best = other, score
            if past(self.deadline):
                break
        return point, best

    def _shape(self, name: str) -> tuple[int, int]:
        shape = self.domain.claim.symbols[name].shape
        return shape.rows.at(self.sizes), shape.cols.at(self.sizes)

    def _score(self, point: Point) -> float:
        """(small - large)/|stated|; minus infinity where that has no value or the point is not allowed."""
        claim, begun = self.domain.claim, time.process_time()
        try:
            if claim.constraints and admissible(claim, point).outcome != "true":
                return NOWHERE
            small, large = (
                float(enclose(evaluate(node, point, self.domain.context, bits=64)[0][0]).mid())
                for node in (self.bound.small, self.bound.large)
            )
        except (Refusal, OverflowError):
            return NOWHERE
        finally:
            self.dearest = max(self.dearest, time.process_time() - begun)
        stated = large if self.bound.side == "upper" else small
        if stated == 0:
            return 1.0 if small > large else NOWHERE
        return (small - large) / abs(stated)


def _put(point: Point, place: Place, value: Any, shape: tuple[int, int]) -> None:
    name, i, j = place
    if i is None or j is None:
        point[name] = value
        return
    rows = point.setdefault(name, [[0] * shape[1] for _ in range(shape[0])])
    rows[i][j] = value


def _copied(value: Any) -> Any:
    return [list(row) for row in value] if isinstance(value, list) else value
