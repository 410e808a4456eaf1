"""Quadratic polynomials that are sums of squares, exactly."""

import sympy as sp

MAX_VARIABLES = 8


def is_sum_of_squares(expr: sp.Expr) -> bool:
    """x' Q x >= 0 for x = (1, variables): every pivot of the elimination of Q is >= 0."""
    variables = sorted(expr.free_symbols, key=sp.default_sort_key)
    if not variables or len(variables) > MAX_VARIABLES or not expr.is_polynomial(*variables):
        return False
    poly = sp.Poly(expr, *variables)
    if poly.total_degree() > 2 or not all(c.is_Rational for c in poly.coeffs()):
        return False
    basis = [sp.Integer(1), *variables]
    half = sp.Rational(1, 2)

    def entry(i: int, j: int) -> sp.Rational:
        coefficient = poly.coeff_monomial(basis[i] * basis[j])
        return coefficient if i == j else half * coefficient

    return _is_semidefinite(sp.Matrix(len(basis), len(basis), entry))


def _is_semidefinite(matrix: sp.Matrix) -> bool:
    while matrix.shape[0]:
        size = matrix.shape[0]
        pivot = next((k for k in range(size) if matrix[k, k] != 0), None)
        if pivot is None:
            return bool(matrix.is_zero_matrix)
        if matrix[pivot, pivot] < 0:
            return False
        rest = [k for k in range(size) if k != pivot]
        matrix = sp.Matrix(
            size - 1,
            size - 1,
            lambda i, j, m=matrix, r=rest, p=pivot: m[r[i], r[j]] - m[r[i], p] * m[p, r[j]] / m[p, p],
        )
    return True
