r"""The vector of ones without its size: `\mathbf{1}^\top z` has as many ones as z has rows.

Untyped, its size is the mark `EXTENT`, and follows from inference. Typed, it follows from the factor that
stands beside it, or from the other side of an equation."""

from verifier.expr import syntax as S
from verifier.expr.dims import Dim, Shape
from verifier.expr.errors import Span
from verifier.expr.tex.reader import PRODUCT, SCALAR_PRODUCT, respanned
from verifier.expr.tex.sums import EXTENT


def is_unsized(tree: S.Syntax) -> bool:
    """Whether this is a column of ones whose size is not printed."""
    if not isinstance(tree, S.Call) or tree.function != "ones" or len(tree.args) != 1:
        return False
    size = tree.args[0]
    return isinstance(size, S.Call) and size.function == EXTENT


def ends_unsized(tree: S.Syntax) -> bool:
    r"""Whether the last factor is \mathbf{1}^\top: what follows says its size."""
    match tree:
        case S.Binary(_, op, _, right) if op in (PRODUCT, SCALAR_PRODUCT):
            return ends_unsized(right)
        case S.Transposed(_, arg):
            return is_unsized(arg)
    return False


def with_last_sized(tree: S.Syntax, size: Dim) -> S.Syntax:
    """The same with that size in its last factor."""
    match tree:
        case S.Binary(span, op, left, right) if op in (PRODUCT, SCALAR_PRODUCT):
            return S.Binary(span, op, left, with_last_sized(right, size))
        case S.Transposed(span, arg):
            return S.Transposed(span, sized(arg, size))
    return tree


def sized(tree: S.Syntax, size: Dim) -> S.Syntax:
    assert isinstance(tree, S.Call)
    return _ones(tree.span, size)


def _ones(span: Span, size: Dim) -> S.Syntax:
    return S.Call(span, "ones", span, (respanned(S.parse(str(size)), span),), ())


def sides(left: S.Syntax, right: S.Syntax, other: Shape) -> tuple[S.Syntax, S.Syntax]:
    """The sides of a relation, of which one is a bare column of ones, and the other has this shape."""
    if is_unsized(left):
        return sized(left, other.rows), right
    return left, sized(right, other.rows)
