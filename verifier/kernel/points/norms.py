"""Norms that have no core form: the largest entry, and the largest singular value."""

from collections.abc import Mapping

from flint import fmpq, fmpq_mat

from verifier.kernel.points import values as v
from verifier.kernel.points.functions import applied
from verifier.kernel.points.values import Value
from verifier.kernel.rejected import Rejected

LARGEST = 16  # the smaller side of a matrix


def norm_of(kind: str, entries: Mapping[tuple[int, int], Value]) -> Value:
    """norm(A, 2) or norm(v, oo) of the matrix with these entries."""
    if kind == "oo":
        sizes = [applied("abs", (value,)) for value in entries.values()]
        return _largest(sizes or [v.ZERO])
    if kind != "2" or not all(isinstance(value, fmpq) for value in entries.values()):
        raise Rejected("outside", "the spectral norm of a matrix that is not rational")
    height, width = max(entries, default=(0, 0))
    rows = [[entries[i, j] for j in range(1, width + 1)] for i in range(1, height + 1)]
    if height > width:
        rows = [list(column) for column in zip(*rows, strict=True)]
    if not rows or len(rows) > LARGEST:
        raise Rejected("too-large", f"the spectral norm of a matrix with no side up to {LARGEST}")
    matrix = fmpq_mat(rows)
    return v.power(_largest_root((matrix * matrix.transpose()).charpoly()), v.HALF)


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
