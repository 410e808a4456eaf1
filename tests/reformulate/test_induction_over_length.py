"""Sums of any length by induction: what is asked instead, and where nothing may be."""

import pytest

from verifier.expr.text import to_text
from verifier.read.specs.load import load_text
from verifier.reformulate.induction_over_length import inductions

SPEC = """
theorem: claim/induction
symbols: {n: dimension, m: dimension, k: "index(n)", a: positive, t: "interval(0, n)",
  x: vector(n), w: "normal(n)"}
assumptions: {long: n >= 3}
claims:
  c: {says: "%s", under: [%s]}
"""


def parts(says: str, under: str = "") -> list[tuple[str, str]]:
    (claim,) = load_text(SPEC % (says, under)).claims
    found = inductions(claim, claim.steps[0])
    return [(to_text(way.first.fact), to_text(way.onward.fact)) for way in found]


@pytest.mark.parametrize(
    ("says", "first", "onward"),
    [
        (
            "sum(1/i, i, 1, n) <= 1 + log(n)",
            "sum(1/i, i, 1, 1) <= 1 + log(1)",
            "1/(n + 1) <= 1 + log(n + 1) - (1 + log(n))",
        ),
        (
            "a*n < 3*sum(a*i, i, 0, n) - n**2",
            "a*1 < 3*sum(a*i, i, 0, 1) - 1**2",
            "a*(n + 1) - a*n <= 3*(a*(n + 1)) - ((n + 1)**2 - n**2)",
        ),
    ],
)
def test_the_first_length_and_the_last_term(says: str, first: str, onward: str) -> None:
    assert parts(says) == [(first, onward)]


@pytest.mark.parametrize(
    ("says", "under"),
    [
        ("sum(1/i, i, 1, n) <= n", "long"),  # it may begin at another length
        ("sum(i/n, i, 1, n) <= n", ""),  # every term moves
        ("n*sum(1/i, i, 1, n) <= n**2", ""),
        ("sum(1/i, i, 1, n)**2 <= n**2", ""),
        ("sum(1/i, i, 2, n) <= n", ""),  # empty at first
        ("sum(1/i, i, 1, n, i != k) <= n", ""),
        ("sum(x[i]**2, i, 1, n) <= norm(x)**2", ""),  # what is summed has the length itself
        ("sum(1/i, i, 1, n) <= k + n", ""),  # so has an index
        ("sum(relu(t - i), i, 1, n) <= t", ""),  # and an end of an interval
        ("sum(sum(1/j, j, 1, i), i, 1, n) <= n**2", ""),
        ("sum(E(w[i]**2), i, 1, n) <= n", ""),
    ],
)
def test_where_there_is_none(says: str, under: str) -> None:
    assert parts(says, under) == []
