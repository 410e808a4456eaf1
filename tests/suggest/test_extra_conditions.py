"""Conditions as text, and the points that they rule out."""

from fractions import Fraction

import pytest

from verifier.refute.confirm import Exact, exact_point
from verifier.suggest.extra_conditions import Condition

ZERO, ONE = Fraction(0), Fraction(1)
POINT = {"n": 1, "x": "1/2", "X": [[1, -2], [-1, 2]], "W": [["3/5"], ["4/5"]], "i": 1, "k": 2}


def point() -> dict[str, Exact]:
    made = exact_point(POINT)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition("n", ">=", Fraction(2)), "n >= 2"),
        (Condition("x", "<=", Fraction(1, 4)), "x <= 1/4"),
        (Condition("X", ">", ZERO, "columns", ("n", "m")), "norm(X.T @ ones(n)) > 0"),
        (Condition("i", "==", "k"), "i == k"),
        (Condition("n", "<=", "x", against="square"), "n <= x**2"),
        (Condition("k", "<=", "W", against="squared norm"), "k <= norm(W)**2"),
    ],
)
def test_what_the_point_does_not_meet_is_ruled_out(condition: Condition, text: str) -> None:
    assert str(condition) == text
    assert condition.may_exclude(point())


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition("n", "<=", Fraction(2)), "n <= 2"),
        (Condition("X", ">", ZERO, "norm", ("n", "m")), "norm(X) > 0"),
        (Condition("X", ">", ZERO, "rows", ("n", "m")), "norm(X @ ones(m)) > 0"),
        (Condition("W", "<=", ONE, "spectral", ("n", "m")), "norm(W, 2) <= 1"),
        (Condition("i", "<=", "k"), "i <= k"),
        (Condition("x", "<=", "k", against="square"), "x <= k**2"),
        (Condition("x", "<=", "W", against="squared norm"), "x <= norm(W)**2"),
    ],
)
def test_what_the_point_meets_is_not(condition: Condition, text: str) -> None:
    assert str(condition) == text
    assert not condition.may_exclude(point())


def test_a_symbol_that_grows_is_ruled_out_with_all_its_values() -> None:
    grows = exact_point({"x": [-1, -10, -100]})
    assert grows is not None
    assert Condition("x", ">=", ZERO).may_exclude(grows)
    assert not Condition("x", "<=", Fraction(-10)).may_exclude(grows)


def test_of_a_pattern_only_its_size_is_unknown() -> None:
    assert Condition("G", "<=", ONE, "norm", ("n", "m")).may_exclude(point())
    assert not Condition("G", ">", ZERO, "norm", ("n", "m")).may_exclude(point())


def test_each_member_of_a_family_is_meant() -> None:
    family = Condition("W_o", "<=", ONE, "spectral", ("d", "d"), copies="H")
    assert str(family) == "all(norm(W_o[copy], 2) <= 1, copy, 1, H)"
