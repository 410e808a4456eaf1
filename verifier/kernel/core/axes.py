"""How the rows and columns of a matrix are numbered: by one index, or by several.

The rows of kron(A, B) are pairs (row of A, row of B), those of a Jacobian pairs (row, column). An axis is
the tuple of the sizes of its indices, the slowest first; an axis of size 1 has none. `None` is an axis that
may be numbered as anybody likes: that of ones, zeros and the identity.
"""

from collections.abc import Iterable, Mapping

from verifier.expr import nodes as N
from verifier.expr.dims import ONE, Dim
from verifier.kernel.rejected import Rejected

Axis = tuple[Dim, ...]
Positions = tuple[Dim, ...]


def plain(*sizes: Dim) -> Axis:
    return tuple(size for size in sizes if size != ONE)


def fixed(axis: Axis | None, size: Dim) -> Axis:
    """An axis that nobody else numbers is numbered by one index."""
    return plain(size) if axis is None else axis


def common(axes: Iterable[Axis | None]) -> Axis | None:
    """The numbering that all of these share."""
    found: Axis | None = None
    for axis in axes:
        if found is not None and axis is not None and axis != found:
            raise Rejected("outside", "rows or columns that two factors number differently")
        found = axis if found is None else found
    return found


def finest(axes: Iterable[Axis | None]) -> Axis | None:
    """The numbering that all of these share, where one index may stand for several: it counts them."""
    known = [axis for axis in axes if axis is not None]
    several = [axis for axis in known if len(axis) > 1]
    return common(several or known)


def numbered(at: Positions, axis: Axis, other: Axis | None) -> Positions:
    """The same place by the numbering of another axis: (a, b) is the number (a - 1)*size + b."""
    if other is None or other == axis or len(other) != 1:
        return at
    place = Dim.of(1)
    for position, size in zip(at, axis, strict=True):
        place = (place - Dim.of(1)) * size + position
    return (place,)


def told_apart(place: Dim, axis: Axis, ranges: Mapping[str, Dim]) -> Positions | None:
    """The place (a, b) that (a - 1)*size + b is the number of, if b is an index that runs to that size."""
    *ahead, size = axis
    if not ahead:
        return (place,)
    for name in sorted(place.names):
        before = place - Dim.of(name) + size
        for other in sorted(before.names):
            if ranges.get(name) == size and before == Dim.of(other) * size and len(ahead) == 1:
                return (Dim.of(other), Dim.of(name))
    return None


def rows(node: N.Node) -> Axis | None:
    """The numbering of a matrix' rows."""
    match node:
        case N.Ones() | N.Zeros() | N.Eye():
            return () if node.shape.rows == ONE else None
        case N.Let(_, body) | N.Expectation(body) | N.Variance(body) | N.Sum(body) | N.Product(body):
            return rows(body)
        case N.Add() | N.Subtract() | N.Multiply() | N.Divide():
            return common(rows(part) for part in (node.left, node.right) if not part.shape.is_scalar)
        case N.Negate(arg) | N.RowWise(_, arg) | N.Power(arg) | N.MatPower(arg):
            return rows(arg)
        case N.Apply(_, args):
            return common(rows(part) for part in args if not part.shape.is_scalar)
        case N.MatMul(left, _):
            return rows(left)
        case N.Transpose(arg):
            return columns(arg)
        case N.Kron(left, right):
            return (*_rows(left), *_rows(right))
        case N.VecR(arg) | N.Derivative(arg):
            return (*_rows(arg), *_columns(arg))
        case N.Commutation(first, second):
            return plain(first, second)
        case N.BlockDiag(body, _, count):
            return (*plain(count), *_rows(body))
        case N.DiagMatrix(arg) | N.DiagPart(arg):
            return rows(arg)
        case N.Covariance(left, _):
            return rows(left)
    return plain(node.shape.rows)


def columns(node: N.Node) -> Axis | None:
    """The numbering of a matrix' columns."""
    match node:
        case N.Ones() | N.Zeros() | N.Eye():
            return () if node.shape.cols == ONE else None
        case N.Let(_, body) | N.Expectation(body) | N.Variance(body) | N.Sum(body) | N.Product(body):
            return columns(body)
        case N.Add() | N.Subtract() | N.Multiply() | N.Divide():
            return common(columns(part) for part in (node.left, node.right) if not part.shape.is_scalar)
        case N.Negate(arg) | N.RowWise(_, arg) | N.Power(arg) | N.MatPower(arg) | N.Row(arg):
            return columns(arg)
        case N.Apply(_, args):
            return common(columns(part) for part in args if not part.shape.is_scalar)
        case N.MatMul(_, right):
            return columns(right)
        case N.Transpose(arg):
            return rows(arg)
        case N.Kron(left, right):
            return (*_columns(left), *_columns(right))
        case N.Derivative(_, by):
            return (*_rows(by), *_columns(by))
        case N.Commutation(first, second):
            return plain(second, first)
        case N.BlockDiag(body, _, count):
            return (*plain(count), *_columns(body))
        case N.DiagMatrix(arg):
            return rows(arg)
        case N.Covariance(_, right):
            return rows(right)
    return plain(node.shape.cols)


def _rows(node: N.Node) -> Axis:
    return fixed(rows(node), node.shape.rows)


def _columns(node: N.Node) -> Axis:
    return fixed(columns(node), node.shape.cols)


def pairs(left: N.Node, row: Axis, col: Axis) -> tuple[tuple[Axis, Axis], tuple[Axis, Axis]]:
    """The positions of kron's two factors."""
    down = len(fixed(rows(left), left.shape.rows))
    along = len(fixed(columns(left), left.shape.cols))
    return (row[:down], row[down:]), (col[:along], col[along:])


def swapped(col: Axis, first: Dim, second: Dim) -> Axis:
    """The pair of a column of the commutation matrix, in the order of its rows."""
    ahead = len(plain(second))
    return (*col[ahead:], *col[:ahead])
