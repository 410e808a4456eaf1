"""Inequalities between norms, inner products and traces, one per function: its instances for a tree, each a
smaller and a larger side."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.kernel.context import Context
from verifier.kernel.normal.chains import product
from verifier.kernel.normal.sign import Signs, is_nonnegative

Pairs = Iterator[tuple[N.Node, N.Node]]
Instances = Callable[[Context, N.Node], Pairs]
ONE, TWO = N.Number(Fraction(1)), N.Number(Fraction(2))


def size_of(node: N.Node) -> N.Node:
    return N.Apply("abs", (node,))


def root_of(node: N.Node) -> N.Node:
    return N.Apply("sqrt", (node,))


def square_of(node: N.Node) -> N.Node:
    return N.Power(node, TWO)


def is_vector(node: N.Node) -> bool:
    return node.shape.is_vector or node.shape.transposed.is_vector


def of_size(size: Dim) -> N.Node | None:
    """A size as a tree: a number, or a number times symbols."""
    if len(size.terms) != 1:
        return None
    ((monomial, factor),) = size.terms
    names = [N.Symbol(name) for name, power in monomial for _ in range(power)]
    parts: list[N.Node] = [*([] if factor == 1 and names else [N.Number(Fraction(factor))]), *names]
    product = parts[0]
    for part in parts[1:]:
        product = N.Multiply(product, part)
    return product


def cauchy_schwarz(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash |\langle A, B \rangle| \le \|A\|\,\|B\|}

    Also without the absolute value, with either sign, squared, for tr(A @ B) and x.T @ y, and for vectors
    with the norms 1 and oo (Hoelder); with B of ones, for the square of the sum of a vector's entries.
    """
    match atom:
        case N.Inner(a, b) | N.Trace(N.MatMul(a, b)):
            pass
        case N.MatMul() if atom.shape.is_scalar:
            chain = Signs(context).chains.of(atom)
            if chain.numbers or len(chain.parts) < 2:
                return
            a, b = Signs(context).chains.turned(chain.parts[:1])[0], product(chain.parts[1:])
        case N.Norm(a, "fro") if is_vector(a) and (size := of_size(a.shape.size)) is not None:
            yield square_of(N.Inner(N.Ones(a.shape), a)), N.Multiply(size, square_of(atom))
            return
        case _:
            return
    bounds: list[N.Node] = [N.Multiply(N.Norm(a), N.Norm(b))]
    if is_vector(a) and a.shape == b.shape:
        bounds += [N.Multiply(N.Norm(a, "1"), N.Norm(b, "oo")), N.Multiply(N.Norm(a, "oo"), N.Norm(b, "1"))]
    for bound in bounds:
        yield from ((small, bound) for small in (atom, size_of(atom), N.Negate(atom)))
    yield square_of(atom), N.Multiply(square_of(N.Norm(a)), square_of(N.Norm(b)))


def triangle(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \|A \pm B\| \le \|A\| + \|B\|} \qquad
    \frac{}{\Gamma \vdash \|A\| - \|B\| \le \|A \pm B\|}

    In every norm, and for absolute values.
    """
    match atom:
        case N.Norm(N.Add(a, b) | N.Subtract(a, b), kind) if a.shape == b.shape:
            sizes: tuple[N.Node, N.Node] = N.Norm(a, kind), N.Norm(b, kind)
        case N.Apply("abs", (N.Add(a, b) | N.Subtract(a, b),)) if a.shape == b.shape:
            sizes = size_of(a), size_of(b)
        case _:
            return
    first, second = sizes
    yield atom, N.Add(first, second)
    yield from ((N.Subtract(x, y), atom) for x, y in ((first, second), (second, first)))
    yield size_of(N.Subtract(first, second)), atom


def submultiplicative(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \|A B\| \le \|A\|\,\|B\|}

    Of the three norms, at most one of the two on the right is the Frobenius norm where the left one is, and
    none where the left one is the spectral norm; or all three are the Frobenius norm. Also for the products
    entry by entry of matrices of one shape, for powers of a matrix, and squared.
    """
    match atom:
        case N.Norm(N.MatMul(a, b), "fro"):
            kinds: list[tuple[N.NormKind, N.NormKind]] = [("fro", "fro"), ("2", "fro"), ("fro", "2")]
        case N.Norm(N.Multiply(a, b), "fro") if a.shape == b.shape:
            kinds = [("fro", "fro")]
        case N.Norm(N.MatMul(a, b), "2"):
            kinds = [("2", "2")]
        case N.Norm(N.MatPower(a, N.Number(power) as exponent), kind) if power >= 1 == power.denominator:
            yield atom, N.Power(N.Norm(a, kind), exponent)
            return
        case N.Norm(N.Multiply(a, b), "2") if a.shape == b.shape:
            kinds = [("2", "2")]
        case _:
            return
    for k, m in kinds:
        yield atom, N.Multiply(N.Norm(a, k), N.Norm(b, m))
        yield square_of(atom), N.Multiply(square_of(N.Norm(a, k)), square_of(N.Norm(b, m)))


def norms(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \|A\|_2 \le \|A\| \le \sqrt{n}\,\|A\|_2} \qquad
    \frac{}{\Gamma \vdash \|x\|_\infty \le \|x\| \le \|x\|_1 \le \sqrt{n}\,\|x\| \le n\,\|x\|_\infty}

    For a matrix n is the number of its rows or that of its columns.
    """
    match atom:
        case N.Norm(arg):
            pass
        case _:
            return
    if not is_vector(arg):
        yield N.Norm(arg, "2"), N.Norm(arg)
        sizes = filter(None, map(of_size, (arg.shape.rows, arg.shape.cols)))
        yield from ((N.Norm(arg), N.Multiply(root_of(size), N.Norm(arg, "2"))) for size in sizes)
        return
    fro, one, top = N.Norm(arg), N.Norm(arg, "1"), N.Norm(arg, "oo")
    yield from ((top, fro), (fro, one), (top, one), (square_of(fro), N.Multiply(one, top)))
    if (length := of_size(arg.shape.size)) is not None:
        root = root_of(length)
        yield from (
            (one, N.Multiply(root, fro)),
            (fro, N.Multiply(root, top)),
            (one, N.Multiply(length, top)),
        )


def entries(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash |A_{ij}| \le \|A\|}

    Also without the absolute value, for the spectral norm, and for vectors in the norms 1 and oo; a row is no
    longer than its matrix.
    """
    match atom:
        case N.Norm(N.Row(arg), "fro" | "2"):
            yield from ((atom, N.Norm(arg, kind)) for kind in ("fro", "2"))
        case N.Entry(arg):
            kinds: list[N.NormKind] = ["fro", "1", "oo"] if is_vector(arg) else ["fro", "2"]
            for kind in kinds:
                yield from ((small, N.Norm(arg, kind)) for small in (atom, size_of(atom), N.Negate(atom)))


def traces(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash |\mathrm{tr}\, A| \le \sqrt{n}\,\|A\|} \qquad
    \frac{}{\Gamma \vdash |\mathrm{tr}\, A| \le n\,\|A\|_2}

    For A n-by-n; also without the absolute value, and the first squared. The trace of B @ B.T is norm(B)**2,
    and there n may be the number of rows of B or that of its columns.
    """
    match atom:
        case N.Norm(N.MatMul(b, N.Transpose(same)), "fro") | N.Norm(
            N.MatMul(N.Transpose(same), b), "fro"
        ) if b == same:
            for length in filter(None, map(of_size, (b.shape.rows, b.shape.cols))):
                yield square_of(N.Norm(b)), N.Multiply(root_of(length), atom)
                yield N.Power(N.Norm(b), N.Number(Fraction(4))), N.Multiply(length, square_of(atom))
        case N.Trace(arg) if (size := of_size(arg.shape.rows)) is not None:
            frobenius = N.Multiply(root_of(size), N.Norm(arg))
            for bound in (frobenius, N.Multiply(size, N.Norm(arg, "2"))):
                yield from ((small, bound) for small in (atom, size_of(atom), N.Negate(atom)))
            yield square_of(atom), N.Multiply(size, square_of(N.Norm(arg)))


def homogeneous(context: Context, atom: N.Node) -> Pairs:
    r"""
    \frac{}{\Gamma \vdash \|c A\| = |c|\,\|A\|} \qquad \frac{}{\Gamma \vdash \|A^T\| = \|A\|} \qquad
    \frac{}{\Gamma \vdash \|A \otimes B\| = \|A\|\,\|B\|} \qquad
    \frac{}{\Gamma \vdash \|A A^T\|_2 = \|A\|_2^2} \qquad
    \frac{}{\Gamma \vdash \|(A B) C\| = \|A (B C)\|}

    As an inequality either way round; A @ B - A @ C is A @ (B - C). For a number c also A/c and (c*A) @ B; -A
    is of the norm of A, and diag(v) of that of v, or in the spectral norm of the largest entry of v.
    |x y| = |x| |y|.
    """
    for equal in _equal_sizes(context, atom):
        yield from ((atom, equal), (equal, atom))


def _equal_sizes(context: Context, atom: N.Node) -> Iterator[N.Node]:
    match atom:
        case N.Apply("abs", (N.Multiply(x, y),)):
            yield N.Multiply(magnitude(context, x), magnitude(context, y))
        case N.Apply("abs", (N.Divide(x, y),)):
            yield N.Divide(magnitude(context, x), magnitude(context, y))
        case N.Apply("abs", (x,)) if is_nonnegative(context, x):
            yield x
        case N.Norm(N.Transpose(inner) | N.Negate(inner), kind):
            yield N.Norm(inner, kind)
        case N.Norm(N.VecR(inner), "fro"):
            yield N.Norm(inner)
        case N.Norm(N.DiagMatrix(inner), "fro" | "2" as kind):
            yield N.Norm(inner, "fro" if kind == "fro" else "oo")
        case N.Norm(N.Kron(a, b), "fro" | "2" as kind):
            yield N.Multiply(N.Norm(a, kind), N.Norm(b, kind))
        case N.Norm(N.Multiply(c, a), kind) if c.shape.is_scalar and not a.shape.is_scalar:
            yield N.Multiply(magnitude(context, c), N.Norm(a, kind))
        case N.Norm(N.Multiply(a, c), kind) if c.shape.is_scalar and not a.shape.is_scalar:
            yield N.Multiply(magnitude(context, c), N.Norm(a, kind))
        case N.Norm(N.Divide(a, c), kind) if c.shape.is_scalar and not a.shape.is_scalar:
            yield N.Divide(N.Norm(a, kind), magnitude(context, c))
        case N.Norm(N.MatMul(N.Multiply(c, a), b), kind) if c.shape.is_scalar:
            yield N.Multiply(magnitude(context, c), N.Norm(N.MatMul(a, b), kind))
        case N.Norm(N.Subtract(N.MatMul(a, b), N.MatMul(c, d)), kind) if a == c and b.shape == d.shape:
            yield N.Norm(N.MatMul(a, N.Subtract(b, d)), kind)
        case N.Norm(N.Subtract(N.MatMul(a, b), N.MatMul(c, d)), kind) if b == d and a.shape == c.shape:
            yield N.Norm(N.MatMul(N.Subtract(a, c), b), kind)
        case N.Power(N.Norm(a, "2"), N.Number(value)) if value == 2:
            yield N.Norm(N.MatMul(N.Transpose(a), a), "2")
            yield N.Norm(N.MatMul(a, N.Transpose(a)), "2")
        case N.Norm(arg, "2"):
            yield from _equal_spectral(context, arg)
    match atom:
        case N.Norm(N.MatMul(N.MatMul(a, b), c), kind):
            yield N.Norm(N.MatMul(a, N.MatMul(b, c)), kind)


def _equal_spectral(context: Context, arg: N.Node) -> Iterator[N.Node]:
    """What is equal to the spectral norm of a matrix and of no other kind."""
    match arg:
        case N.Eye():
            yield ONE
        case N.Ones() if (size := of_size(arg.shape.size)) is not None:
            yield root_of(size)
        case N.MatMul(a, b) if a.shape.is_vector and b.shape.transposed.is_vector:
            yield N.Multiply(N.Norm(a), N.Norm(b))
    match arg:
        case N.Symbol(name) | N.Transpose(N.Symbol(name)) if _is_orthogonal(context, name):
            yield ONE
        case N.MatMul(N.Symbol(name) | N.Transpose(N.Symbol(name)), a) if _is_orthogonal(context, name):
            yield N.Norm(a, "2")
        case N.MatMul(a, N.Symbol(name) | N.Transpose(N.Symbol(name))) if _is_orthogonal(context, name):
            yield N.Norm(a, "2")
        case N.MatMul(a, b):
            chains = Signs(context).chains
            first, second = chains.of(a), chains.of(b)
            if not (first.numbers or second.numbers) and first.parts == chains.turned(second.parts):
                yield square_of(N.Norm(a, "2"))
                yield square_of(N.Norm(b, "2"))


def _is_orthogonal(context: Context, name: str) -> bool:
    return name in context.symbols and context.symbols[name].kind == K.FixedMatrix("orthogonal")


def magnitude(context: Context, node: N.Node) -> N.Node:
    """Its absolute value, or itself where that is known to be the same."""
    return node if is_nonnegative(context, node) else size_of(node)
