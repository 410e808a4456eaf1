"""Equal conditions are the same condition, however they are written."""

import pytest

from verifier import load_text
from verifier.claim.model import Assumption
from verifier.expr.text import to_text

SPEC = """
theorem: claims/normal
symbols: {{n: dimension, x: real, y: real, p: positive, W: "matrix(n, n)", v: vector(n)}}
assumptions: {{given: "{}"}}
claims:
  one: {{says: "x <= 1"}}
"""
SAME = [
    ("x**2 + y**2 <= 1", "1 - x**2 - y**2 >= 0", "x**2 <= 1 - y**2", "2*y*y + 2*x*x <= 2"),
    ("x >= -1", "-1 <= x", "x + 1 >= 0", "-x <= 1"),
    ("x <= 1/2", "2*x <= 1", "1 >= 2*x"),
    ("norm(v) <= sqrt(n)", "sqrt(n) >= norm(v)", "norm(v) - sqrt(n) <= 0"),
    ("norm(v)**2 == 1", "1 == norm(v)**2", "norm(v)*norm(v) - 1 == 0"),
    ("norm(W, 2) < p", "p > norm(W, 2)", "norm(W, 2) - p < 0"),
    ("x >= 1 - n", "x + n >= 1", "1 - n - x <= 0"),
    ("y + 1 <= x", "x - y >= 1", "x >= y + 1"),
    ("x**2 + x <= x*y + y", "x*(x + 1) <= y*(1 + x)"),
    ("(x - 1)**2 + y**2 <= 4", "y**2 <= 4 - (1 - x)**2"),
    ("all(v[i] >= 0, i, 1, n)", "all(0 <= v[i], i, 1, n)"),
    ("x*y != 1", "1 - x*y != 0"),
]
KEPT = [
    "log(p) + x <= log(p) + 1",  # log(p) must have a value
    "x in [0, 1]",
    "x == 1 - y**2",
    "W >= 0",
]


def assumed(text: str) -> Assumption:
    (claim,) = load_text(SPEC.format(text)).claims
    return claim.assumptions[0]


@pytest.mark.parametrize("spellings", SAME, ids=lambda spellings: spellings[0])
def test_equal_conditions_are_one(spellings: tuple[str, ...]) -> None:
    found = [assumed(text) for text in spellings]
    assert {to_text(item.fact) for item in found} == {spellings[0]}
    assert all(to_text(item.written or item.fact) == item.text for item in found)


@pytest.mark.parametrize("text", KEPT)
def test_what_says_more_than_a_polynomial_stays(text: str) -> None:
    assert to_text(assumed(text).fact) == text


def test_names_do_not_matter() -> None:
    renamed = SPEC.replace("x: real, y: real", "b: real, a: real").replace("x <= 1", "b <= 1")
    (claim,) = load_text(renamed.format("1 - b**2 - 3*a**2 >= 0")).claims
    assert to_text(claim.assumptions[0].fact) == "b**2 + 3*a**2 <= 1"
