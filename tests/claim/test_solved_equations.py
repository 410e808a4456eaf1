"""Equalities between scalars are solved for one of them, and only where that says the same."""

import pytest

from verifier.expr.text import to_text
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/solved
symbols:
  {n: dimension, i: integer, x: real, y: real, t: real, w: "interval(0, 1)", a: positive, b: positive,
   v: vector(n)}
assumptions:
  %s
claims:
  c: {says: "%s"}
"""


def facts(assumptions: str, says: str = "x <= y") -> list[str]:
    (claim,) = load_text(SPEC % (assumptions, says), "solved.yaml").claims
    return [to_text(item.fact) for item in claim.assumptions]


@pytest.mark.parametrize(
    ("written", "solved"),
    [
        ("x + y == 1", "y == 1 - x"),
        ("2*x - y/3 == t", "t == 2*x - y/3"),
        ("w + x == 1", "x == 1 - w"),
        ("w + a == 1", "a == 1 - w"),
        ("a*b == n", "b == n/a"),
        ("n*a**2 == 1", "a == sqrt(1/n)"),
        ("a**3 + x == 1", "x == 1 - a**3"),
        ("a**2 + b**2 == 1", "b == sqrt(1 - a**2)"),
    ],
)
def test_a_scalar_has_a_value(written: str, solved: str) -> None:
    assert facts(f"f: {written}") == [solved]


@pytest.mark.parametrize(
    "written",
    [
        "x**2 + y**2 == 1",  # two values of y
        "x*y == 1",  # none for x = 0 to be seen
        "norm(v)**2 == x**2",  # a sphere is for others
        "a**2 + a == b**2 + b",  # neither is alone
        "x + y <= 1",
        "i*(i + 1) == 2*n",  # whole numbers stay what they are
    ],
)
def test_what_has_no_one_value_stays(written: str) -> None:
    assert facts(f"f: '{written}'") == [written]


def test_no_value_goes_in_a_circle() -> None:
    assert facts("f: x + y == 1\n  g: x - y == 3") == ["y == 1 - x", "x == 2"]


def test_what_moves_is_kept() -> None:
    assert facts("f: x + y == 1", "limit(x, y, oo) == 0") == ["x == 1 - y"]
    assert facts("f: x + y == 1", "sup(x*y, x, y) == 1/4") == ["x + y == 1"]
    assert facts("f: x + y == 1", "D(x*y, y) == x") == ["x == 1 - y"]
