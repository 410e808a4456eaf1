"""Assumptions that nothing satisfies: the claim is an error, whatever it says and whoever speaks of them."""

import pytest

from verifier import Settings, load_text, verify

SPEC = """
theorem: run/vacuity
symbols:
  d: dimension
  e: dimension
  a: real
  b: real
  p: positive
  x: vector(d)
  y: vector(d)
  S: stochastic(d, d)
  s: simplex(d)
  C: psd(d)
  W: normal(d, d, std=p)
assumptions: {{{assumed}}}
claims:
  c: {{says: a + b == b + a}}
"""


def verdict(assumed: str) -> str:
    (found,) = verify(load_text(SPEC.format(assumed=assumed)), Settings(seconds=5, trust="engines")).verdicts
    return found.verdict


@pytest.mark.parametrize(
    "assumed",
    [
        "one: a**2 < 0",
        "one: a**2 + b**2 == -1",
        "one: exp(a) <= 0",
        'one: "s[1] > 1"',
        "one: tr(C) < 0",
        "one: norm(x)**2 <= -p",
        "one: E(norm(W)**2) == 0",
        "one: a < b, two: b < a",
        "one: a == 1, two: a == 2",
        "one: p == 1, two: p >= 2",
        "one: a == 3, two: a < b, three: b <= 3",
        "one: d == e, two: d == e + 1",
        'one: "all(s[i] <= 1/(2*d), i, 1, d)"',
        'one: "all(s[i] < 1/d, i, 1, d)"',
        "one: x == y, two: x == y + ones(d)",
        "one: S @ ones(d) == 2*ones(d)",
        "one: x * x < 0",
    ],
)
def test_nothing_satisfies_it(assumed: str) -> None:
    assert verdict(assumed) == "error"


@pytest.mark.parametrize(
    "assumed",
    [
        "one: a**2 <= 0",
        "one: a**2 + b**2 == 25",
        'one: "s[1] >= 1"',
        "one: tr(C) <= 0",
        "one: E(norm(W)**2) == 4",
        "one: a <= b, two: b <= a",
        "one: a == 1, two: a == b",
        "one: p == 2, two: p >= 2",
        "one: a == 3, two: a < b, three: b <= 4",
        "one: d == e, two: d == 3",
        'one: "all(s[i] <= 1/d, i, 1, d)"',
        'one: "all(s[i] < 1/2, i, 2, d)"',
        "one: x == y, two: y == ones(d)",
        "one: S @ ones(d) == ones(d)",
        "one: x * x <= 0",
    ],
)
def test_something_does(assumed: str) -> None:
    assert verdict(assumed) == "holds"
