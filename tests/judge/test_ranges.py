"""Right sides that take negative values have no slack."""

import pytest

from tests.exact.helpers import claim
from verifier.judge.ranges import goes_below_zero

SYMBOLS = "n: dimension; i: index(n); x: real; a: positive; t: interval(-1, 1); v: vector(n); w: vector(n)"


@pytest.mark.parametrize(
    ("right", "below"),
    [
        ("x", True),
        ("a - 1", True),
        ("t", True),
        ("a*t", True),
        ("inner(v, w)", True),
        ("v.T @ w/4", True),
        ("v[1] + 2", True),
        ("-norm(v)", True),
        ("t + 3", False),
        ("1e400", False),
        ("x - 1e400", True),
        ("n - 1", False),
        ("n - i", False),  # i is at most n
        ("a*n", False),
        ("norm(v) + 1", False),
        ("x**2 - x + 1", False),  # x stands twice: left open
        ("x - x + 1", False),
        ("inner(v, v)", False),
        ("v.T @ v", False),
        ("(3 - t)/2", False),
    ],
)
def test_what_is_negative_somewhere(right: str, below: bool) -> None:
    stated = claim(f"0 == {right}", SYMBOLS)
    assert goes_below_zero(stated.symbols, stated.steps[0].fact.right) is below  # type: ignore[union-attr]
