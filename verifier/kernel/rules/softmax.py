"""Inequalities about softmax and its slopes, row by row."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.dims import Shape
from verifier.kernel.context import Context
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.norms import ONE, TWO, Pairs, of_size, root_of, size_of, square_of
from verifier.kernel.rules.regular import is_free, unnamed

HALF, QUARTER = N.Number(Fraction(1, 2)), N.Number(Fraction(1, 4))
THREE_HALVES = N.Number(Fraction(3, 2))


def softmax_slopes(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \|\partial\,\mathrm{softmax}(A) / \partial A\| \le \tfrac12 \sqrt{n}} \qquad
    \frac{}{\Gamma \vdash |\partial p_j / \partial A_{kl}| \le \tfrac14} \qquad
    \frac{}{\Gamma \vdash \|\partial p_j / \partial A\|^2 \le 2\,p_j^2\,(1 - p_j)^2}

    For A with n rows, none of whose entries are tied; p_j is an entry of softmax(A). The spectral norm of the
    first is at most 1/2: one row is diag(p) - p p^T, whose form in x is the variance of x under p. The last
    is at most 2*p_j**2, 2*p_j**2*(1 - p_j) and 2*p_j too.
    """
    match atom:
        case N.Norm(N.Derivative(of, by), "fro" | "2" as kind):
            bounds: list[N.Node] = []
            whole, entry = _logits(context, of, by), _entry(context, of, by)
            if whole is not None:
                rows = of_size(whole.shape.rows)
                if kind == "2":
                    yield atom, HALF
                elif rows is not None:
                    yield atom, HALF if rows == ONE else N.Divide(root_of(rows), TWO)
            elif entry is not None and kind == "fro":
                rest = N.Subtract(ONE, entry)
                bounds = [N.Multiply(TWO, square_of(entry)), N.Multiply(TWO, entry)]
                bounds += [N.Multiply(bounds[0], part) for part in (square_of(rest), rest)]
            yield from ((square_of(atom), bound) for bound in bounds)
        case N.Derivative(of, N.Entry(by)) if _entry(context, of, by) is not None:
            yield from ((small, QUARTER) for small in (atom, size_of(atom), N.Negate(atom)))


def near_uniform(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \|\mathrm{softmax}(A) - \mathrm{softmax}(B)\| \le \tfrac12 \|A - B\|} \qquad
    \frac{}{\Gamma \vdash \left\|\mathrm{softmax}(A) - \tfrac1m \mathbf{1}\right\| \le \tfrac12 \|A\|} \qquad
    \frac{}{\Gamma \vdash \left\|\frac{\partial\,\mathrm{softmax}(A)}{\partial A}
    - \tfrac1m I \otimes \left(I - \tfrac1m \mathbf{1}\right)\right\| \le \tfrac32 \|A\|}

    A is n-by-m, and no entries of it are tied. The slope of softmax has a spectral norm of at most 1/2, and
    diag(p) - p p^T moves by at most 1 + |p| + |q| <= 3 times what p moves.
    """
    match atom:
        case N.Norm(N.Subtract(N.RowWise("softmax", a), N.RowWise("softmax", b)), "fro") if (
            a.shape == b.shape
        ):
            yield atom, N.Multiply(HALF, N.Norm(N.Subtract(a, b)))
        case N.Norm(N.Subtract(N.RowWise("softmax", a), other), "fro") if other in _uniform(a):
            yield atom, N.Multiply(HALF, N.Norm(a))
        case N.Norm(N.Subtract(N.Derivative(of, by), other), "fro") if other in _uniform_slopes(by):
            if _logits(context, of, by) == by:
                yield atom, N.Multiply(THREE_HALVES, N.Norm(unfolded(context, by)))


def _uniform(logits: N.Node) -> list[N.Node]:
    """ones(n, m)/m."""
    length = of_size(logits.shape.cols)
    return [] if length is None else [N.Divide(N.Ones(logits.shape), length)]


def _uniform_slopes(logits: N.Node) -> list[N.Node]:
    """The slopes of softmax at 0: kron(eye(n)/m, eye(m) - ones(m, m)/m), also with the number in front."""
    rows, cols = logits.shape.rows, logits.shape.cols
    length = of_size(cols)
    if length is None:
        return []
    centred = N.Subtract(N.Eye(cols), N.Divide(N.Ones(Shape(cols, cols)), length))
    return [
        N.Kron(N.Divide(N.Eye(rows), length), centred),
        N.Divide(N.Kron(N.Eye(rows), centred), length),
        N.Multiply(N.Divide(ONE, length), N.Kron(N.Eye(rows), centred)),
        N.Kron(N.Eye(rows), N.Divide(centred, length)),
    ]


def _logits(context: Context, of: N.Node, by: N.Node) -> N.Node | None:
    """What softmax is taken of, where that is varied freely, as it stands or transposed."""
    match unnamed(context, of):
        case N.RowWise("softmax", arg) if is_free(context, by) and arg in (by, N.Transpose(by)):
            return arg
    return None


def _entry(context: Context, of: N.Node, by: N.Node) -> N.Node | None:
    """An entry of softmax, where what softmax is taken of is varied freely."""
    match unnamed(context, of):
        case N.Entry(arg, row, col) if _logits(context, arg, by) is not None:
            return unfolded(context, N.Entry(arg, row, col))
    return None
