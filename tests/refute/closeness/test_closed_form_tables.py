"""Numbers and tables of numbers as closed forms."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.expr.text import to_text
from verifier.refute.closeness.closed_form_numbers import number
from verifier.refute.closeness.closed_form_tables import fit, value

SIZES = [{"n": n, "m": m} for n, m in [(2, 2), (2, 3), (3, 2), (3, 5), (5, 3), (7, 2), (4, 4)]]


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.5, "1/2"),
        (2.0, "2"),
        (1 / math.sqrt(2), "sqrt(2)/2"),
        (math.sqrt(2), "sqrt(2)"),
        (math.sqrt(3) / 2, "sqrt(3)/2"),
        (math.pi, "pi"),
        (math.sqrt(2 / math.pi), "sqrt(2/pi)"),
        (2 / math.e, "2*exp(-1)"),
        (math.exp(-0.5) / math.sqrt(2), "sqrt(2)*exp(-1/2)/2"),
        ((1 + math.sqrt(5)) / 2, "(1 + sqrt(5))/2"),
        ((math.sqrt(2) - 1) / 4, "(-1 + sqrt(2))/4"),
        (1 / (2 * math.sqrt(3)), "sqrt(3)/6"),
        (2 / 3 / math.sqrt(3), "2*sqrt(3)/9"),
        (math.pi * math.sqrt(3), "sqrt(3)*pi"),
        (4 ** (1 / 3), "4**(1/3)"),
        (-0.25, "-1/4"),
        (0.0, "0"),
    ],
)
def test_constants(x: float, text: str) -> None:
    found = number(x)
    assert found is not None
    assert to_text(found) == text


@pytest.mark.parametrize("x", [0.123456789, 3.14159, 1.41, math.inf, math.nan])
def test_what_is_no_small_closed_form_is_not_forced_into_one(x: float) -> None:
    found = number(x)
    assert found is None or value(found, {}) == pytest.approx(x, rel=1e-6)


@given(st.fractions(min_value=Fraction(1, 30), max_value=30, max_denominator=30))
def test_a_recognised_number_has_the_value(x: Fraction) -> None:
    for exact in (float(x), math.sqrt(x)):
        found = number(exact)
        assert found is not None
        assert value(found, {}) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda n, m: 0.5, "1/2"),
        (lambda n, m: math.sqrt(n) / 2, "sqrt(n)/2"),
        (lambda n, m: n, "n"),
        (lambda n, m: math.sqrt(2 * m), "sqrt(2)*sqrt(m)"),
        (lambda n, m: math.sqrt(min(n, m)), "sqrt(min(n, m))"),
        (lambda n, m: (n - 1) / n, "(n - 1)/n"),
        (lambda n, m: math.sqrt(n * m), "sqrt(n)*sqrt(m)"),
        (lambda n, m: math.log(n), "log(n)"),
        (lambda n, m: 1 / m, "1/m"),
    ],
)
def test_tables(function: object, text: str) -> None:
    assert callable(function)
    found = fit([(sizes, function(**sizes)) for sizes in SIZES], ["n", "m"])
    assert found is not None
    assert to_text(found) == text


def test_a_table_that_fits_nothing_is_left_alone() -> None:
    assert fit([(sizes, math.sin(7 * sizes["n"]) + 2) for sizes in SIZES], ["n", "m"]) is None


def test_a_fit_is_not_fooled_by_one_entry_that_is_off() -> None:
    table = [(sizes, math.sqrt(sizes["n"])) for sizes in SIZES]
    table[3] = (table[3][0], table[3][1] * 1.001)
    assert fit(table, ["n", "m"]) is None
