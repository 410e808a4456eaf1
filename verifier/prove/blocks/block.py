"""Matrices constant on blocks of indices, plus multiples of the identity on the blocks of the diagonal.

    M[i, j] = value[r, c] + shift[r] * (i == j)        for i in class r, j in class c

Sums, products, entrywise functions and transposes of such matrices are of the same kind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from verifier.prove.blocks.block_numbers import Field

Sizes = tuple[Any, ...]
Grid = tuple[tuple[Any, ...], ...]


@final
@dataclass(frozen=True)
class Block:
    """`rows` and `cols` are the sizes of the classes; `shift` is None for all zeros."""

    field: Field
    rows: Sizes
    cols: Sizes
    value: Grid
    shift: tuple[Any, ...] | None = None

    @property
    def is_scalar(self) -> bool:
        return len(self.rows) == len(self.cols) == 1 and self.rows[0] == 1 and self.cols[0] == 1

    @property
    def scalar(self) -> Any:
        """The number that a 1-by-1 matrix is."""
        assert self.is_scalar
        return self.value[0][0] + (self.shift[0] if self.shift else 0)

    def diagonal(self, r: int) -> Any:
        """An entry on the diagonal."""
        return self.value[r][r] + (self.shift[r] if self.shift else 0)

    def map(self, change: Callable[[Any], Any]) -> "Block":
        """change(M), entry by entry."""
        value = tuple(tuple(change(v) for v in row) for row in self.value)
        if self.shift is None:
            return Block(self.field, self.rows, self.cols, value)
        shift = tuple(change(self.diagonal(r)) - value[r][r] for r in range(len(self.rows)))
        return Block(self.field, self.rows, self.cols, value, shift)

    def join(self, other: "Block", merge: Callable[[Any, Any], Any]) -> "Block":
        """merge(M, N), entry by entry; a scalar meets every entry."""
        if other.is_scalar and not self.is_scalar:
            return self.map(lambda v: merge(v, other.scalar))
        if self.is_scalar and not other.is_scalar:
            return other.map(lambda v: merge(self.scalar, v))
        value = tuple(
            tuple(merge(a, b) for a, b in zip(x, y, strict=True))
            for x, y in zip(self.value, other.value, strict=True)
        )
        if self.shift is None and other.shift is None:
            return Block(self.field, self.rows, self.cols, value)
        shift = tuple(merge(self.diagonal(r), other.diagonal(r)) - value[r][r] for r in range(len(self.rows)))
        return Block(self.field, self.rows, self.cols, value, shift)

    def __add__(self, other: "Block") -> "Block":
        return self.join(other, lambda a, b: a + b)

    def __sub__(self, other: "Block") -> "Block":
        return self.join(other, lambda a, b: a - b)

    def __mul__(self, other: "Block") -> "Block":
        return self.join(other, lambda a, b: a * b)

    def __truediv__(self, other: "Block") -> "Block":
        return self.join(other, lambda a, b: a / b)

    @property
    def transposed(self) -> "Block":
        value = tuple(zip(*self.value, strict=True))
        return Block(self.field, self.cols, self.rows, value, self.shift)

    def __matmul__(self, other: "Block") -> "Block":
        """(B + diag s)(C + diag t) = B C + s C + B t + diag(s t), with sizes as weights in B C."""
        inner = range(len(self.cols))
        value = [
            [
                sum((self.value[r][k] * self.cols[k] * other.value[k][c] for k in inner), self._zero)
                + (self.shift[r] * other.value[r][c] if self.shift else 0)
                + (self.value[r][c] * other.shift[c] if other.shift else 0)
                for c in range(len(other.cols))
            ]
            for r in range(len(self.rows))
        ]
        shift = None
        if self.shift and other.shift:
            shift = tuple(a * b for a, b in zip(self.shift, other.shift, strict=True))
        return Block(self.field, self.rows, other.cols, tuple(map(tuple, value)), shift)

    @property
    def _zero(self) -> Any:
        return self.value[0][0] * 0

    # --- sums over entries ------------------------------------------------------------------------------

    def total(self, of: Callable[[Any], Any] = lambda v: v) -> Any:
        """sum_ij of(M[i, j])."""
        found = self._zero
        for r, height in enumerate(self.rows):
            for c, width in enumerate(self.cols):
                found = found + height * width * of(self.value[r][c])
            if self.shift:
                found = found + height * (of(self.diagonal(r)) - of(self.value[r][r]))
        return found

    def row_totals(self, of: Callable[[Any], Any] = lambda v: v) -> "Block":
        """sum_j of(M[i, j]), as a column."""
        sums = []
        for r in range(len(self.rows)):
            found = self._zero
            for c, width in enumerate(self.cols):
                found = found + width * of(self.value[r][c])
            if self.shift:
                found = found + of(self.diagonal(r)) - of(self.value[r][r])
            sums.append((found,))
        return Block(self.field, self.rows, (1,), tuple(sums))

    def over_rows(self, column: "Block", merge: Callable[[Any, Any], Any]) -> "Block":
        """merge(M[i, j], column[i])."""
        value = tuple(tuple(merge(v, column.value[r][0]) for v in row) for r, row in enumerate(self.value))
        if self.shift is None:
            return Block(self.field, self.rows, self.cols, value)
        shift = tuple(
            merge(self.diagonal(r), column.value[r][0]) - value[r][r] for r in range(len(self.rows))
        )
        return Block(self.field, self.rows, self.cols, value, shift)

    def frobenius(self) -> Any:
        return self.field.apply("sqrt", self.total(lambda v: v * v))

    def entries(self) -> list[Any]:
        """The numbers that occur, at most once each where a class has one member."""
        found = [v for row in self.value for v in row]
        return found if self.shift is None else [*found, *map(self.diagonal, range(len(self.rows)))]

    def occurring(self) -> list[Any]:
        """The entries that there are: a class with one member has none beside the diagonal in its block."""
        found = [self.diagonal(r) for r in range(len(self.rows))] if self.shift else []
        for r, row in enumerate(self.value):
            found += [v for c, v in enumerate(row) if not (self.shift and r == c and self.rows[r] == 1)]
        return found

    def quotient(self) -> list[list[Any]]:
        """sqrt(rows) B sqrt(cols) + diag(shift): what M does to vectors constant on classes.

        The other singular values of M are the shifts, on vectors that sum to zero over a class."""
        roots = [
            [self.field.apply("sqrt", self._zero + size) for size in side] for side in (self.rows, self.cols)
        ]
        return [
            [
                roots[0][r] * self.value[r][c] * roots[1][c] + (self.shift[r] if self.shift and r == c else 0)
                for c in range(len(self.cols))
            ]
            for r in range(len(self.rows))
        ]
