"""Norms that have no core form: the largest entry, and the largest singular value."""

from functools import reduce

from flint import fmpq, fmpq_mat

from verifier.kernel.budget import Budget
from verifier.kernel.points import polynomials as poly
from verifier.kernel.points import values as v
from verifier.kernel.points.alike import Alike
from verifier.kernel.points.functions import applied
from verifier.kernel.points.outcomes import NotPolynomial
from verifier.kernel.points.polynomials import Scalar
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

LARGEST = 16  # classes of the smaller side of a matrix


def norm_of(kind: str, matrix: Alike) -> Value:
    """norm(A, 2) or norm(v, oo) of the matrix. The squares of singular values are the eigenvalues of A A^T:
    those of its quotient over classes, and what it multiplies vectors with that sum to 0 within a class."""
    if kind == "oo":
        sizes = [applied("abs", (matrix.entry(*place),)) for place in matrix.pairs()]
        return _largest(sizes or [v.ZERO])
    if kind != "2":
        raise Rejected("outside", f"the norm {kind} of a matrix")
    if len(matrix.rows) > len(matrix.cols):
        matrix = matrix.transposed
    if not matrix.rows or len(matrix.rows) > LARGEST:
        raise Rejected("too-large", f"the spectral norm of a matrix with no side up to {LARGEST}")
    square = Alike(matrix.rows, matrix.rows, matrix.gram)
    quotient, gaps = square.quotient(), square.gaps()
    if len(quotient) <= 2:
        return v.power(_largest([_larger_eigenvalue(quotient), *gaps]), v.HALF)
    if not all(isinstance(value, fmpq) for row in (*quotient, gaps) for value in row):
        raise Rejected("outside", "the spectral norm of a matrix whose products are not rational")
    largest = _largest([_largest_root(fmpq_mat(quotient).charpoly()), *gaps])
    return v.power(largest, v.HALF)


def _larger_eigenvalue(matrix: list[list[Value]]) -> Value:
    """Of a matrix of up to two rows whose eigenvalues are real."""
    if len(matrix) == 1:
        return matrix[0][0]
    (a, b), (c, d) = matrix
    apart = v.plus(v.power(v.minus(a, d), v.TWO), v.times(v.rational(4), v.times(b, c)))
    return v.times(v.HALF, v.plus(v.plus(a, d), v.power(applied("abs", (apart,)), v.HALF)))


def norm_drawn(kind: str, rows: list[list[Scalar]], budget: Budget) -> Scalar:
    """The same of a matrix in which something is drawn; the largest singular value of up to two rows or
    columns: those of A A^T = [a, b; b, c] are (a + c +- sqrt((a - c)**2 + 4*b**2))/2."""
    if kind == "oo":
        sizes = [poly.applied("abs", (entry,), budget) for row in rows for entry in row]
        return reduce(lambda x, y: x if x == y else poly.applied("max", (x, y), budget), sizes)
    if len(rows) > len(rows[0]):
        rows = [list(col) for col in zip(*rows, strict=True)]
    if kind != "2" or len(rows) > 2:
        raise NotPolynomial("the mean of a norm of something drawn")

    def gram(i: int, j: int) -> Scalar:
        products = (poly.times(x, y, budget) for x, y in zip(rows[i], rows[j], strict=True))
        return reduce(lambda x, y: poly.plus(x, y, budget), products)

    if len(rows) == 1:
        return poly.power(gram(0, 0), v.HALF, budget)
    a, b, c = gram(0, 0), gram(0, 1), gram(1, 1)
    apart = poly.power(poly.minus(a, c, budget), v.TWO, budget)
    joint = poly.times(v.rational(4), poly.power(b, v.TWO, budget), budget)
    root = poly.power(poly.plus(apart, joint, budget), v.HALF, budget)
    double = poly.plus(poly.plus(a, c, budget), root, budget)
    return poly.power(poly.times(v.HALF, double, budget), v.HALF, budget)


def _largest_root(polynomial: "object") -> Value:
    """The largest root of a polynomial whose roots are real: exact where its factor is linear."""
    _, factors = polynomial.numer().factor()  # type: ignore[attr-defined]
    found = []
    for factor, _ in factors:
        if factor.degree() == 1:
            found.append(fmpq(-factor[0], factor[1]))
        else:
            found += [v.enclose(root.real) for root, _ in factor.complex_roots()]
    return _largest(found)


def _largest(values: list[Value]) -> Value:
    best = values[0]
    for value in values[1:]:
        best = applied("max", (best, value))
    return best
