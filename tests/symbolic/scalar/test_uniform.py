"""Growth over all values of one symbol."""

import pytest

from tests.symbolic.scalar.helpers import judge


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
        assert found.counterexample.values["ratio"]
