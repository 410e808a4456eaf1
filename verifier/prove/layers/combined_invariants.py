"""A combination of invariants that moves as one.

    E(a . I(next)) = q a . I + r . I,   so   a M**T = (first row of N**T) (a, I),   N = [[q, r], [0, M]],

where r, and what it leads to, needs fewer invariants than a. So the distance from a point that the layers
keep is one invariant, though the square, the product and the constant in it move at speeds of their own.
"""

import sympy as sp


def moved_together(weights: sp.Matrix, matrix: sp.Matrix) -> tuple[sp.Matrix, list[int]] | None:
    """N, and which invariants are left beside the combination; None where they are not fewer."""
    size = matrix.shape[0]
    after = weights * matrix
    for pivot in range(size):
        if not weights[pivot].is_number or weights[pivot] == 0:
            continue
        speed = sp.cancel(after[pivot] / weights[pivot])
        rest = (after - speed * weights).applyfunc(sp.cancel)
        left = _reached(matrix, {j for j in range(size) if rest[j] != 0})
        if pivot not in left and len(left) + 1 < size:
            kept = sorted(left)
            top = sp.Matrix([[speed, *(rest[j] for j in kept)]])
            below = sp.zeros(len(kept), 1).row_join(matrix.extract(kept, kept))
            return top.col_join(below), kept
    return None


def _reached(matrix: sp.Matrix, start: set[int]) -> set[int]:
    """What these invariants are moved to, and so on."""
    found, todo = set(start), list(start)
    while todo:
        row = todo.pop()
        new = {j for j in range(matrix.shape[0]) if matrix[row, j] != 0} - found
        found |= new
        todo += new
    return found
