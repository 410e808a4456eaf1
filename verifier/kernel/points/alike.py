"""Matrices that do not change when some of their indices are exchanged.

The numbers of rows and columns fall into classes. A matrix is alike over them if every exchange of numbers
within a class, made in its rows and its columns at once, leaves it as it is: its entries are then known from
few of them, and so are its sums, its products with itself and its eigenvalues.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from verifier.kernel.points import values as v
from verifier.kernel.points.tables import Place
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

PARTS = ("first", "row", "column", "diagonal", "rest")


class Pattern(dict[str, Value]):
    """A matrix of any size by five numbers: the entry [1, 1], the others of row 1 and of column 1, and of
    what is left the diagonal and all that is not on it."""

    def at(self, place: Place) -> Value:
        _, i, j = place
        if i == 1 or j == 1:
            return self["first" if i == j else "row" if i == 1 else "column"]
        return self["diagonal" if i == j else "rest"]


Table = Mapping[Place, Value] | Pattern


@dataclass(frozen=True)
class Classes:
    """The last number of each class, in order; of numbers beyond nothing is known."""

    ends: tuple[int, ...]

    def within(self, first: int, last: int) -> list[tuple[int, int]] | None:
        """The classes that a range is made of, by their first and last numbers; None where it cuts one."""
        low, high = bisect_left(self.ends, first - 1), bisect_left(self.ends, last)
        cut = (low < len(self.ends) and self.ends[low] != first - 1) if first > 1 else first < 1
        if cut or high >= len(self.ends) or self.ends[high] != last:
            return None
        starts = [first, *(end + 1 for end in self.ends[low + (first > 1) : high])]
        return [(start, self.ends[bisect_left(self.ends, start)]) for start in starts]

    def is_alone(self, number: int) -> bool:
        found = self.within(number, number)
        return found is not None and len(found) == 1


@dataclass(frozen=True)
class Alike:
    """A matrix over classes of its rows and of its columns."""

    rows: list[tuple[int, int]]
    cols: list[tuple[int, int]]
    entry: Callable[[int, int], Value]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Places that show every entry."""
        return (pair for rows in self.rows for cols in self.cols for pair in _pairs(rows, cols))

    def row(self, i: int) -> list[tuple[Value, int]]:
        """The entries of a row, each with how often it stands there."""
        return [(self.entry(i, j), count) for j, count in counted(self.cols, {i})]

    def gram(self, i: int, j: int) -> Value:
        """The inner product of two rows."""
        total = v.ZERO
        for k, count in counted(self.cols, {i, j}):
            total = v.plus(total, v.times(v.rational(count), v.times(self.entry(i, k), self.entry(j, k))))
        return total

    def sums(self) -> list[list[Value]]:
        """Of a square matrix, the sums over its blocks."""
        return [[self._total(rows, cols, _size(rows)) for cols in self.cols] for rows in self.rows]

    def quotient(self) -> list[list[Value]]:
        """Of a square matrix, what it does to vectors that are alike: row sums over blocks."""
        return [[self._total(rows, cols, 1) for cols in self.cols] for rows in self.rows]

    def gaps(self) -> list[Value]:
        """Of a square matrix, what it multiplies vectors with that sum to 0 within a class: other
        eigenvalues of a symmetric matrix are those of its quotient."""
        return [
            v.minus(self.entry(low, low), self.entry(low, low + 1)) for low, high in self.rows if low < high
        ]

    def _total(self, rows: tuple[int, int], cols: tuple[int, int], times: int) -> Value:
        total = v.ZERO
        for j, count in counted([cols], {rows[0]}):
            total = v.plus(total, v.times(v.rational(count * times), self.entry(rows[0], j)))
        return total

    # Kinds

    @property
    def is_symmetric(self) -> bool:
        return all(v.compared(self.entry(i, j), self.entry(j, i)) == 0 for i, j in self.pairs())

    @property
    def is_psd(self) -> bool:
        """Symmetric, and so are its block sums and what is left beside them."""
        return self.is_symmetric and all(v.sign_of(gap) >= 0 for gap in self.gaps()) and is_psd(self.sums())

    @property
    def is_stochastic(self) -> bool:
        """No entry is negative, and every row sums to 1."""
        if any(v.sign_of(self.entry(i, j)) < 0 for i, j in self.pairs()):
            return False
        return all(v.compared(self._row_sum(low), v.ONE) == 0 for low, _ in self.rows)

    def _row_sum(self, i: int) -> Value:
        total = v.ZERO
        for value, count in self.row(i):
            total = v.plus(total, v.times(v.rational(count), value))
        return total

    @property
    def is_orthogonal(self) -> bool:
        square = Alike(self.rows, self.rows, self.gram)
        return all(v.compared(self.gram(i, j), v.ONE if i == j else v.ZERO) == 0 for i, j in square.pairs())

    @property
    def transposed(self) -> "Alike":
        return Alike(self.cols, self.rows, lambda i, j: self.entry(j, i))

    def is_in_family(self, family: str) -> bool:
        match family:
            case "matrix" | "vector":
                return True
            case "simplex":
                return self.transposed.is_stochastic
            case "stochastic":
                return self.is_stochastic
            case "symmetric":
                return self.is_symmetric
            case "psd":
                return self.is_psd
            case "orthogonal":
                return self.is_orthogonal
        raise Rejected("outside", f"a matrix of the kind {family}")


def single(size: int) -> list[tuple[int, int]]:
    """Every number a class of its own."""
    return [(number, number) for number in range(1, size + 1)]


def _size(part: tuple[int, int]) -> int:
    return part[1] - part[0] + 1


def _pairs(rows: tuple[int, int], cols: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """One place of each kind: on the diagonal of a class with itself, and beside it."""
    yield rows[0], cols[0]
    if rows == cols and rows[0] < rows[1]:
        yield rows[0], rows[0] + 1


def counted(classes: list[tuple[int, int]], used: set[int]) -> Iterator[tuple[int, int]]:
    """Numbers that stand for all, with how many each stands for: those in use for themselves alone."""
    for low, high in classes:
        own = sorted(number for number in used if low <= number <= high)
        yield from ((number, 1) for number in own)
        left = high - low + 1 - len(own)
        if left:
            yield next(number for number in range(low, high + 1) if number not in own), left


def is_psd(matrix: list[list[Value]]) -> bool:
    """Symmetric, and no pivot is negative; after a pivot 0 its row must be 0."""
    size = range(len(matrix))
    if not all(v.compared(matrix[i][j], matrix[j][i]) == 0 for i in size for j in range(i)):
        return False
    rows = [list(row) for row in matrix]
    for k in size:
        pivot, below = rows[k][k], range(k + 1, len(rows))
        side = v.sign_of(pivot)
        if side < 0:
            return False
        if not side:
            if any(v.sign_of(rows[k][j]) for j in below):
                return False
            continue
        for i in below:
            factor = v.times(rows[k][i], v.inverse(pivot))
            for j in below:
                rows[i][j] = v.minus(rows[i][j], v.times(factor, rows[k][j]))
    return True
