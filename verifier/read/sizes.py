"""Sizes as unknowns: classes of equal sizes, what each is known to be, and which ask for a matrix."""

from typing import NamedTuple

from verifier.expr.dims import ONE, Dim
from verifier.expr.errors import Span


class Unknown(NamedTuple):
    """A shape whose rows and columns are numbers of sizes."""

    rows: int
    cols: int

    @property
    def transposed(self) -> "Unknown":
        return Unknown(self.cols, self.rows)


class Place(NamedTuple):
    """A piece of one of the formulas."""

    formula: int
    span: Span


class Mismatch(Exception):
    """Two sizes that the text makes equal and that are not."""

    def __init__(self, left: Dim, right: Dim, place: Place) -> None:
        super().__init__(f"{left} and {right} are not the same size")
        self.left, self.right, self.place = left, right, place


class Sizes:
    """Union-find over sizes. A class may have a value, and it may be wide: something in the text would be
    pointless for a number, as the factors of @ are."""

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.value: dict[int, Dim] = {}
        self.wide: set[int] = set()
        self.changes = 0

    def new(self, value: Dim | None = None) -> int:
        self.parent.append(len(self.parent))
        if value is not None:
            self.value[len(self.parent) - 1] = value
        return len(self.parent) - 1

    def shape(self, rows: Dim | None = None, cols: Dim | None = None) -> Unknown:
        return Unknown(self.new(rows), self.new(cols))

    def root(self, size: int) -> int:
        while self.parent[size] != size:
            self.parent[size] = self.parent[self.parent[size]]
            size = self.parent[size]
        return size

    # -- what is learnt

    def join(self, left: int, right: int, place: Place) -> None:
        a, b = self.root(left), self.root(right)
        if a == b:
            return
        first, second = self.value.get(a), self.value.pop(b, None)
        if first is not None and second is not None and first != second:
            raise Mismatch(first, second, place)
        self.parent[b] = a
        if second is not None:
            self.value[a] = second
        if b in self.wide:
            self.wide.discard(b)
            self.wide.add(a)
        self.changes += 1

    def bind(self, size: int, value: Dim, place: Place) -> None:
        self.join(size, self.new(value), place) if self.of(size) != value else None

    def same(self, left: Unknown, right: Unknown, place: Place) -> None:
        self.join(left.rows, right.rows, place)
        self.join(left.cols, right.cols, place)

    def make_scalar(self, shape: Unknown, place: Place) -> None:
        self.bind(shape.rows, ONE, place)
        self.bind(shape.cols, ONE, place)

    def widen(self, *sizes: int) -> None:
        for size in sizes:
            root = self.root(size)
            if root not in self.wide:
                self.wide.add(root)
                self.changes += 1

    # -- what is known

    def of(self, size: int) -> Dim | None:
        return self.value.get(self.root(size))

    def is_scalar(self, shape: Unknown) -> bool:
        return self.of(shape.rows) == ONE and self.of(shape.cols) == ONE

    def is_rigid(self, shape: Unknown) -> bool:
        """Certainly no number: one of its sizes is a letter, or a number other than 1."""
        return any(self.of(size) not in (None, ONE) for size in shape)

    def is_wide(self, shape: Unknown) -> bool:
        """Certainly no number, or asked to be none."""
        marked = any(self.root(size) in self.wide and self.of(size) is None for size in shape)
        return marked or self.is_rigid(shape)
