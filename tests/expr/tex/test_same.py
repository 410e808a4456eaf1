"""The same statement: sums and products in any order, and no algebra."""

import pytest

from tests.expr.tex.test_read import meant
from verifier.expr.tex.same import same

SAME = [
    ("a + b", "b + a"),
    ("a * b / d", "b / d * a"),
    ("a * a * b", "b * a**2"),
    ("1 / sqrt(d)", "d**(-1/2)"),
    ("(a * b)**2", "a**2 * b**2"),
    ("a >= b", "b <= a"),
    ("2 * A / 4", "1/2 * A"),
    ("(x.T @ y) * a", "a * x.T @ y"),
    ("x.T @ y * (y.T @ A @ y)", "(y.T @ A @ y) * (x.T @ y)"),
    ("A * (A + A.T)", "(A.T + A) * A"),
    ("sum(sum(A[k, l], l, 1, n), k, 1, n)", "sum(A[k, l], k, 1, n, l, 1, n)"),
    ("-(a - b)", "b - a"),
    ("a == b + 1", "1 + b == a"),
    ("sum(x[k], k, 1, n)", "sum(x[l], l, 1, n)"),
    ("sum(x[k] * sum(x[l], l, 1, k), k, 1, n)", "sum(sum(x[k], k, 1, l) * x[l], l, 1, n)"),
    ("sum(x[k], k, 1, n, k != i)", "sum(x[l], l, 1, n, l != i)"),
    (
        "sum(E(sum(sum(A[k, l], l, 1, n), k, 1, q)), q, 1, n)",
        "sum(E(sum(A[l, k], l, 1, j, k, 1, n)), j, 1, n)",
    ),
]
DIFFERENT = [
    ("a**2 / a", "a"),
    ("(a + b)**2", "a**2 + 2*a*b + b**2"),
    ("sqrt(a * b)", "sqrt(a) * sqrt(b)"),
    ("sqrt(t**2)", "t"),
    ("sqrt(a) * sqrt(a)", "a"),
    ("a - b", "b - a"),
    ("a / b", "b / a"),
    ("A @ A.T", "A.T @ A"),
    ("A @ A", "A * A"),
    ("A**2", "matpow(A, 2)"),
    ("a <= b", "a < b"),
    ("a <= b", "b <= a"),
    ("norm(A)", "norm(A, 2)"),
    ("E(t)**2", "E(t**2)"),
    ("sum(x[k], k, 1, n)", "sum(x[k], k, 1, n - 1)"),
    ("sum(sum(A[k, l], l, 1, n), k, 1, n)", "sum(A[k, l], l, 1, n, k, 1, n - 1)"),
    ("x.T @ y", "y.T @ x"),
    ("sum(A[k, l], k, 1, n, l, 1, n)", "sum(A[l, k], k, 1, n, l, 1, n)"),
    ("sum(x[k] * sum(x[l], l, 1, k), k, 1, n)", "sum(x[k] * sum(x[l], l, 1, n), k, 1, n)"),
    ("sum(x[k], k, 1, n, k != i)", "sum(x[l], l, 1, n, l != j)"),
    ("a == b + 1", "b == a + 1"),
    ("a * 2", "a * 3"),
    ("xbar", "X.T @ ones(n) / n"),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_same(left: str, right: str) -> None:
    assert same(meant(left), meant(right))
    assert same(meant(right), meant(left))


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different(left: str, right: str) -> None:
    assert not same(meant(left), meant(right))


def test_huge_exponents_are_not_computed() -> None:
    assert same(meant("2**900"), meant("2**900"))
    assert not same(meant("a**1000"), meant("a**999"))
