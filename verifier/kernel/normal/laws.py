"""The laws of random symbols: joint cumulants of their entries, from what is declared."""

from collections.abc import Iterator
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING

from flint import fmpq

from verifier.expr.dims import ONE, Dim
from verifier.expr.nodes import (
    Covariance,
    Expectation,
    MatMul,
    Node,
    Number,
    Relation,
    Symbol,
    Transpose,
)
from verifier.expr.symbols import AnyLaw, Bernoulli, Declared, Iid, Normal, Rademacher, Uniform
from verifier.kernel.normal.atoms import NOTHING, UNIT, Poly, scaled, total
from verifier.kernel.rejected import Rejected

if TYPE_CHECKING:
    from verifier.kernel.normal.means import Means

At = tuple[Dim, ...]


class Law:
    """The joint cumulants of a random symbol's entries."""

    def __init__(self, algebra: "Means", declared: Declared) -> None:
        self.algebra, self.declared = algebra, declared
        self.known: dict[int, Poly] = {}

    @property
    def is_symmetric(self) -> bool:
        """Whether all entries may change their signs together."""
        match self.declared.kind:
            case Normal(mean=Number(value)):
                return value == 0
            case Rademacher():
                return True
            case Uniform(low, high):
                return not total((self.algebra.of_node(low), self.algebra.of_node(high))).terms
        return False

    @property
    def is_independent(self) -> bool:
        """Whether different entries are independent and have one law."""
        match self.declared.kind:
            case Normal(mean, _, row_corr, cov):
                return row_corr is None and cov is None and (mean is None or mean.shape.is_scalar)
            case Rademacher() | Bernoulli() | Uniform():
                return True
        return False

    def partitions(self, entries: list[At]) -> Iterator[Poly]:
        """All products of cumulants over the partitions of the entries."""
        if not entries:
            yield UNIT
            return
        kind = self.declared.kind
        if isinstance(kind, AnyLaw):
            yield self._mean_of(kind.mean, entries[0]) if len(entries) == 1 else self._assumed(kind, entries)
            return
        first, rest = entries[0], entries[1:]
        for chosen, left in _subsets(rest, self._largest_block(len(entries))):
            block = self.cumulant((first, *chosen))
            if block.terms:
                for other in self.partitions(left):
                    yield self.algebra.times(block, other)

    def _assumed(self, kind: AnyLaw, entries: list[At]) -> Poly:
        """E(y_i y_j) of a vector, where E(y @ y.T) or Cov(y, y) is assumed."""
        own = Symbol(self.declared.name, self.declared.shape)
        for fact in (
            self.algebra.context.assumptions if len(entries) == 2 and self.declared.copies is None else ()
        ):
            match fact:
                case Relation("==", Expectation(MatMul(left, Transpose(right)), ()), value) if (
                    left == right == own
                ):
                    return self.algebra.of_node(value, *entries)
                case Relation("==", Covariance(left, right), value) if left == right == own:
                    means = (self._mean_of(kind.mean, at) for at in entries)
                    return total((self.algebra.of_node(value, *entries), self.algebra.product(*means)))
        raise Rejected("no-mean", f"a moment of {self.declared.name} that is not stated")

    def _largest_block(self, size: int) -> int:
        return min(size, 2) if isinstance(self.declared.kind, Normal) else size

    def cumulant(self, block: tuple[At, ...]) -> Poly:
        """0 unless all entries of the block are one and the same; entries of a row or of a vector with a
        covariance matrix are joint."""
        kind, size = self.declared.kind, len(block)
        if isinstance(kind, Normal):
            return self._normal(kind, block)
        together = UNIT
        for at, other in pairwise(block):
            for p, q in zip(at, other, strict=True):
                together = self.algebra.times(together, self.algebra.same(p, q))
        if not together.terms:
            return NOTHING
        if isinstance(kind, Iid) and size == 1:
            return self._mean_of(kind.mean, block[0])
        return self.algebra.times(together, self._of_order(size))

    def _normal(self, kind: Normal, block: tuple[At, ...]) -> Poly:
        if len(block) == 1:
            return self._mean_of(kind.mean, block[0])
        (p, q) = block
        same, algebra = self.algebra.same, self.algebra
        if kind.cov is not None:
            ahead = len(p) - 1
            copies = algebra.product(*(same(a, b) for a, b in zip(p[:ahead], q[:ahead], strict=True)))
            return algebra.times(copies, algebra.of_node(kind.cov, p[ahead:], q[ahead:]))
        variance = algebra.power(algebra.of_node(kind.std), 2)
        together = UNIT
        row = self._row_position() if kind.row_corr is not None else None
        for at, (a, b) in enumerate(zip(p, q, strict=True)):
            part = same(a, b)
            if at == row and kind.row_corr is not None:
                shared = algebra.of_node(kind.row_corr)
                apart = algebra.times(shared, total((UNIT, scaled(part, fmpq(-1)))))
                part = total((part, apart))
            together = algebra.times(together, part)
        return algebra.times(together, variance)

    def _row_position(self) -> int | None:
        """Where the row stands among the positions of an entry."""
        if self.declared.shape.rows == ONE:
            return None
        return 0 if self.declared.copies is None else 1

    def _mean_of(self, mean: Node | None, at: At) -> Poly:
        if mean is None:
            raise Rejected("no-mean", f"the mean of {self.declared.name} is not stated")
        if mean.shape.is_scalar:
            return self.algebra.of_node(mean)
        own = at[1:] if self.declared.copies is not None else at
        down = 0 if self.declared.shape.rows == ONE else 1
        return self.algebra.of_node(mean, own[:down], own[down:])

    def _of_order(self, order: int) -> Poly:
        """The cumulant of an entry of this order, from its moments."""
        if order not in self.known:
            found = self._moment(order)
            for k in range(1, order):
                part = self.algebra.times(self._of_order(k), self._moment(order - k))
                found = total((found, scaled(part, fmpq(-comb(order - 1, k - 1)))))
            self.known[order] = found
        return self.known[order]

    def _moment(self, order: int) -> Poly:
        algebra = self.algebra
        match self.declared.kind:
            case Rademacher():
                return NOTHING if order % 2 else UNIT
            case Bernoulli(chance):
                return algebra.of_node(chance)
            case Uniform(low, high):
                a, b = algebra.of_node(low), algebra.of_node(high)
                parts = (
                    algebra.times(algebra.power(a, k), algebra.power(b, order - k)) for k in range(order + 1)
                )
                return scaled(total(parts), fmpq(1, order + 1))
            case Iid(mean, var) if order <= 2:
                if mean is None or (order == 2 and var is None):
                    raise Rejected("no-mean", f"a moment of {self.declared.name} that is not stated")
                first = algebra.of_node(mean)
                if order == 1:
                    return first
                assert var is not None
                return total((algebra.of_node(var), algebra.power(first, 2)))
        raise Rejected("no-mean", f"a moment of {self.declared.name} that is not stated")


def _subsets(entries: list[At], size: int) -> Iterator[tuple[tuple[At, ...], list[At]]]:
    """The ways to choose fewer than `size` entries, with those that are left."""

    def choose(at: int, chosen: tuple[At, ...], left: list[At]) -> Iterator[tuple[tuple[At, ...], list[At]]]:
        if at == len(entries):
            yield chosen, left
            return
        yield from choose(at + 1, chosen, [*left, entries[at]])
        if len(chosen) + 1 < size:
            yield from choose(at + 1, (*chosen, entries[at]), left)

    return choose(0, (), [])
