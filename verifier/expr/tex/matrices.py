"""Small matrices of floats, for telling formulas apart. Nothing is proved with them."""

import math
import operator
from collections.abc import Callable

Matrix = list[list[float]]
SWEEPS = 30
MOST = 60


def transposed(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix, strict=True)]


def entry(matrix: Matrix, row: int, col: int) -> float:
    """By places counted from 1; raises IndexError."""
    if row < 1 or col < 1:
        raise IndexError
    return matrix[row - 1][col - 1]


def entrywise(function: Callable[..., float], *args: Matrix) -> Matrix:
    """Entry by entry; a 1-by-1 matrix goes with every shape. Raises IndexError where shapes do not fit."""
    rows, cols = max(len(arg) for arg in args), max(len(arg[0]) for arg in args)
    for arg in args:
        if (len(arg), len(arg[0])) not in ((rows, cols), (1, 1)):
            raise IndexError

    def pick(arg: Matrix, i: int, j: int) -> float:
        return arg[0][0] if len(arg) == len(arg[0]) == 1 else arg[i][j]

    return [[function(*(pick(arg, i, j) for arg in args)) for j in range(cols)] for i in range(rows)]


def times(left: Matrix, right: Matrix) -> Matrix:
    columns = transposed(right)
    if len(left[0]) != len(right):
        raise IndexError
    return [[sum(map(operator.mul, row, column)) for column in columns] for row in left]


def power(base: Matrix, exponent: Matrix) -> Matrix:
    """Raises ValueError for what is no small whole exponent."""
    count = round(exponent[0][0])
    if not 0 <= count <= MOST or count != exponent[0][0]:
        raise ValueError
    found = [[float(i == j) for j in range(len(base))] for i in range(len(base))]
    for _ in range(count):
        found = times(found, base)
    return found


def diagonal(vector: Matrix) -> Matrix:
    entries = [value for row in vector for value in row]
    return [[value if i == j else 0.0 for j in range(len(entries))] for i, value in enumerate(entries)]


def kron(left: Matrix, right: Matrix) -> Matrix:
    return [[a * b for a in row for b in other] for row in left for other in right]


def softmax(row: list[float]) -> list[float]:
    top = max(row)
    weights = [math.exp(value - top) for value in row]
    return [weight / sum(weights) for weight in weights]


def norm(matrix: Matrix, kind: str) -> float:
    """Of the kinds of the language: Frobenius, spectral, and of a vector the sum and the largest."""
    entries = [value for row in matrix for value in row]
    match kind:
        case "1":
            return sum(map(abs, entries))
        case "oo":
            return max(map(abs, entries))
        case "2" if min(len(matrix), len(matrix[0])) > 1:
            return math.sqrt(max(eigenvalues(times(transposed(matrix), matrix))))
    return math.hypot(*entries)


def eigenvalues(matrix: Matrix) -> list[float]:
    """Of a symmetric matrix, by rotations (Jacobi)."""
    a = [list(row) for row in matrix]
    places = [(p, q) for p in range(len(a)) for q in range(p + 1, len(a))]
    for _ in range(SWEEPS):
        for p, q in places:
            if a[p][q] == 0:
                continue
            theta = math.atan2(2 * a[p][q], a[q][q] - a[p][p]) / 2
            c, s = math.cos(theta), math.sin(theta)
            for row in a:
                row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
            a[p], a[q] = (
                [c * x - s * y for x, y in zip(a[p], a[q], strict=True)],
                [s * x + c * y for x, y in zip(a[p], a[q], strict=True)],
            )
    return [a[i][i] for i in range(len(a))]


def of_family(matrix: Matrix, family: str) -> Matrix:
    """A matrix of a class, made of any matrix of its shape."""
    match family:
        case "symmetric":
            return entrywise(operator.add, matrix, transposed(matrix))
        case "psd":
            return times(matrix, transposed(matrix))
        case "simplex":
            total = sum(abs(value) for row in matrix for value in row)
            return entrywise(lambda value: abs(value) / total, matrix)
        case "stochastic":
            return [[abs(value) / sum(map(abs, row)) for value in row] for row in matrix]
        case "orthogonal":
            return _orthogonal(matrix)
    return matrix


def _orthogonal(matrix: Matrix) -> Matrix:
    """The rows made orthonormal one after another."""
    made: Matrix = []
    for row in matrix:
        for other in made:
            overlap = sum(map(operator.mul, row, other))
            row = [x - overlap * y for x, y in zip(row, other, strict=True)]
        size = math.hypot(*row)
        made.append([x / size for x in row])
    return made
