"""Lengths: of matrices whose rows are short, of commutators, of the slopes of rmsnorm."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import ONE as ONE_ROW
from verifier.expr.walk import walk
from verifier.kernel.context import Context
from verifier.kernel.rules.defined import unfolded
from verifier.kernel.rules.norms import TWO, Pairs, of_size, root_of, square_of
from verifier.kernel.rules.regular import depends, is_free, unnamed

ONE = N.Number(Fraction(1))


def rows_of_length(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{\left(\forall k\colon \|A_k\| \le c\right) \in \Gamma}{\Gamma \vdash \|A\| \le \sqrt{n}\,c} \qquad
    \frac{\left(\forall k\colon \|A_k\| \le c\right) \in \Gamma \qquad P \text{ stochastic}}
    {\Gamma \vdash \|P A\| \le \sqrt{m}\,c}

    A has the n rows A_k, and the assumption, which may be an equation, is about all of them. P has m rows and
    is declared stochastic or a softmax: each row of P A is an average of those of A. So the largest entry of
    P x is not above that of x, in size.
    """
    match atom:
        case N.Norm(N.MatMul(weights, arg), "oo") if _averages(context, weights):
            yield atom, N.Norm(arg, "oo")
            return
        case N.Norm(N.MatMul(weights, arg), "fro") if _averages(context, weights):
            rows = of_size(weights.shape.rows)
        case N.Norm(arg, "fro"):
            rows = of_size(arg.shape.rows)
        case _:
            return
    for fact in context.assumptions:
        match fact:
            case N.ForAll(
                N.Relation("==" | "<=" | "<", N.Norm(N.Row(matrix, N.Index(name)), "fro" | "2"), c),
                (N.Range(index, low, high),),
                (),
            ) if (name, low, high) == (index, ONE, of_size(arg.shape.rows)):
                closed = not any(isinstance(part, N.Index) for part in walk(c))
                if rows is not None and closed and unfolded(context, matrix) == arg:
                    yield atom, N.Multiply(root_of(rows), unfolded(context, c))


def _averages(context: Context, node: N.Node) -> bool:
    match node:
        case N.RowWise("softmax"):
            return True
        case N.Symbol(name) if name in context.symbols:
            return context.symbols[name].kind == K.FixedMatrix("stochastic")
    return False


def commutator(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \|A B - B A\| \le \sqrt{2}\,\|A\|\,\|B\|}

    The inequality of Boettcher and Wenzel.
    """
    match atom:
        case N.Norm(N.Subtract(N.MatMul(a, b), N.MatMul(c, d)), "fro") if (a, b) == (d, c):
            yield atom, N.Multiply(N.Multiply(root_of(TWO), N.Norm(a)), N.Norm(b))


def rmsnorm_slopes(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \left\|\frac{\partial\,\mathrm{rmsnorm}(x)}{\partial x}\right\|_2 \le
    \frac{\sqrt{d}}{\|x\|}} \qquad
    \frac{}{\Gamma \vdash \left\|\frac{\partial\,\mathrm{rmsnorm}(x)}{\partial x}\right\|^2 \le
    \frac{d\,(d - 1)}{\|x\|^2}}

    x is one row of d entries, varied freely. The Jacobian is sqrt(d)/norm(x) times the projection off x. Also
    times norm(g, oo) where the row is multiplied by g entry by entry, which does not depend on x.
    """
    match atom:
        case N.Norm(N.Derivative(of, by), "2" | "fro" as kind) if is_free(context, by):
            pass
        case _:
            return
    inside, gain = unnamed(context, of), None
    match inside:
        case N.Multiply(first, second) if first.shape == second.shape:
            for g, row in ((first, second), (second, first)):
                if isinstance(unnamed(context, row), N.RowWise) and not depends(context, g, by):
                    inside, gain = unnamed(context, row), g
    match inside:
        case N.RowWise("rmsnorm", arg) if arg in (by, N.Transpose(by)) and arg.shape.rows == ONE_ROW:
            size = of_size(arg.shape.cols)
        case _:
            return
    if size is None:
        return
    length = N.Norm(unfolded(context, by))
    factor = ONE if gain is None else N.Norm(unfolded(context, gain), "oo")
    if kind == "2":
        yield atom, N.Multiply(factor, N.Divide(root_of(size), length))
    else:
        entries = N.Multiply(size, N.Subtract(size, ONE))
        yield square_of(atom), N.Multiply(square_of(factor), N.Divide(entries, square_of(length)))
        yield atom, N.Multiply(factor, N.Divide(size, length))
