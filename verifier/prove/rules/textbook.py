"""Inequalities of the textbooks, one per function; the docstring is the inequality.

A rule takes an atom and yields magnitudes that are never smaller, for all values of the symbols.
`certify.py` applies them; `tests/prove/rules/test_textbook.py` holds each against random matrices.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from flint import fmpq

from verifier.exact.numbers.constants import power
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.dims import Dim
from verifier.expr.walk import substitute
from verifier.prove.rules.bounded_rows import averages_of_rows
from verifier.prove.rules.magnitude_forms import (
    HALF,
    UNIT,
    Magnitude,
    Reader,
    contains,
    of_atom,
    of_dim,
    of_number,
)

Rule = Callable[[Reader, N.Node], Iterator[Magnitude]]


def _half(dim: Dim) -> Magnitude | None:
    """sqrt(n)."""
    found = of_dim(dim)
    return None if found is None else found.raised(HALF)


def submultiplicativity(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(A @ B) <= norm(A, 2) norm(B), norm(A) norm(B, 2); norm(A @ B, 2) <= norm(A, 2) norm(B, 2)"""
    match atom:
        case N.Norm(N.MatMul(left, right), "fro"):
            yield reader.norm(left, "2") * reader.norm(right, "fro")
            yield reader.norm(left, "fro") * reader.norm(right, "2")
            yield reader.norm(left, "fro") * reader.norm(right, "fro")
        case N.Norm(N.MatMul(left, right), "2"):
            yield reader.norm(left, "2") * reader.norm(right, "2")


def associativity(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm((A @ B) @ C) = norm(A @ (B @ C))"""
    match atom:
        case N.Norm(N.MatMul(N.MatMul(a, b), c), kind):
            yield reader.norm(N.MatMul(a, N.MatMul(b, c)), kind)


def spectral_is_smallest(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(A, 2) <= norm(A)"""
    match atom:
        case N.Norm(arg, "2"):
            yield reader.norm(arg, "fro")


def frobenius_by_rank(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(A) <= sqrt(min(n, m)) norm(A, 2) for A n-by-m"""
    match atom:
        case N.Norm(arg, "fro") if not (arg.shape.is_vector or arg.shape.transposed.is_vector):
            for dim in (arg.shape.rows, arg.shape.cols):
                root = _half(dim)
                if root is not None:
                    yield root * reader.norm(arg, "2")
            rows, cols = of_dim(arg.shape.rows), of_dim(arg.shape.cols)
            if arg.shape.rows.names and arg.shape.cols.names and rows is not None and cols is not None:
                yield from _by_minimum(reader, arg)


def _by_minimum(reader: Reader, arg: N.Node) -> Iterator[Magnitude]:
    names = [sorted(dim.names) for dim in (arg.shape.rows, arg.shape.cols)]
    if all(len(found) == 1 for found in names):
        first, second = N.Symbol(names[0][0]), N.Symbol(names[1][0])
        if str(arg.shape.rows) == first.name and str(arg.shape.cols) == second.name and first != second:
            for pair in ((first, second), (second, first)):
                yield of_atom(N.Apply("min", pair), HALF) * reader.norm(arg, "2")


def triangle(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(A + B) <= norm(A) + norm(B), |x + y| <= |x| + |y|, |sum| <= sum of |.|"""
    match atom:
        case N.Norm(N.Add(left, right) | N.Subtract(left, right), kind) if left.shape == right.shape:
            yield reader.norm(left, kind) + reader.norm(right, kind)
        case N.Apply("abs", (N.Add(left, right) | N.Subtract(left, right),)):
            yield reader.size(left) + reader.size(right)


def entrywise_product(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(A * B) <= norm(A) norm(B), norm(A * B, 2) <= norm(A, 2) norm(B, 2)"""
    match atom:
        case N.Norm(N.Multiply(left, right), "fro" | "2" as kind) if left.shape == right.shape:
            yield reader.norm(left, kind) * reader.norm(right, kind)


def vector_norms(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(v, oo) <= norm(v) <= norm(v, 1) <= sqrt(n) norm(v) <= n norm(v, oo), and
    norm(v)**2 <= norm(v, 1) norm(v, oo)"""
    match atom:
        case N.Norm(arg, "fro") if arg.shape.is_vector or arg.shape.transposed.is_vector:
            root = _half(arg.shape.size)
            ends = [reader.norm(arg, kind).raised(HALF) for kind in ("1", "oo")]
            yield reader.norm(arg, "1")
            if ends[0] is not None and ends[1] is not None:
                yield ends[0] * ends[1]
            if root is not None:
                yield root * reader.norm(arg, "oo")
        case N.Norm(arg, "1"):
            root = _half(arg.shape.size)
            if root is not None:
                yield root * reader.norm(arg, "fro")
        case N.Norm(arg, "oo"):
            yield reader.norm(arg, "fro")


def entries(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """|A[i, j]| <= norm(A[i]), norm(A, 2); |v[i]| <= norm(v, oo)"""
    match atom:
        case N.Apply("abs", (N.Entry(arg, row, _),)):
            if arg.shape.is_vector or arg.shape.transposed.is_vector:
                yield reader.norm(arg, "oo")
            else:
                yield reader.norm(arg, "2")
                yield reader.norm(N.Row(arg, row), "fro")


def cauchy_schwarz(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """|inner(A, B)| <= norm(A) norm(B), and norm(v, 1) norm(w, oo) for vectors"""
    match atom:
        case N.Apply("abs", (N.Inner(left, right),)) | N.Apply("abs", (N.Trace(N.MatMul(left, right)),)):
            yield reader.norm(left, "fro") * reader.norm(right, "fro")
            if left.shape.is_vector:
                yield reader.norm(left, "1") * reader.norm(right, "oo")


def traces(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """|tr(A)| <= sqrt(n) norm(A), |tr(A)| <= n norm(A, 2)"""
    match atom:
        case N.Apply("abs", (N.Trace(arg),)):
            side = of_dim(arg.shape.rows)
            root = None if side is None else side.raised(HALF)
            if side is not None and root is not None:
                yield root * reader.norm(arg, "fro")
                yield side * reader.norm(arg, "2")


def commutator(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(A @ B - B @ A) <= sqrt(2) norm(A) norm(B) (Boettcher and Wenzel)"""
    match atom:
        case N.Norm(N.Subtract(N.MatMul(a, b), N.MatMul(c, d)), "fro") if a == d and b == c:
            yield of_number(power(fmpq(2), fmpq(1, 2))) * reader.norm(a, "fro") * reader.norm(b, "fro")


def probability_rows(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """Rows a >= 0 with sum 1 have norm <= 1: norm(softmax(A)) <= sqrt(n), norm(p) <= 1"""
    match atom:
        case N.Norm(N.RowWise("softmax", arg), "fro" | "2"):
            root = _half(arg.shape.rows)
            if root is not None:
                yield root
        case N.Norm(N.Symbol(name) as arg, "fro" | "2" | "oo"):
            kind = reader.kind(name)
            if kind == K.FixedMatrix("simplex"):
                yield UNIT
            root = _half(arg.shape.rows)
            if kind == K.FixedMatrix("stochastic") and root is not None:
                yield root


def softmax_jacobian(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(D(softmax(A), A), 2) <= 1/2 and norm(D(softmax(A), A)) <= sqrt(n)/2 for n rows.

    For one row J = diag(a) - a a^T. x^T J x is the variance of x under a, at most
    (max x - min x)**2/4 <= |x|**2/2. With s_k = sum a**k, s_3 >= s_2**2 and
    norm(J)**2 = s_2 - 2 s_3 + s_2**2 <= s_2 - s_2**2 <= 1/4."""
    match atom:
        case N.Norm(N.Derivative(N.RowWise("softmax", arg), by), kind) if arg in (by, N.Transpose(by)):
            half = of_number(fmpq(1, 2))
            root = _half(arg.shape.rows)
            if kind == "2":
                yield half
            elif kind == "fro" and root is not None:
                yield half * root


def rmsnorm_jacobian(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(D(rmsnorm(h.T), h), 2) <= sqrt(d)/norm(h) and norm(D(rmsnorm(h.T), h)) <= d/norm(h) for one row.

    The Jacobian is sqrt(d)/|h| times the projection off h, which has d - 1 singular values 1."""
    match atom:
        case N.Norm(N.Derivative(N.RowWise("rmsnorm", arg), by), "2" | "fro" as kind):
            size = of_dim(arg.shape.cols)
            below = reader.norm(by, "fro").raised(Fraction(-1))
            root = None if size is None else size.raised(HALF)
            if arg not in (by, N.Transpose(by)) or arg.shape.rows != Dim.of(1) or size is None:
                return
            if below is not None and root is not None:
                yield (root if kind == "2" else size) * below


def fixed_gain(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(D(Y * g, X)) <= norm(g, oo) norm(D(Y, X)) for a vector g that does not depend on X"""
    match atom:
        case N.Norm(N.Derivative(N.Multiply(left, right), by), "2" | "fro" as kind):
            for gain, rest in ((left, right), (right, left)):
                vector = gain.shape.is_vector or gain.shape.transposed.is_vector
                if vector and gain.shape == rest.shape and not reader.moves(gain, by):
                    yield reader.norm(gain, "oo") * reader.norm(N.Derivative(rest, by), kind)


def chain_rule(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """norm(D(Y, X)) <= norm(D(Y, Z)) norm(D(Z, X)) where Y depends on X through Z alone"""
    match atom:
        case N.Norm(N.Derivative(of, by), "fro" | "2" as kind):
            for middle in reader.between:
                held = substitute(of, {middle: N.Zeros(middle.shape)})
                if middle not in (of, by) and contains(middle, by) and not reader.moves(held, by):
                    outer, inner = N.Derivative(of, middle), N.Derivative(middle, by)
                    yield reader.norm(outer, kind) * reader.norm(inner, kind)
                    if kind == "fro":
                        yield reader.norm(outer, "2") * reader.norm(inner, "fro")
                        yield reader.norm(outer, "fro") * reader.norm(inner, "2")


def bounded_functions(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """|tanh|, |erf|, |sin|, |cos|, sigmoid, Phi <= 1; |tanh(x)|, |sin(x)|, relu(x) <= |x|"""
    match atom:
        case N.Apply("abs", (N.Apply("tanh" | "erf" | "sin" | "cos", _),)) | N.Apply("sigmoid" | "Phi", _):
            if atom.shape.is_scalar:
                yield UNIT
    match atom:
        case N.Apply("abs", (N.Apply("tanh" | "sin", (arg,)),)) | N.Apply("relu", (arg,)) if (
            arg.shape.is_scalar
        ):
            yield reader.size(arg)


def smaller_and_larger(reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """min(x, y) <= x, min(x, y) <= y, max(x, y) <= x + y for x, y >= 0"""
    match atom:
        case N.Apply("min", (left, right)):
            for side in (left, right):
                found = reader.read(side)
                if found is not None:
                    yield found
        case N.Apply("max", (left, right)):
            first, second = reader.read(left), reader.read(right)
            if first is not None and second is not None:
                yield first + second


def larger(rule: Rule, reader: Reader, atom: N.Node) -> Iterator[Magnitude]:
    """What a rule says of an atom: no atom is negative, so what is true of its size is true of it."""
    yield from rule(reader, atom)
    match atom:
        case N.Norm() | N.Symbol() | N.Apply("abs"):
            return
    yield from rule(reader, N.Apply("abs", (atom,)))


RULES: tuple[Rule, ...] = (
    probability_rows, softmax_jacobian, commutator, cauchy_schwarz, submultiplicativity,
    spectral_is_smallest, vector_norms, entries, traces, triangle, entrywise_product, frobenius_by_rank,
    bounded_functions, smaller_and_larger, associativity, chain_rule, rmsnorm_jacobian, fixed_gain,
    averages_of_rows,
)  # fmt: skip
