"""Limits in a symbol that assumptions tie to others: a sequence is meant, for which no fixed values speak."""

import pytest

from verifier.read.specs.load import load_text
from verifier.reformulate.tied_growth import moving

SPEC = """
theorem: toy/moving
symbols: {n: dimension, d: dimension, s: positive, a: real, t: real, r: "interval(0, 1)"}
assumptions: {tied: "%s"}
claims:
  c: {says: "limit(%s) == 0"}
"""


def missing(assumption: str, limit: str) -> str | None:
    (claim,) = load_text(SPEC % (assumption, limit), "moving.yaml").claims
    return moving(claim, claim.steps[0].fact)


@pytest.mark.parametrize(
    ("assumption", "limit"),
    [
        ("s <= 1/d", "d*s**2, d, oo"),
        ("s*d <= 1", "exp(-s*d), d, oo"),
        ("a**2 == 1/d**2", "a, d, oo"),
        ("abs(a) == t", "a, t, oo"),
        ("n >= d", "d/n, d, oo"),
        ("abs(a) <= abs(t)", "a, t, 0"),
        ("s == 1 - t - r**2", "r*t, t, 1"),  # r**2 < 1 - t
        ("s + t + r**2 == 1", "r*t, t, 1"),
        ("s == 1 - t - n", "n*t, t, 0"),
        ("d*s**2 == r", "s, d, oo"),  # solved for r, which stays below 1
    ],
)
def test_a_sequence(assumption: str, limit: str) -> None:
    # a = 0 satisfies the last one, so that fixed values are meant there
    assert (missing(assumption, limit) is None) == ("<= abs(t)" in assumption)


@pytest.mark.parametrize(
    ("assumption", "limit"),
    [
        ("n <= d", "n/d, d, oo"),
        ("d >= 2", "1/d, d, oo"),
        ("s > 1/d", "1/(s*d), d, oo"),
        ("r < 1", "r**d, d, oo"),
        ("s == sqrt(r/d)", "s, d, oo"),
        ("s == 1 - t - r", "r*t, t, 0"),
    ],
)
def test_fixed_values(assumption: str, limit: str) -> None:
    assert missing(assumption, limit) is None


GROWTH = """
theorem: toy/growing
symbols:
  {n: dimension, m: dimension, d: dimension, s: positive, v: vector(d), y: vector(n), A: "matrix(2, 3)"}
assumptions: {tied: "%s"}
claims:
  c: {says: "%s <= O(1)", as: %s}
"""


@pytest.mark.parametrize(
    ("assumption", "left", "grow", "is_sequence"),
    [
        ("s <= 1/n", "1/s", "n -> oo", True),
        ("s >= n", "s", "n -> oo", True),
        ("norm(v) >= n", "norm(v)", "n -> oo", True),
        ("inner(v, v) + 1 == n", "norm(v)", "n -> oo", True),
        ("s <= n", "s", "n -> oo", False),
        ("norm(A) <= 1/n", "n*norm(A)", "n -> oo", False),  # A = 0
        ("norm(y) >= n", "norm(y)", "n -> oo", False),  # as long as n: a sequence for every engine
        ("m >= n**2", "n**2/m", "[n -> oo, m -> oo]", False),
        ("m >= n**2 + s", "n**2/m", "[n -> oo, m -> oo]", False),
    ],
)
def test_orders_of_what_is_tied(assumption: str, left: str, grow: str, is_sequence: bool) -> None:
    (claim,) = load_text(GROWTH % (assumption, left, grow), "growing.yaml").claims
    assert (moving(claim, claim.steps[0].fact) is not None) == is_sequence
