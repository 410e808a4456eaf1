"""Growth over all values of one symbol."""

import pytest

from tests.prove.scalars.helpers import judge


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("Phi(x) + x*phi(x) <= O(1)", "true"),
        ("Phi(x) + x*phi(x) == Theta(1)", "false"),
        ("1 + sigmoid(x) == Theta(1)", "true"),
        ("x**2 + 1 >= Omega(1)", "true"),
        ("x**2 + 1 <= O(1)", "false"),
        ("softplus(x) <= O(1 + abs(x))", "true"),
        ("exp(x) >= Omega(1)", "false"),
    ],
)
def test_one_constant_for_the_whole_line(says, expected):
    found = judge(says, {"x": "real"})
    assert found.truth == expected, (found.reason, found.missing)
    if expected == "false":
        assert found.counterexample.ratios


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("t**2 + t == Theta(t**2)", "false"),  # near 0
        ("t**2 + t <= O(t + t**2)", "true"),
        ("tanh(t) <= O(t)", "true"),
        ("t <= O(tanh(t))", "false"),
    ],
)
def test_one_constant_down_to_an_end_that_is_allowed(says, expected):
    assert judge(says, {"t": "interval(0, oo)"}).truth == expected
