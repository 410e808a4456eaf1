"""What each operation says of the shapes that it joins.

A rule has three parts. `force` is what the language demands: it may be applied as soon as enough is known.
`lean` is what the text makes plain though the language would allow more: the sides of a sum have one shape.
`settle` decides what is still open when all of that is done. Each part is applied to all rules until nothing
changes before the next begins, so that no answer depends on the order or the names of anything.
"""

from dataclasses import dataclass

from verifier.expr.dims import ONE
from verifier.read.sizes import Place, Sizes, Unknown


@dataclass(frozen=True)
class Rule:
    """One operation at one place."""

    place: Place

    def force(self, sizes: Sizes) -> None:
        raise NotImplementedError

    def lean(self, sizes: Sizes) -> None:
        """Nothing more, unless a rule says so."""

    def is_open(self, sizes: Sizes) -> bool:
        """Whether something is left to decide; asked of every rule before any is settled."""
        return False

    def settle(self, sizes: Sizes) -> None:
        """Decide it."""


@dataclass(frozen=True)
class Entrywise(Rule):
    """out = f(parts), entry by entry; a scalar goes with every shape.

    `takes` says which parts have the shape of the result where nothing else is said of them: both sides of
    a sum, the upper side of a fraction, no side of a product, which more often scales than not."""

    out: Unknown
    parts: tuple[Unknown, ...]
    takes: tuple[Unknown, ...]

    def force(self, sizes: Sizes) -> None:
        if sizes.is_scalar(self.out):
            for part in self.parts:
                sizes.make_scalar(part, self.place)
        others = [part for part in self.parts if not sizes.is_scalar(part)]
        if not others:
            sizes.make_scalar(self.out, self.place)
        for part in others:
            if len(others) == 1 or sizes.is_rigid(part):
                sizes.same(self.out, part, self.place)

    def lean(self, sizes: Sizes) -> None:
        wide = sizes.is_wide(self.out)
        for part in self.parts:
            if not sizes.is_scalar(part) and (sizes.is_wide(part) or (wide and part in self.takes)):
                sizes.same(self.out, part, self.place)

    def is_open(self, sizes: Sizes) -> bool:
        return sizes.is_wide(self.out) and not any(sizes.is_wide(part) for part in self.parts)

    def settle(self, sizes: Sizes) -> None:
        for part in self.parts:
            if not sizes.is_scalar(part):
                sizes.same(self.out, part, self.place)


@dataclass(frozen=True)
class Compared(Rule):
    """left op right. A number that is computed is compared with a number; 0 and 1 with every entry."""

    left: Unknown
    right: Unknown
    constants: tuple[bool, bool]
    strict: bool

    def force(self, sizes: Sizes) -> None:
        pairs = ((self.left, self.right, self.constants[0]), (self.right, self.left, self.constants[1]))
        for here, there, constant in pairs:
            if self.strict and sizes.is_scalar(here) and not constant:
                sizes.make_scalar(there, self.place)
        if sizes.is_rigid(self.left) and sizes.is_rigid(self.right):
            sizes.same(self.left, self.right, self.place)

    def lean(self, sizes: Sizes) -> None:
        scalar = sizes.is_scalar(self.left) or sizes.is_scalar(self.right)
        if not scalar and (sizes.is_wide(self.left) or sizes.is_wide(self.right)):
            sizes.same(self.left, self.right, self.place)


@dataclass(frozen=True)
class SideBySide(Rule):
    """Two factors without a sign between them: a scalar and anything, or a product of matrices."""

    out: Unknown
    left: Unknown
    right: Unknown

    def force(self, sizes: Sizes) -> None:
        if sizes.is_scalar(self.left):
            sizes.same(self.out, self.right, self.place)
        elif sizes.is_scalar(self.right):
            sizes.same(self.out, self.left, self.place)
        elif sizes.is_rigid(self.left) and sizes.is_rigid(self.right):
            self.matrices(sizes)

    def lean(self, sizes: Sizes) -> None:
        if sizes.is_scalar(self.left) or sizes.is_scalar(self.right):
            return
        wide = sizes.is_wide(self.left), sizes.is_wide(self.right)
        if all(wide) or (any(wide) and sizes.is_scalar(self.out)):
            self.matrices(sizes)

    def matrices(self, sizes: Sizes) -> None:
        sizes.join(self.left.cols, self.right.rows, self.place)
        sizes.join(self.out.rows, self.left.rows, self.place)
        sizes.join(self.out.cols, self.right.cols, self.place)
        sizes.widen(self.left.cols)

    def is_open(self, sizes: Sizes) -> bool:
        """Whether nothing tells a scaling from a product of matrices."""
        if sizes.is_scalar(self.left) or sizes.is_scalar(self.right):
            return False
        wide = sizes.is_wide(self.left), sizes.is_wide(self.right)
        return wide in ((True, False), (False, True)) or (not any(wide) and sizes.is_wide(self.out))

    def settle(self, sizes: Sizes) -> None:
        """Where nothing tells the factors apart, neither of them scales the other."""
        if not sizes.is_wide(self.left) and not sizes.is_wide(self.right):
            sizes.widen(*self.left, *self.right)


@dataclass(frozen=True)
class Squared(Rule):
    """A power without a sign that says which: of a scalar, or of a square matrix."""

    base: Unknown

    def force(self, sizes: Sizes) -> None:
        if sizes.is_rigid(self.base):
            sizes.join(self.base.rows, self.base.cols, self.place)

    def lean(self, sizes: Sizes) -> None:
        if sizes.is_wide(self.base):
            sizes.join(self.base.rows, self.base.cols, self.place)


@dataclass(frozen=True)
class Multiplied(Rule):
    """out = left * right, of sizes: a Jacobian has as many rows as the entries of what it is of."""

    out: int
    left: int
    right: int

    def force(self, sizes: Sizes) -> None:
        left, right, out = (sizes.of(size) for size in (self.left, self.right, self.out))
        if left == ONE:
            sizes.join(self.out, self.right, self.place)
        elif right == ONE:
            sizes.join(self.out, self.left, self.place)
        elif out == ONE:
            sizes.bind(self.left, ONE, self.place)
            sizes.bind(self.right, ONE, self.place)
        elif left is not None and right is not None:
            sizes.bind(self.out, left * right, self.place)


@dataclass(frozen=True)
class Diagonal(Rule):
    """diag of a column is a matrix, of a square matrix its diagonal. Where nothing asks for a square matrix
    it is taken of a column."""

    out: Unknown
    arg: Unknown

    def force(self, sizes: Sizes) -> None:
        sizes.join(self.out.rows, self.arg.rows, self.place)
        if sizes.of(self.arg.cols) == ONE:
            sizes.join(self.out.cols, self.arg.rows, self.place)
        elif sizes.of(self.arg.cols) is not None or sizes.root(self.arg.cols) == sizes.root(self.arg.rows):
            sizes.join(self.arg.cols, self.arg.rows, self.place)
            sizes.bind(self.out.cols, ONE, self.place)

    def is_open(self, sizes: Sizes) -> bool:
        return sizes.of(self.arg.cols) is None and sizes.root(self.arg.cols) != sizes.root(self.arg.rows)

    def settle(self, sizes: Sizes) -> None:
        sizes.bind(self.arg.cols, ONE, self.place)


@dataclass(frozen=True)
class Picked(Rule):
    """x[i]: an entry of a column, or a row of a matrix, of which one asks for something that has columns."""

    out: int
    cols: int

    def force(self, sizes: Sizes) -> None:
        if sizes.of(self.out) is not None or sizes.of(self.cols) is not None:
            sizes.join(self.out, self.cols, self.place)

    def lean(self, sizes: Sizes) -> None:
        if sizes.root(self.out) in sizes.wide:
            sizes.join(self.out, self.cols, self.place)

    def is_open(self, sizes: Sizes) -> bool:
        return sizes.of(self.cols) is None and sizes.root(self.out) != sizes.root(self.cols)

    def settle(self, sizes: Sizes) -> None:
        sizes.bind(self.cols, ONE, self.place)
