"""All symmetric matrices Q_b with p = sum over blocks of g_b * m_b' Q_b m_b, parametrised exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import final

import numpy as np
from flint import fmpq, fmpq_mat

from verifier.exact.numbers.value_matrices import pivots
from verifier.prove.ranges.sos.rational import Polynomial, coefficients

Rows = tuple[tuple[fmpq, ...], ...]
MAX_UNKNOWNS = 1400
ZERO, ONE, TWO = fmpq(0), fmpq(1), fmpq(2)


@final
@dataclass(frozen=True)
class Block:
    """g * m' Q m: a polynomial that is never negative, and the polynomials m."""

    multiplier: Polynomial
    basis: tuple[Polynomial, ...]

    @property
    def size(self) -> int:
        return len(self.basis)

    def entry(self, i: int, j: int) -> Polynomial:
        """What one unknown of Q contributes."""
        product = self.multiplier * self.basis[i] * self.basis[j]
        return product if i == j else product * TWO

    def value(self, rows: Rows) -> Polynomial:
        """g * m' Q m, multiplied out."""
        total = self.multiplier * ZERO
        for i in range(self.size):
            for j in range(i, self.size):
                if rows[i][j]:
                    total = total + self.entry(i, j) * rows[i][j]
        return total


@final
@dataclass(frozen=True)
class Gram:
    """The solutions Q: entries in `free` are chosen, those in `fixed` follow from them."""

    target: Polynomial
    blocks: tuple[Block, ...]
    places: tuple[tuple[int, int, int], ...]  # block, row, column of each unknown
    free: tuple[int, ...]
    fixed: tuple[int, ...]
    table: fmpq_mat  # in reduced form: fixed = last column - columns of free * free

    def solution(self, chosen: Sequence[fmpq]) -> tuple[Rows, ...]:
        """The matrices, exactly, for a choice of the free entries."""
        values = [ZERO] * len(self.places)
        last = len(self.places)
        for place, value in zip(self.free, chosen, strict=True):
            values[place] = value
        for row, place in enumerate(self.fixed):
            total = self.table[row, last]
            for column, value in zip(self.free, chosen, strict=True):
                if value and self.table[row, column]:
                    total = total - self.table[row, column] * value
            values[place] = total
        return self._matrices(values)

    def _matrices(self, values: Sequence[fmpq]) -> tuple[Rows, ...]:
        made = [[[ZERO] * block.size for _ in range(block.size)] for block in self.blocks]
        for (b, i, j), value in zip(self.places, values, strict=True):
            made[b][i][j] = made[b][j][i] = value
        return tuple(tuple(tuple(row) for row in rows) for rows in made)

    @cached_property
    def start(self) -> list[np.ndarray]:
        """One solution as floats, the free entries 0."""
        return [_floats(rows) for rows in self.solution([ZERO] * len(self.free))]

    @cached_property
    def directions(self) -> list[np.ndarray]:
        """For each block, how it changes with each free entry: an array of shape (free, size, size)."""
        count = len(self.free)
        found = [np.zeros((count, block.size, block.size)) for block in self.blocks]
        for k, column in enumerate(self.free):
            changes = [(column, 1.0)]
            for row, place in enumerate(self.fixed):
                if self.table[row, column]:
                    changes.append((place, -_float(self.table[row, column])))
            for place, change in changes:
                b, i, j = self.places[place]
                found[b][k, i, j] = found[b][k, j, i] = change
        return found

    def proves(self, matrices: Sequence[Rows]) -> bool:
        """p = sum of g m'Qm, multiplied out, and no Q has a negative pivot."""
        total = self.target * ZERO
        for block, rows in zip(self.blocks, matrices, strict=True):
            total = total + block.value(rows)
        if total != self.target:
            return False
        found = [pivots(rows) for rows in matrices]
        return all(each is not None and all(pivot >= 0 for pivot in each) for each in found)


def gram(target: Polynomial, blocks: Sequence[Block]) -> Gram | None:
    """The solutions; None where there is none, or too many unknowns."""
    pairs = [combinations_with_replacement(range(block.size), 2) for block in blocks]
    places = [(b, i, j) for b, within in enumerate(pairs) for i, j in within]
    if not places or len(places) > MAX_UNKNOWNS:
        return None
    columns = [coefficients(blocks[b].entry(i, j)) for b, i, j in places] + [coefficients(target)]
    monomials = {monomial: row for row, monomial in enumerate(dict.fromkeys(m for c in columns for m in c))}
    table = fmpq_mat(len(monomials), len(columns))
    for column, entries in enumerate(columns):
        for monomial, coefficient in entries.items():
            table[monomials[monomial], column] = coefficient
    reduced, rank = table.rref()
    fixed = _leading(reduced, rank, len(columns))
    if fixed and fixed[-1] == len(places):
        return None
    free = tuple(sorted(set(range(len(places))) - set(fixed)))
    return Gram(target, tuple(blocks), tuple(places), free, fixed, reduced)


def _leading(table: fmpq_mat, rank: int, columns: int) -> tuple[int, ...]:
    """The column of the first entry of each row of a reduced matrix."""
    found: list[int] = []
    for row in range(rank):
        start = found[-1] + 1 if found else 0
        found.append(next(column for column in range(start, columns) if table[row, column]))
    return tuple(found)


def _floats(rows: Rows) -> np.ndarray:
    return np.array([[_float(x) for x in row] for row in rows]).reshape(len(rows), len(rows))


def _float(value: fmpq) -> float:
    return int(value.p) / int(value.q)
