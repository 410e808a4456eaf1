"""Equality, entry by entry."""

from contextlib import suppress

from verifier.expr.dims import Dim
from verifier.expr.nodes import Node, Relation
from verifier.kernel.context import Context
from verifier.kernel.core.axes import columns, common, fixed, rows
from verifier.kernel.core.settle import settled
from verifier.kernel.core.terms import Positions, Term, minus
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected


def equal_entries(context: Context, fact: Relation) -> None:
    """Accepts an equation whose sides have the same normal form at every entry."""
    reason = Rejected("differs", "the normal forms of the two sides differ")
    try:
        if any(is_equal(context, fact, expands) for expands in (False, True)):
            return
        with suppress(Rejected):  # means of what is no longer seen to be bounded
            if is_equal(context, fact, elementary=True):
                return
    except Rejected as rejected:
        if context.layers is None:
            raise
        reason = rejected
    if context.layers is not None:
        with suppress(Rejected):
            if is_equal(context, fact, generic=True):
                return
    raise reason


def is_equal(
    context: Context, fact: Relation, expands: bool = False, elementary: bool = False, generic: bool = False
) -> bool:
    algebra = ZeroTest(context, expands=expands, elementary=elementary, generic=generic)
    term = settled(algebra.reader, difference(algebra, fact.left, fact.right))
    return algebra.is_zero(algebra.normal(term))


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
