"""Inequalities: signs of coefficients, real roots, squares; tightness as the contract has it."""

from fractions import Fraction

import pytest

from tests.prove.scalars.helpers import judge, truth

S = {
    "a": "real",
    "b": "real",
    "x": "real",
    "y": "interval(0, 1)",
    "n": "dimension",
    "d": "dimension",
    "s": "positive",
}


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("2*a*b <= a**2 + b**2", "true"),
        ("3*a*b <= a**2 + b**2", "false"),
        ("a**2 + b**2 <= (a + b)**2", "false"),
        ("x**2 - 2*x + 1 >= 0", "true"),
        ("x**2 - 2*x + 1 > 0", "false"),
        ("x**2 - 2*x + 2 > 0", "true"),
        ("x**4 - x**2 >= -1/4", "true"),
        ("x**4 - x**2 >= -1/5", "false"),
        ("n <= n**2", "true"),
        ("n < n**2", "false"),
        ("2*n <= n + 1", "false"),
        ("n**2 - 9*n + 20 >= 0", "true"),
        ("n**2 - 10*n + 24 >= 0", "false"),
        ("n*d <= n**2*d**2", "true"),
        ("n*d*s <= n*d", "false"),
        ("y*(1 - y) <= 1/4", "true"),
        ("y*(1 - y) <= 1/5", "false"),
        ("y < 1", "false"),
        ("y <= 1", "true"),
        ("y**2 <= y", "true"),
        ("log(sqrt(n)) < log(sqrt(n + 1))", "true"),
        ("log(sqrt(n + 1)) < log(sqrt(n))", "false"),
        ("exp(s) > 1", "true"),
        ("exp(x) > 1", "false"),
        ("y in [0, 1]", "true"),
        ("y in [0, 0.9]", "false"),
    ],
)
def test_inequalities(says, expected):
    found = judge(says, S)
    assert found.truth == expected, (found.reason, found.missing)


def test_an_assumption_bounds_a_symbol():
    assert truth("a**2 + b**2 <= (a + b)**2", S, "a >= 0", "b >= 0") == "true"
    assert truth("a**2 + b**2 < (a + b)**2", S, "a >= 0", "b >= 0") == "false"
    assert truth("a**2 + b**2 < (a + b)**2", S, "a > 0", "b > 0") == "true"


@pytest.mark.parametrize(
    ("says", "gap", "better"),
    [
        ("n**2*d*s <= 4*n**2*d*s", Fraction(3, 4), "d*n**2*s"),
        ("3*n*d + 2*n <= 8*n*d", Fraction(1, 2), "4*d*n"),
        ("a*b <= a**2 + b**2", Fraction(1, 2), "(a**2 + b**2)/2"),
        ("y*(1 - y) <= 1/2", Fraction(1, 2), "1/4"),
        ("1/n <= 1", Fraction(1, 2), "1/2"),
        ("n**2 >= n", Fraction(1), "2*n"),
    ],
)
def test_loose_bounds_say_by_how_much_and_what_would_do(says, gap, better):
    found = judge(says, S)
    assert found.truth == "true"
    assert found.tightness.tight is False
    assert found.tightness.gap_low == found.tightness.gap_high == gap
    assert found.tightness.better == better


@pytest.mark.parametrize(
    "says", ["n*(n - 1) <= n**2", "2*a*b <= a**2 + b**2", "y*(1 - y) <= 1/4", "1/n >= 0"]
)
def test_tight_bounds_are_approached(says):
    found = judge(says, S)
    assert (found.truth, found.tightness.tight) == ("true", True)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("factorial(n)/factorial(n - p) <= n**p", "true"),
        ("factorial(n)/factorial(n - p) <= n**p/2", "false"),
        ("factorial(n)/factorial(n - p) >= (n - p + 1)**p", "true"),
        ("factorial(n)/factorial(n - p) >= (n - p + 2)**p", "false"),
        ("binomial(n, p) <= n**p/factorial(p)", "true"),
        ("binomial(n, p) <= n**p/factorial(p + 1)", "false"),
        ("binomial(n + p, p) >= (n + 1)**p/factorial(p)", "true"),
    ],
)
def test_falling_factorials(says, expected):
    found = judge(says, {"n": "dimension", "p": "dimension"})
    assert found.truth == expected, (found.reason, found.missing)
    if expected == "true":
        assert found.tightness.tight is True


def test_binomial_coefficients_beyond_the_top_are_nothing():
    """For even p > n + 1 the right side is positive and the left side is 0."""
    found = judge("binomial(n, p) >= (n - p + 1)**p/factorial(p)", {"n": "dimension", "p": "dimension"})
    assert found.truth != "true", found.reason


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("x**2 in [0, oo]", "true"),
        ("x in [-oo, oo]", "true"),
        ("x in [-oo, -oo]", "false"),
        ("x in [oo, oo]", "false"),
    ],
)
def test_infinite_ends(says, expected):
    assert judge(says, {"x": "real"}).truth == expected


@pytest.mark.parametrize("says", ["y <= x", "x + y <= 2*x", "y**2 <= x**2"])
def test_where_both_sides_are_zero_there_is_no_gap(says: str) -> None:
    """With x >= 2*y >= 0 the sides meet at x = y = 0 alone, where the gap has no value."""
    symbols = {"x": "real", "y": "real"}
    found = judge(says, symbols, ("x >= 2*y", "y >= 0"))
    assert found.truth != "false"
    assert found.tightness is None or found.tightness.tight is not True
