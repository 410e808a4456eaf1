"""A linear system in numbers that are not negative, solved exactly."""

from collections.abc import Sequence

from flint import fmpq

Column = dict[int, fmpq]  # by row
MOST_PIVOTS = 400
ZERO = fmpq(0)


def solve(columns: Sequence[Column], target: Column, height: int) -> list[fmpq] | None:
    """x >= 0 with sum of x_k * column_k = target, by the first phase of the simplex method; None where there
    is none, or none is found in time. Of equal choices the first is taken, so that it does not go round."""
    width = len(columns)
    rows = [[ZERO] * (width + 1) for _ in range(height)]
    for k, column in enumerate([*columns, target]):
        for row, value in column.items():
            rows[row][k] = value
    rows = [[-value for value in row] if row[-1] < 0 else row for row in rows]
    basis = [width + row for row in range(height)]  # one artificial number for each row
    cost = [sum((row[k] for row in rows), ZERO) for k in range(width + 1)]
    for _ in range(MOST_PIVOTS):
        if cost[-1] == 0:
            return _read(rows, basis, width)
        entering = next((k for k in range(width) if cost[k] > 0), None)
        if entering is None:
            return None
        ratios = [
            (row[-1] / row[entering], basis[at], at) for at, row in enumerate(rows) if row[entering] > 0
        ]
        _, _, leaving = min(ratios)
        _pivot(rows, cost, leaving, entering)
        basis[leaving] = entering
    return None


def _pivot(rows: list[list[fmpq]], cost: list[fmpq], at: int, column: int) -> None:
    scale = 1 / rows[at][column]
    rows[at] = [value * scale if value else value for value in rows[at]]
    pivot = [(k, value) for k, value in enumerate(rows[at]) if value]
    for row in (*rows[:at], *rows[at + 1 :], cost):
        factor = row[column]
        if factor:
            for k, value in pivot:
                row[k] -= factor * value


def _read(rows: list[list[fmpq]], basis: list[int], width: int) -> list[fmpq]:
    found = [ZERO] * width
    for at, k in enumerate(basis):
        if k < width:
            found[k] = rows[at][-1]
    return found
