"""Arc functions and the roots that come with them."""

import pytest

from tests.prove.specs import judged

SYMBOLS = "r: interval(-1, 1)\nd: dimension\nz: real\nx: vector(d)\ny: vector(d)"
ANGLE = "theta: acos(inner(x, y)/(norm(x)*norm(y)))"

TRUE = [
    "acos(r) + asin(r) == pi/2",
    "asin(-r) == -asin(r)",
    "asin(1/2) == pi/6",
    "acos(-1) == pi",
    "atan(1) == pi/4",
    "asin(sqrt(3)/2) == pi/3",
    "sin(asin(r)) == r",
    "cos(asin(r)) == sqrt(1 - r**2)",
    "sin(acos(r)) == sqrt(1 - r**2)",
    "cos(pi - acos(r)) == -r",
    "D(asin(r), r) == 1/sqrt(1 - r**2)",
    "D(acos(r), r) == -1/sqrt(1 - r**2)",
    "D(atan(z), z) == 1/(1 + z**2)",
    "cos(theta)*norm(x)*norm(y) == inner(x, y)",
    "sin(theta)*norm(x)*norm(y) == sqrt(norm(x)**2*norm(y)**2 - inner(x, y)**2)",
    "D((sqrt(1 - r**2) + (pi - acos(r))*r)/pi, r) == (pi - acos(r))/pi",
]
FALSE = [
    "acos(r) + asin(r) == pi",
    "asin(-r) == asin(r)",
    "acos(-r) == acos(r)",
    "asin(1/2) == pi/3",
    "atan(1) == pi/2",
    "cos(asin(r)) == 1 - r**2",
    "sin(acos(r)) == r",
    "D(acos(r), r) == 1/sqrt(1 - r**2)",
    "cos(theta)*norm(x) == inner(x, y)",
    "sin(theta)*norm(x)*norm(y) == sqrt(norm(x)**2*norm(y)**2 + inner(x, y)**2)",
    "D((sqrt(1 - r**2) + (pi - acos(r))*r)/pi, r) == acos(r)/pi",
]


@pytest.mark.parametrize("says", TRUE)
def test_true(says: str) -> None:
    assert judged(says, SYMBOLS, ANGLE).truth == "true"


@pytest.mark.parametrize("says", FALSE)
def test_false(says: str) -> None:
    assert judged(says, SYMBOLS, ANGLE).truth == "false"


# Where a factor cancels its own inverse, the point where that is not defined is no counterexample.
UNDEFINED = [
    "norm(x)**2/norm(x)**2 <= 1 + norm(x)**2",
    "acos(inner(x, x)/norm(x)**2) >= 0",
    "norm(rmsnorm(x.T))**2 == d",
]


@pytest.mark.parametrize("says", UNDEFINED)
def test_undefined_points_refute_nothing(says: str) -> None:
    assert judged(says, SYMBOLS, ANGLE).truth != "false"


def test_a_quotient_that_is_one_elsewhere_is_not_one_at_zero() -> None:
    """x.x/x.x is 1 where it is defined; at x = 0 the bound would break, but nothing is claimed there."""
    assert judged("norm(x)**2/norm(x)**2 <= norm(x)**2 * 10**6", SYMBOLS + "\nw: positive").truth != "true"
