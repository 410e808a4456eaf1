"""Limits judged for all values: open signs by cases, infinite limits, values that refute."""

import pytest

from tests.prove.scalars.helpers import judge

S = {
    "L": "dimension",
    "p": "dimension",
    "n": "dimension",
    "a": "real",
    "b": "real",
    "r": "real",
    "s": "positive",
    "x": "interval(-1, 1)",
}


@pytest.mark.parametrize(
    ("says", "assume", "expected"),
    [
        ("limit(r**L, L, oo) == 0", ("abs(r) < 1",), "true"),
        ("limit(r**L, L, oo) == 0", (), "false"),
        ("limit(s**L/(1 + s**L), L, oo) == 1", ("s > 1",), "true"),
        ("limit(s**L/(1 + s**L), L, oo) == 1", (), "false"),
        ("limit(s**L/(1 + s**L), L, oo) in [0, 1]", (), "true"),
        ("limit(sum(r**k, k, 0, L), L, oo) == 1/(1 - r)", ("abs(r) < 1",), "true"),
        ("limit(sum(r**k, k, 0, L), L, oo) == r/(1 - r)", ("abs(r) < 1",), "false"),
        ("limit(sum(r**k, k, 0, L), L, oo) == 1/(1 - r)", (), "false"),
        ("limit((a**L + b**L)/(a**L - b**L), L, oo) == 1", ("a > 0", "b > 0"), "false"),
        ("limit(D(x**p/sqrt(n), x), p, oo) == 0", ("abs(x) < 1",), "true"),
        ("limit(D(x**p/sqrt(n), x), p, oo) == 0", (), "false"),
        ("limit(tanh(a*L), L, oo) == 1", ("a > 0",), "true"),
        ("limit(tanh(a*L), L, oo) == 1", (), "false"),
        ("limit(factorial(L)/factorial(L - p)/L**p, L, oo) == 1", (), "true"),
        ("limit(factorial(L + 1)/factorial(L - p)/L**p, L, oo) == 1", (), "false"),
        ("limit(factorial(L)/factorial(L - p)/L**(p - 1), L, oo) >= 5", (), "true"),
        ("limit((L*a + 1)/(L*b + 1), L, oo) == a/b", (), "true"),
        ("limit((L*a + 1)/(L*b + 1), L, oo) == b/a", (), "false"),
        ("limit((-1)**L, L, oo) == 1", (), "false"),
    ],
)
def test_limits_for_all_values(says, assume, expected):
    found = judge(says, S, assume)
    assert found.truth == expected, (found.reason, found.missing)


def test_what_is_right_in_one_case_is_no_correction():
    found = judge("limit(s**L/(1 + s**L), L, oo) == 1", S)
    assert found.corrected is None
    assert found.counterexample is not None


def test_a_special_case_makes_a_bound_tight():
    """The limit is 1 where b != 0 and 0 where b = 0: both bounds are reached."""
    body = "limit((1 + s)**L*b**2/((1 + s)**L*b**2 + 1), L, oo)"
    assert judge(f"{body} >= 0", S).tightness.tight is True
    assert judge(f"{body} <= 1", S).tightness.tight is True
