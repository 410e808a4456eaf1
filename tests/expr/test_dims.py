"""Dimensions are polynomials in normal form."""

from hypothesis import given
from hypothesis import strategies as st

from verifier.expr.dims import Dim, Shape

dims = st.recursive(
    st.sampled_from(["n", "m", "d"]).map(Dim.of) | st.integers(-3, 4).map(Dim.of),
    lambda inner: st.tuples(inner, inner, st.sampled_from("+-*")).map(
        lambda t: t[0] + t[1] if t[2] == "+" else t[0] - t[1] if t[2] == "-" else t[0] * t[1]
    ),
    max_leaves=6,
)
AT = {"n": 2, "m": 3, "d": 5}


@given(dims, dims)
def test_arithmetic_is_that_of_the_values(a: Dim, b: Dim) -> None:
    assert (a + b).at(AT) == a.at(AT) + b.at(AT)
    assert (a - b).at(AT) == a.at(AT) - b.at(AT)
    assert (a * b).at(AT) == a.at(AT) * b.at(AT)


@given(dims, dims, dims)
def test_the_normal_form_is_unique(a: Dim, b: Dim, c: Dim) -> None:
    assert a * (b + c) == c * a + b * a
    assert (a - a).constant == 0


@given(dims)
def test_replacing_symbols_by_numbers_gives_the_value(a: Dim) -> None:
    assert a.replace({name: Dim.of(value) for name, value in AT.items()}).constant == a.at(AT)


def test_printing() -> None:
    n, d = Dim.of("n"), Dim.of("d")
    assert str(n * d + Dim.of(2) * n - Dim.of(1)) == "d*n + 2*n - 1"
    assert str(Shape(n * n, d)) == "n**2-by-d"
    assert str(Dim.of(0)) == "0"


def test_different_dimensions_differ() -> None:
    n, d = Dim.of("n"), Dim.of("d")
    assert n * d != n + d
    assert n * n != n * Dim.of(2)
