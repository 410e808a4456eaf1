"""Entries that are alike: their means take few values, however large the matrix is."""

from dataclasses import dataclass

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.expr.walk import children
from verifier.kernel.asymptotic.motion import Motion
from verifier.kernel.context import Context
from verifier.kernel.core import terms as T
from verifier.kernel.core.settle import settled
from verifier.kernel.normal.atoms import UNIT, Poly
from verifier.kernel.normal.equal import positions
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected

ALIKE = (K.Normal, K.Rademacher, K.Uniform, K.Bernoulli)


def mass(algebra: ZeroTest, motion: Motion, matrix: N.Node) -> Poly:
    """A multiple of this is the mean of the square of the norm of a matrix, where that exists. The mean of
    the square of an entry depends on its indices only by which of them are equal to one another, or to one
    of the finitely many numbers in the text; so it is one of finitely many numbers, which do not change with
    the sizes, and the mean of the sum is at most the greatest of them times the number of entries."""
    factor, matrix = _factors(algebra, matrix, UNIT)
    row, col = positions(algebra, (matrix,))
    outer = frozenset(name for place in (*row, *col) for name in place.names)
    term = settled(algebra.reader, algebra.reader.entry(matrix, row, col))
    _Alike(algebra.context, motion, outer).check(term)
    count = algebra.product(*(algebra.of_dim(algebra.ranges[name][1]) for name in sorted(outer)))
    return algebra.product(factor, factor, count)


def _factors(algebra: ZeroTest, matrix: N.Node, known: Poly) -> tuple[Poly, N.Node]:
    """Numbers that are not random, taken out of a matrix."""
    match matrix:
        case N.Let(name, body) if name not in algebra.context.held:
            return _factors(algebra, body, known)
        case N.Divide(rest, number) if _is_fixed_number(algebra.context, number):
            return _factors(algebra, rest, algebra.times(known, algebra.inverse(algebra.of_node(number))))
        case N.Multiply(number, rest) | N.Multiply(rest, number) if _is_fixed_number(algebra.context, number):
            return _factors(algebra, rest, algebra.times(known, algebra.of_node(number)))
    return known, matrix


def _is_fixed_number(context: Context, node: N.Node) -> bool:
    return node.shape.is_scalar and not any(map(context.is_random, context.reach(node)))


@dataclass(frozen=True)
class _Alike:
    context: Context
    motion: Motion
    outer: frozenset[str]  # the indices of the entry

    def check(self, term: T.Term) -> None:
        """Rejects an entry that depends on sizes that move, or on its indices otherwise than as the numbers
        of entries of draws that are all alike."""
        match term:
            case T.Var(name, at):
                if name in self.outer or (name in self.motion.names and not self._is_alike(name)):
                    raise Rejected("condition", f"an entry that depends on {name}")
                if not self._is_alike(name) and any(self.outer & place.names for place in at):
                    raise Rejected("condition", f"an entry of {name}, whose entries may all be different")
                for place in at:
                    self._check_place(place)
            case T.Sum(_, low, high, body):
                if (low.names | high.names) & (self.motion.names | self.outer):
                    raise Rejected("condition", "a sum whose length moves")
                self.check(body)
            case T.Delta(left, right):
                self._check_place(left)
                self._check_place(right)
            case T.Num():
                return
            case T.Plus() | T.Times() | T.Pow() | T.Fn():
                for part in T.parts_of(term):
                    self.check(part)
            case _:
                raise Rejected("outside", "a mean or an opaque number in an entry")

    def _check_place(self, place: Dim) -> None:
        """A position is an index of the entry, or something that does not move."""
        if self.outer & place.names and place not in [Dim.of(name) for name in self.outer]:
            raise Rejected("condition", "a position that is counted from an index")
        if place.names & self.motion.names:
            raise Rejected("condition", "a position that moves")

    def _is_alike(self, name: str) -> bool:
        """Independent draws of one law, which does not move."""
        kind = self.context.symbols[name].kind if name in self.context.symbols else None
        if not isinstance(kind, ALIKE) or getattr(kind, "cov", None) or getattr(kind, "row_corr", None):
            return False
        values = [value for value in vars(kind).values() if isinstance(value, N.Node)]
        reached = frozenset[str]().union(*map(self.context.reach, values))
        fixed = all(value.shape.is_scalar for value in values) and not reached & self.motion.names
        return fixed and not any(map(self.context.is_random, reached)) and not self._is_spoken_of(name)

    def _is_spoken_of(self, name: str) -> bool:
        """Whether an assumption may tell the entries of a draw apart."""
        parts = [part for fact in self.context.assumptions for part in children(fact)]
        return any(name in self.context.reach(part) for part in parts)
