"""An index that is outside for every size is an error; one that may be inside is not."""

import pytest

from tests.expr.strategies import SYMBOLS, m, n
from verifier.expr.dims import Dim, Shape
from verifier.expr.elaborate import elaborate
from verifier.expr.errors import ExprError
from verifier.expr.reach import at_least
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared, FixedMatrix, Integer
from verifier.expr.syntax import parse

ONE = Dim.of(1)
MORE = {
    "z": Declared("z", Integer(), Shape()),
    "B": Declared("B", FixedMatrix("matrix"), Shape(n + ONE, m)),
}
SCOPE = Scope(symbols=SYMBOLS | MORE)

OUTSIDE = [
    ("X[n + 1, 1]", "index n + 1 is outside 1..n"),
    ("X[1, 2*m]", "index 2*m is outside 1..m"),
    ("X[n - n, 1]", "index 0 is outside 1..n"),
    ("X[n + i, 1]", "index i + n is outside 1..n"),
    ("sum(X[k + 1, 1], k, 1, n)", "index n + 1, at k = n, is outside 1..n"),
    ("sum(X[k, 1], k, 0, n)", "index 0, at k = 0, is outside 1..n"),
    ("prod(X[n - k, 1], k, 1, n)", "index 0, at k = n, is outside 1..n"),
    ("sum(X[k + l, 1], k, 1, n, l, 1, m)", "index n + 1, at k = n, l = 1, is outside 1..n"),
]

INSIDE = [
    "X[n, 1]",
    "X[n - 1, 1]",
    "X[i + 1, 1]",
    "X[2, m]",
    "X[n + z, 1]",
    "X[n*m, 1]",
    "B[n + 1, 1]",
    "sum(X[k + 1, 1], k, 1, n - 1)",
    "sum(X[k + 1, 1], k, 1, n, k != n)",
    "sum(X[n + 1, 1], k, 2, n)",
    "sum(sum(X[l + 1, 1], l, 1, n), k, 2, n)",
    "sum(X[k - 1, 1], k, 2, n)",
    "sum(X[k, 1], k, 1, m)",
    "esum(X[k + 1, 1], k, 1, n, 2)",
]


@pytest.mark.parametrize(("text", "message"), OUTSIDE)
def test_never_inside(text: str, message: str) -> None:
    with pytest.raises(ExprError) as error:
        elaborate(parse(text), SCOPE)
    assert (error.value.code, error.value.message) == ("index", message)


@pytest.mark.parametrize("text", INSIDE)
def test_inside_for_some_size(text: str) -> None:
    elaborate(parse(text), SCOPE)


def test_signs_alone_decide_for_all_sizes_from_one_on() -> None:
    assert at_least(n * m - ONE, 0)
    assert at_least(n * m + n - m, 1)
    assert not at_least(n - m, 0)
    assert not at_least(n - ONE, 1)
