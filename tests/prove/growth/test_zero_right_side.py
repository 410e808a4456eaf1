"""Growth against a right side that is 0."""

import pytest

from tests.prove.scalars.helpers import judge

S = {"n": "dimension", "m": "dimension", "c": "real", "x": "vector(3)", "w": "normal(3)", "s": "positive"}


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("n == Theta(0)", "false"),
        ("c*n <= O(0)", "false"),
        ("0*n <= O(0)", "true"),
        ("norm(x)**2 == Theta(0)", "false"),
        ("n*E(w[1]**2) <= O(n**2*E(w[1]))", "false"),
        ("n <= O(c*n)", "false"),
        ("c*n <= O(c*n)", "true"),
        ("n <= O(n*norm(x)**2)", "false"),
        ("n*norm(x)**2 <= O(n*x[1]**2)", "false"),
        ("n*x[1]**2 <= O(n*norm(x)**2)", "true"),
        ("n*norm(x) <= O(n*norm(x)**2)", "true"),
    ],
)
def test_only_nothing_is_of_the_order_of_nothing(says, expected):
    found = judge(says, S, grow="n -> oo")
    assert found.truth == expected, found.reason


def test_what_is_left_by_rounding_is_nothing():
    """Where c = 0 the left side is 0, though its terms cancel up to rounding only."""
    cancelled = "(sqrt(s) - 1)*(sqrt(s) + 1) - s"
    assert judge(f"n*({cancelled} + 1) + n*c <= O(n*c)", S, grow="n -> oo").truth != "false"
    assert judge(f"n*({cancelled} + 2) + n*c <= O(n*c)", S, grow="n -> oo").truth == "false"
