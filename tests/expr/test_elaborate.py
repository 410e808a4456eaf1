"""Names, shapes and calls: what is well formed, and what each slip is told."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.expr.strategies import SCOPE, symbol
from verifier.expr import nodes as N
from verifier.expr.elaborate import elaborate, elaborate_fact
from verifier.expr.errors import ExprError
from verifier.expr.functions import USAGE
from verifier.expr.syntax import parse


def tree(text: str) -> N.Node:
    return elaborate(parse(text), SCOPE)


def refused(text: str) -> ExprError:
    with pytest.raises(ExprError) as caught:
        elaborate(parse(text), SCOPE)
    return caught.value


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("X @ X.T", "n-by-n"),
        ("X.T @ X", "m-by-m"),
        ("D(X, W)", "m*n-by-m*n"),
        ("D(X @ X.T, W)", "n**2-by-m*n"),
        ("kron(X, u)", "n**2-by-m"),
        ("vec_r(X)", "m*n-by-1"),
        ("commutation(n, m) @ vec_r(X.T)", "m*n-by-1"),
        ("blockdiag(X, k, 1, m)", "m*n-by-m**2"),
        ("X[i]", "1-by-m"),
        ("X[i, 2]", "1-by-1"),
        ("u[i]", "1-by-1"),
        ("diag(u) @ X", "n-by-m"),
        ("diag(Q)", "n-by-1"),
        ("V[2].T", "m-by-n"),
        ("Cov(u, X @ ones(m))", "n-by-n"),
        ("x*X + 2", "n-by-m"),
        ("u.T @ u", "1-by-1"),
        ("softmax(u.T)", "1-by-n"),
        ("sum(V[k], k, 1, m)", "n-by-m"),
        ("after(X, 3)", "n-by-m"),
        ("hafnian(Q)", "1-by-1"),
        ("esum(u[k], k, 1, n, 2)", "1-by-1"),
        ("P(limit(X, s, oo) == zeros(n, m))", "1-by-1"),
    ],
)
def test_shapes(text: str, shape: str) -> None:
    assert str(tree(text).shape) == shape


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("X @ X", "shape", "n-by-m by n-by-m"),
        ("hafnian(X)", "shape", "a square matrix"),
        ("esum(X, k, 1, n, 2)", "shape", "esum is of scalars"),
        ("esum(u[k], k, 1, n, u)", "shape", "the size of a set"),
        ("esum(u[k], k, 1, n)", "arity", "5 arguments"),
        ("P(X == zeros(n, m))", "shape", "compares scalars"),
        ("X + X.T", "shape", "n-by-m and m-by-n"),
        ("X + u", "shape", "only scalars broadcast"),
        ("tr(X)", "shape", "square"),
        ("matpow(X, 2)", "shape", "square"),
        ("inner(X, Q)", "shape", "n-by-m and n-by-n"),
        ("softmax(u)", "shape", "column"),
        ("norm(X, 1)", "shape", "vectors"),
        ("Cov(X, X)", "shape", "vec_r"),
        ("x @ X", "shape", "1-by-1"),
        ("X ** u", "shape", "scalar"),
        ("V + X", "family", "copies"),
        ("X[0, 1]", "index", "outside"),
        ("eye(x)", "not-a-dimension", "size"),
        ("eye(n - n)", "not-a-dimension", "size of 0"),
        ("D(X, X + X)", "derivative", "variable"),
        ("sup(W[1, 1], W)", "extreme", "fixed"),
        ("norm(X, 3)", "norm", "not known"),
        ("oo + 1", "infinity", "value"),
        ("1/0", "division-by-zero", "zero"),
        ("sum(x, x, 1, n)", "name-taken", "already"),
        ("sum(x, 1, n)", "arity", "indices"),
        ("order(-1)", "order", "positive"),
        ("E(x, given=x + 1)", "given", "symbol"),
        ("X(2)", "syntax", "not a function"),
        ("norm", "syntax", "function"),
        ("norm(x, std=1)", "syntax", "option"),
        ("x <= 1 + (x == 2)", "syntax", None),
        ("__import__", "unknown-name", None),
        ("9**9**9**9", "too-large", None),
        ("x**100000", "too-large", None),
        ("((9**999)**999)**999", "too-large", None),
        ("factorial(10**9)", "too-large", None),
    ],
)
def test_slips(text: str, code: str, words: str | None) -> None:
    if code == "syntax" and words is None:
        with pytest.raises(ExprError):
            elaborate_fact(parse(text), SCOPE)
        return
    error = refused(text)
    assert error.code == code
    assert words is None or words in error.message + (error.hint or "")


@pytest.mark.parametrize(("text", "meant"), [("nrom(X)", "norm"), ("w @ X.T", "W"), ("sofmax(X)", "softmax")])
def test_did_you_mean(text: str, meant: str) -> None:
    assert repr(meant) in (refused(text).hint or "")


def test_the_largest_singular_value_of_a_vector_is_its_length() -> None:
    assert tree("norm(u, 2)") == tree("norm(u)")
    assert tree("norm(X[i], 2)") == tree("norm(X[i])")
    assert tree("norm(X, 2)") != tree("norm(X)")


def test_numbers_are_exact() -> None:
    assert tree("0.1") == N.Number(Fraction(1, 10))
    assert tree("1e-3") == N.Number(Fraction(1, 1000))
    assert tree("-2/6") == N.Number(Fraction(-1, 3))


def test_orders_are_rounded_exponents() -> None:
    assert tree("order(1e-2)") == N.Order(-2, -2)
    assert tree("order(1e-2, 1e-3)") == N.Order(-3, -2)
    assert tree("order(0.036)") == N.Order(-1, -1)


def test_an_extreme_without_names_varies_what_is_fixed() -> None:
    found = tree("sup(norm(Q @ W) + x*n)")
    assert isinstance(found, N.Extreme)
    assert set(found.over) == {symbol("Q"), symbol("x")}


def test_a_scalar_exponent_is_no_matrix_power() -> None:
    assert isinstance(tree("Q**2"), N.Power)
    assert isinstance(tree("matpow(Q, 2)"), N.MatPower)


@pytest.mark.parametrize("name", sorted(set(USAGE) - {"all", "independent", "sup", "inf"}))
def test_every_function_says_how_it_is_called(name: str) -> None:
    error = refused(f"{name}(x, x, x, x, x, x, x, x)")
    assert error.code in ("arity", "syntax", "name-taken", "extreme", "shape", "not-a-dimension"), name


WORDS = [*USAGE, *"nmxXQWVui()[],+*@2", "**", ".T", "==", "in", "given=", "oo"]


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_words_are_a_tree_or_a_placed_error(words: list[str]) -> None:
    text = " ".join(words)
    for run in (elaborate, elaborate_fact):
        try:
            run(parse(text), SCOPE)
        except ExprError as error:
            assert 0 <= error.span.start <= len(text) + 1


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("X @ X", "the right one transposed fits: write .T"),
        ("X @ u", "the left one transposed fits: write .T"),
        ("X + X.T", "one of them transposed fits: write .T"),
        ("X * (X.T @ X)", "a product of matrices is written @"),
        ("X @ u.T", None),
        ("qwzzy", "declare it under `symbols`, or name an expression so under `let`"),
    ],
)
def test_shapes_that_would_fit_and_names_that_are_missing(text: str, hint: str | None) -> None:
    assert refused(text).hint == hint
