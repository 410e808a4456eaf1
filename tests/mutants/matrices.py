"""Matrices of polynomials as lists of rows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from tests.mutants.functions import added
from tests.mutants.polynomials import Coefficient, Poly, Undefined, is_zero, mp, real

Matrix = list[list[Poly]]
T = TypeVar("T")
ZERO, ONE = Poly({}), Poly.constant(Fraction(1))


def scalar(value: Coefficient) -> Matrix:
    return [[Poly.constant(value)]]


def eye(size: int) -> Matrix:
    return [[ONE if i == j else ZERO for j in range(size)] for i in range(size)]


def flat(value: Matrix) -> list[Poly]:
    return list(itertools.chain.from_iterable(value))


def at(value: Matrix, i: int, j: int) -> Poly:
    return value[0][0] if len(value) == 1 and len(value[0]) == 1 else value[i][j]


def pick(items: Sequence[T], position: int) -> T:
    if not 1 <= position <= len(items):
        raise Undefined("an index out of range")
    return items[position - 1]


def alike(a: Matrix, b: Matrix) -> tuple[Matrix, Matrix]:
    """A scalar stands for a matrix of its copies."""
    if len(a) == 1 and len(a[0]) == 1 and (len(b), len(b[0])) != (1, 1):
        return [[a[0][0]] * len(b[0]) for _ in b], b
    if len(b) == 1 and len(b[0]) == 1 and (len(a), len(a[0])) != (1, 1):
        return a, [[b[0][0]] * len(a[0]) for _ in a]
    return a, b


def product(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return [[added([x * y for x, y in zip(row, column, strict=True)]) for column in columns] for row in a]


def matrix_power(base: Matrix, power: int) -> Matrix:
    if not 0 <= power <= 12:
        raise Undefined("a matrix power out of reach")
    result = eye(len(base))
    for _ in range(power):
        result = product(result, base)
    return result


def commutation(rows: int, cols: int) -> Matrix:
    """Times vec_r(B') it is vec_r(B): entry (i, j) of B stands at place j*rows + i of the first."""
    found = [[ZERO] * (rows * cols) for _ in range(rows * cols)]
    for i, j in itertools.product(range(rows), range(cols)):
        found[i * cols + j][j * rows + i] = ONE
    return found


def block_diagonal(blocks: Sequence[Matrix]) -> Matrix:
    width = len(blocks[0][0])
    return [
        [*[ZERO] * (width * place), *row, *[ZERO] * (width * (len(blocks) - place - 1))]
        for place, block in enumerate(blocks)
        for row in block
    ]


def largest_singular(value: Matrix) -> Coefficient:
    """The spectral norm of a matrix of numbers."""
    numbers = mp.matrix([[real(x.value) for x in row] for row in value])
    eigenvalues = mp.eigsy(numbers.T * numbers, eigvals_only=True)
    return mp.sqrt(max(max(eigenvalues), mp.mpf(0)))


def hafnian(value: Matrix, left: tuple[int, ...] | None = None) -> Poly:
    """The first index is paired with each of the others in turn."""
    left = tuple(range(len(value))) if left is None else left
    if len(left) % 2:
        return ZERO
    if not left:
        return ONE
    first, *others = left
    return added([value[first][j] * hafnian(value, tuple(k for k in others if k != j)) for j in others])


def cholesky(value: list[list[Coefficient]]) -> list[list[Coefficient]]:
    """Lower triangular L with L L' = value, positive semidefinite."""
    size = len(value)
    found = [[mp.mpf(0)] * size for _ in range(size)]
    for i, j in itertools.product(range(size), repeat=2):
        if j > i:
            continue
        rest = real(value[i][j]) - sum((found[i][k] * found[j][k] for k in range(j)), mp.mpf(0))
        tiny = abs(rest) < mp.mpf(10) ** -40
        if i == j and (rest > 0 or tiny):
            found[i][i] = mp.mpf(0) if tiny else mp.sqrt(rest)
        elif i != j and not is_zero(found[j][j]):
            found[i][j] = rest / found[j][j]
        elif i == j or not tiny:
            raise Undefined("a covariance that is none")
    return found
