"""Equality, entry by entry."""

from typing import Literal, get_args

from verifier.expr.dims import Dim
from verifier.expr.nodes import Node, Relation
from verifier.kernel.context import Context
from verifier.kernel.core.axes import columns, common, fixed, rows
from verifier.kernel.core.settle import settled
from verifier.kernel.core.terms import Positions, Term, minus
from verifier.kernel.normal.atoms import Poly
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected

Mode = Literal["plain", "expands", "elementary", "generic", "whole"]


def equal_entries(context: Context, fact: Relation) -> None:
    """Accepts an equation whose sides have the same normal form at every entry, in one of several forms."""
    reason: Rejected | None = None
    for mode in get_args(Mode):
        if mode == "generic" and context.layers is None:
            continue
        if reason is not None and reason.reason == "too-large" and mode != "whole":
            continue
        try:
            if is_equal(context, fact, mode):
                return
            reason = reason or Rejected("differs", "the normal forms of the two sides differ")
        except Rejected as rejected:
            reason = reason or rejected
    if reason is not None:
        raise reason


def is_equal(context: Context, fact: Relation, mode: Mode) -> bool:
    algebra = algebra_of(context, mode)
    term = settled(algebra.reader, difference(algebra, fact.left, fact.right))
    algebra.know_divided(term, frozenset())
    gap = algebra.normal(term)
    return algebra.is_zero(gap) or _is_zero_matrix(algebra, gap)


def algebra_of(context: Context, mode: Mode) -> ZeroTest:
    return ZeroTest(
        context,
        expands=mode == "expands",
        elementary=mode == "elementary",
        generic=mode == "generic",
        whole=mode == "whole",
    )


def _is_zero_matrix(algebra: ZeroTest, gap: Poly) -> bool:
    """Whether the sum of the squares of all entries is 0, which assumptions may say of sums alone."""
    free = sorted(name for name in gap.names if name.startswith(("%r", "%c")))
    if not free or not algebra.laws:
        return False
    total = algebra.power(gap, 2)
    for name in free:
        total = algebra.summed(total, name, *algebra.ranges[name])
    return algebra.is_zero(total)


def difference(algebra: ZeroTest, left: Node, right: Node) -> Term:
    """left - right at an arbitrary entry."""
    row, col = positions(algebra, (left, right))
    sides = [
        algebra.reader.scalar(side) if side.shape.is_scalar else algebra.reader.entry(side, row, col)
        for side in (left, right)
    ]
    return minus(*sides)


def positions(algebra: ZeroTest, sides: tuple[Node, ...]) -> tuple[Positions, Positions]:
    """An arbitrary entry: indices that run over the rows and the columns of all sides that are matrices."""
    matrices = [side for side in sides if not side.shape.is_scalar]
    found = []
    for place, axis_of in (("r", rows), ("c", columns)):
        sizes = fixed(common(map(axis_of, matrices)), matrices[0].shape.rows) if matrices else ()
        if matrices and place == "c":
            sizes = fixed(common(map(axis_of, matrices)), matrices[0].shape.cols)
        names = [f"%{place}{at}" for at in range(len(sizes))]
        for name, size in zip(names, sizes, strict=True):
            algebra.ranges[name] = Dim.of(1), size
        found.append(tuple(map(Dim.of, names)))
    row, col = found
    return row, col
