"""Norms that have no core form: the largest entry, and the largest singular value."""

from flint import fmpq, fmpq_mat

from verifier.kernel.points import values as v
from verifier.kernel.points.alike import Alike
from verifier.kernel.points.functions import applied
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
    if not all(isinstance(value, fmpq) for row in (*quotient, gaps) for value in row):
        raise Rejected("outside", "the spectral norm of a matrix whose products are not rational")
    largest = _largest([_largest_root(fmpq_mat(quotient).charpoly()), *gaps])
    return v.power(largest, v.HALF)


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
