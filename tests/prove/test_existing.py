"""Means that may not exist are not said to have a value; those that do are."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
x: vector(d)
w: normal(d)
g: normal()
h: normal()
u: uniform(1, 2)
e: rademacher()
"""


@pytest.mark.parametrize("says", ["E(g/h) == 0", "E(g/abs(h)) == 0", "E(g*h**(-2)) == 0", "Cov(g, h/g) == 0"])
def test_a_denominator_close_to_zero(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert found.truth == "unknown"
    assert found.missing is not None
    assert "the mean of abs(" in found.missing


@pytest.mark.parametrize("says", ["E(g*exp(h**2)) == 0", "E(g*exp(norm(w)**2)) == 0"])
def test_a_factor_that_grows_too_fast(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert found.truth == "unknown"
    assert found.missing is not None
    assert "the mean of abs(" in found.missing


@pytest.mark.parametrize(
    ("left", "right", "wrong"),
    [
        ("E(g/(1 + h**2))", "0", "1"),
        ("E(w/norm(w))", "zeros(d)", "ones(d)"),
        ("E(inner(w, x)**2/norm(w)**2)", "norm(x)**2/d", "norm(x)**2"),
        ("E(g/u)", "0", "1"),
        ("E(g/e)", "0", "1"),
        ("E(g*exp(-h**2))", "0", "1"),
        ("E(g*exp(h))", "0", "1"),
        ("E(g**2)/norm(x)", "1/norm(x)", "2/norm(x)"),
        ("E(g/sqrt(1 + norm(w)**2))", "0", "1"),
    ],
)
def test_others(left: str, right: str, wrong: str) -> None:
    assert judged(f"{left} == {right}", SYMBOLS).truth == "true"
    assert judged(f"{left} == {wrong}", SYMBOLS).truth != "true"
