"""Inequalities between functions, by algebra: true ones shown, their false siblings not."""

import pytest

from tests.exact.helpers import claim
from verifier.prove.ranges.problem import state
from verifier.prove.ranges.slack_signs import room
from verifier.prove.ranges.sos.over_domains import by_squares, words
from verifier.timer import worked

REALS = (
    "x: real; y: real; z: real; a: positive; b: positive; c: positive; s: interval(0, 1); t: interval(0, 1)"
)


def shown(says: str, assumptions: str = "") -> str | None:
    """How the relation is seen to be true; None where it is not."""
    found = claim(says, REALS, assumptions)
    problem = state(found, found.steps[0].fact)
    for entry in problem.entries:
        certificate = by_squares(room(entry), problem.domains, problem.constraints, worked() + 5)
        if certificate is None:
            return None
    return words(certificate)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("a*b*c <= (a + b + c)**3/27", "a*b*c <= (a + b + c)**3/27.1"),
        ("3*a*b*c <= a**3 + b**3 + c**3", "3.01*a*b*c <= a**3 + b**3 + c**3"),
        ("2/(1/a + 1/b) <= sqrt(a*b)", "2.01/(1/a + 1/b) <= sqrt(a*b)"),
        ("a*b <= a**3/3 + 2*b**1.5/3", "a*b <= a**3/3 + 1.99*b**1.5/3"),
        ("a/(b+c) + b/(a+c) + c/(a+b) >= 3/2", "a/(b+c) + b/(a+c) + c/(a+b) >= 1.501"),
        ("x*y/(1 + x**2 + y**2) <= 1/2", "x*y/(1 + x**2 + y**2) <= 0.499"),
        ("t**2*s - t*s**2 <= 1/4", "t**2*s - t*s**2 <= 0.249"),
        ("(t*a + (1-t)*b)*(t/a + (1-t)/b) <= (a + b)**2/(4*a*b)",
         "(t*a + (1-t)*b)*(t/a + (1-t)/b) <= (a + b)**2/(4.01*a*b)"),
        ("sqrt((x + y)**2 + (z + 1)**2) <= sqrt(x**2 + z**2) + sqrt(y**2 + 1)",
         "sqrt((x + y)**2 + (z + 1)**2) <= 0.99*(sqrt(x**2 + z**2) + sqrt(y**2 + 1))"),
        ("abs(sqrt(x**2 + z**2) - sqrt(y**2 + 1)) <= sqrt((x - y)**2 + (z - 1)**2)",
         "abs(sqrt(x**2 + z**2) - sqrt(y**2 + 1)) <= 0.99*sqrt((x - y)**2 + (z - 1)**2)"),
        ("abs(x*y) <= (x**2 + y**2)/2", "abs(x*y) <= 0.499*(x**2 + y**2)"),
        ("exp((x + y)/2) <= (exp(x) + exp(y))/2", "exp((x + y)/2) <= 0.499*(exp(x) + exp(y))"),
        ("sigmoid(x)*sigmoid(-x) <= 1/4", "sigmoid(x)*sigmoid(-x) <= 0.249"),
    ],
)  # fmt: skip
def test_true_and_false(true: str, false: str) -> None:
    assert shown(true)
    assert shown(false) is None


@pytest.mark.parametrize(
    ("says", "assumptions"),
    [
        ("(x + y)*(a + b) <= 2*(x*a + y*b)", "first: x <= y; second: a <= b"),
        ("(x - y)**2 <= (b - a)**2", "p: x >= a; q: x <= b; r: y >= a; u: y <= b"),
        ("a*b <= 1/4", "sum: a + b <= 1"),
        ("a*b*c <= 1/27", "sum: a + b + c <= 1"),
        ("x*y <= 1/2", "circle: x**2 + y**2 <= 1"),
        ("4*x + 3*y <= 5", "disc: x**2 + y**2 <= 1"),  # a constraint of a higher degree than the bound
        ("x + 2*y + 2*z <= 3", "ball: 1 - x**2 - y**2 - z**2 >= 0"),
        ("x + y <= 2", "quartic: x**4 + y**4 <= 2"),
    ],
)  # fmt: skip
def test_under_assumptions_and_not_without(says: str, assumptions: str) -> None:
    assert shown(says, assumptions)
    assert shown(says) is None


def test_a_smaller_right_side_is_not_shown_under_the_same_assumptions() -> None:
    assert shown("4*x + 3*y <= 4.999", "disc: x**2 + y**2 <= 1") is None
    assert shown("x + y <= 1.99", "quartic: x**4 + y**4 <= 2") is None


def test_what_is_no_polynomial_is_left_to_others() -> None:
    assert shown("a*log(a/b) >= a - b") is None
    assert shown("sin(x*y) <= 1") is None
    assert shown("x**2 + pi >= 0") is None


def test_square_roots_of_numbers() -> None:
    assert shown("(x + y)/(1 + x**2 + y**2) <= sqrt(2)/2")
    assert shown("(x + y)/(1 + x**2 + y**2) <= 0.999*sqrt(2)/2") is None
    assert shown("x*y <= (sqrt(2) - 1)*x**2 + (sqrt(2) + 1)*y**2/4")
    assert shown("x*y <= (sqrt(2) - 1)*x**2 + (sqrt(2) + 1)*y**2/4.1") is None
