"""Entries and ranges: what an index runs along is as long as its range."""

from abc import abstractmethod
from collections.abc import Mapping

from verifier.expr import syntax as S
from verifier.expr.dims import ONE, Dim
from verifier.expr.errors import ExprError
from verifier.expr.symbols import Declared, IndexOf, Sequence
from verifier.expr.tex.sums import EXTENT
from verifier.read.rules import Picked
from verifier.read.shaped import Visitor
from verifier.read.sizes import Place, Unknown
from verifier.read.solve import Ranged
from verifier.read.trees import names_in, word

# Ends of the ranges that bound names run over, so far as they are sizes: known, or still unknown.
Bound = Mapping[str, Dim | int | None]


class Indices(Visitor):
    """The part of the visit that knows which names are bound."""

    declared: Mapping[str, Declared]
    bound: Bound
    ranged: list[Ranged]
    extents: dict[int, int]

    @abstractmethod
    def is_free(self, name: str) -> bool: ...

    @abstractmethod
    def dimension(self, tree: S.Syntax) -> Dim: ...

    def fixed(self, rows: Dim, cols: Dim) -> Unknown:
        return self.sizes.shape(rows, cols)

    def subscript(self, arg: S.Syntax, indices: tuple[S.Syntax, ...], place: Place) -> Unknown:
        member = self.declared.get(arg.name) if isinstance(arg, S.Name) else None
        if member is not None and (member.copies is not None or isinstance(member.kind, Sequence)):
            for index in indices:
                self.index(index, None)
            return self.fixed(member.shape.rows, member.shape.cols)
        inner = self.visit(arg, "it has indices")
        for index, size in zip(indices, inner, strict=False):
            self.index(index, size)
            self.sizes.widen(size)
        if len(indices) != 1:
            return self.scalar()
        row = Unknown(self.sizes.new(ONE), self.sizes.new())
        self.rules.append(Picked(place, row.cols, inner.cols))
        return row

    def index(self, tree: S.Syntax, size: int | None) -> None:
        """A position along a size: a bound index runs along it, a free one is some index of it."""
        self.sizes.make_scalar(self.visit(tree), self.place(tree.span))
        if not isinstance(tree, S.Name) or size is None:
            return
        if tree.name in self.bound:
            high = self.bound[tree.name]
            if isinstance(high, int):
                self.sizes.join(size, high, self.place(tree.span))
            elif high is not None:
                self.ranged.append(Ranged(self.place(tree.span), size, high))
        elif tree.name in self.declared:
            kind = self.declared[tree.name].kind
            if isinstance(kind, IndexOf):
                self.ranged.append(Ranged(self.place(tree.span), size, kind.size))
        elif self.is_free(tree.name):
            self.uses.indices.setdefault(tree.name, size)

    def repeated(self, tree: S.Call, place: Place) -> Unknown:
        """sum(body, i, 1, n, ...): the body sees the indices."""
        outside = self.bound
        items = list(tree.args[1:])
        while len(items) >= 3 and isinstance(items[0], S.Name) and not isinstance(items[1], S.Compare):
            name, low, high = items[0].name, items[1], items[2]
            self.whole(low)
            end = self.extent(high) or self.whole(high)
            self.bound = {**self.bound, name: end if word(low) == "1" else None}
            items = items[3:]
        for item in items:
            self.visit(item)
        out = self.visit(tree.args[0]) if tree.args else self.scalar()
        self.bound = outside
        return out

    def extent(self, tree: S.Syntax) -> int | None:
        """The end of a range that is the size of what its index picks entries of."""
        if not isinstance(tree, S.Call) or tree.function != EXTENT:
            return None
        self.sizes.new()  # so that no size is the number 0, which reads as none
        self.extents[id(tree)] = self.sizes.new()
        return self.extents[id(tree)]

    def whole(self, tree: S.Syntax) -> Dim | None:
        """An end of a range: a size where it can be one, else any whole number."""
        free = [name for name in names_in(tree) if self.is_free(name)]
        self.sizes.make_scalar(self.visit(tree), self.place(tree.span))
        if word(tree) == "oo":
            return None
        if any(name in self.bound for name in names_in(tree)):
            self.uses.integers.update(free)
            return None
        try:
            return self.dimension(tree)
        except ExprError:
            self.uses.integers.update(free)
            return None
