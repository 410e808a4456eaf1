"""Formulas with different values are told apart; the same value in other words is not."""

import pytest

from verifier.expr.dims import Dim, Shape
from verifier.expr.elaborate import elaborate
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared, Dimension, FixedMatrix, Positive
from verifier.expr.syntax import parse
from verifier.expr.tex.value import equal

N, M = Dim.of("n"), Dim.of("m")
SCOPE = Scope(
    symbols={
        "n": Declared("n", Dimension(), Shape()),
        "m": Declared("m", Dimension(), Shape()),
        "s": Declared("s", Positive(), Shape()),
        "A": Declared("A", FixedMatrix("matrix"), Shape(N, M)),
        "B": Declared("B", FixedMatrix("matrix"), Shape(N, M)),
    }
)


def told_apart(left: str, right: str) -> bool:
    return equal(elaborate(parse(left), SCOPE), elaborate(parse(right), SCOPE), SCOPE) is False


@pytest.mark.parametrize(
    ("first", "equal", "other"),
    [
        ("n*(n + 1)/2", "sum(i, i, 1, n)", "n*(n - 1)/2"),
        ("norm(A)**2", "tr(A.T @ A)", "tr(A.T @ B)"),
        ("inner(A, B)", "sum(A[i, j]*B[i, j], i, 1, n, j, 1, m)", "sum(A[i, j], i, 1, n, j, 1, m)"),
        ("ones(n).T @ A @ ones(m)", "tr(A @ ones(m, n))", "n*m*A[1, 1]"),
        ("sqrt(s)**2", "exp(log(s))", "s**2"),
        ("n*(n - 1)*s", "sum(s, i, 1, n, j, 1, n, j != i)", "n**2*s"),
        ("A + 2*B", "B - (-A) + eye(n) @ B", "A + B"),
        ("binomial(n + 1, 2)", "n*(n + 1)/2", "factorial(n)"),
        ("A * B / s", "A * (B / s)", "A * B * s"),
    ],
)
def test_values(first: str, equal: str, other: str) -> None:
    assert not told_apart(first, equal)
    assert told_apart(first, other)


def test_of_what_is_not_evaluated_nothing_is_said() -> None:
    assert not told_apart("E(s)", "2*s")
    assert not told_apart("hafnian(A @ A.T)", "2*n")
