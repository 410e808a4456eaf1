"""Probabilities bounded by expectations, and how close such bounds come."""

import math
from fractions import Fraction

import pytest

from tests.prove.specs import judged
from verifier.prove.means.tail_shares import of_normal, of_one_peak

SYMBOLS = """
n: dimension
m: dimension
t: positive
u: vector(n)
g: normal(n)
h: normal(n)
o: uniform(n, 1, -1, 1)
b: rademacher(n)
w: iid(n, m, mean=0, var=1)
k: iid(n, m, mean=1, var=1)
z: random()
x: random(n)
"""

CASES = [
    ("P(abs(z) >= t) <= E(z**2) / t**2", "P(abs(z) >= t) <= E(z**2) / t"),
    ("P(abs(z - E(z)) > t) <= Var(z) / t**2", "P(abs(z) > t) <= Var(z) / t**2"),
    ("P(norm(x) > t) <= E(norm(x)) / t", "P(norm(x) > t) <= E(norm(x)) / (2 * t)"),
    ("P(norm(x)**2 > t) <= E(norm(x)**2) / t", "P(norm(x) > t) <= E(norm(x)**2) / t"),
    ("P(z > t) <= E(abs(z)) / t", "P(z > t) <= E(z) / t"),
    ("E(z**4) / t**4 >= P(abs(z) >= t)", "E(z**3) / t**3 >= P(abs(z) >= t)"),
    ("P(abs(inner(u, g)) > t) <= norm(u)**2 / t**2", "P(abs(inner(u, g)) > t) <= norm(u)**2 / (10 * t**2)"),
]


@pytest.mark.parametrize(("true", "false"), CASES)
def test_the_bound_on_every_draw_is_a_bound(true: str, false: str) -> None:
    assert judged(true, SYMBOLS, seconds=4).truth == "true"
    assert judged(false, SYMBOLS, seconds=2).truth != "true"


@pytest.mark.parametrize(
    ("says", "gap"),
    [
        ("P(abs(inner(u, g)) > t) <= E(inner(u, g)**2) / t**2", Fraction(667, 1000)),
        ("P(abs(inner(g, h)) > t) <= E(inner(g, h)**2) / t**2", Fraction(5, 9)),
        ("P(abs(inner(u, o)) > t) <= E(abs(inner(u, o))) / t", Fraction(1, 2)),
    ],
)
def test_a_law_with_one_peak_leaves_room(says: str, gap: Fraction) -> None:
    found = judged(says, SYMBOLS, seconds=4).tightness
    assert found is not None
    assert found.tight is False
    assert isinstance(found.gap_low, Fraction)
    assert abs(found.gap_low - gap) < Fraction(1, 200)


@pytest.mark.parametrize(("quantity", "reached"), [("w[1, 1]", True), ("u.T @ w @ w[1].T", False)])
def test_sparse_laws_reach_the_bound(quantity: str, reached: bool) -> None:
    """A product of different entries is 0 or +-t; with a square in it, it has values in between."""
    found = judged(f"P(abs({quantity}) > t) <= E(({quantity})**2) / t**2", SYMBOLS, seconds=4)
    assert found.truth == "true"
    assert (found.tightness is not None and bool(found.tightness.tight)) == reached


@pytest.mark.parametrize("quantity", ["inner(u, b)", "k[1, 1]", "inner(g, g)"])
def test_nothing_is_said_of_other_laws(quantity: str) -> None:
    """Signs have two peaks, a mean moves the peak, a square is no linear form."""
    found = judged(f"P(abs({quantity}) > t) <= E(({quantity})**2) / t**2", SYMBOLS, seconds=4)
    assert found.truth == "true"
    assert found.tightness is None


@pytest.mark.parametrize(
    ("says", "assume", "tight"),
    [
        ("P(norm(g)**2 >= t) <= n/t", "", True),  # nearly all of it is at n
        ("P(norm(g) > t) <= n/t**2", "", True),
        ("P(norm(g)**2 >= t) <= n/t", "few: n <= 5", None),
        ("P(norm(g)**2 >= t) <= 2*n/t", "", None),
        ("P(sum(g[i], i, 1, n)**2 >= t) <= n/t", "", None),  # n times the square of one normal variable
    ],
)
def test_what_concentrates_reaches_the_bound(says: str, assume: str, tight: bool | None) -> None:
    found = judged(says, SYMBOLS, assume=assume)
    assert found.truth == "true"
    assert (found.tightness and found.tightness.tight) == tight


def test_shares_enclose_the_maximum() -> None:
    for r in (1, 2, 4):
        low, high = of_normal(r)
        moment = 2 ** (r / 2) * math.gamma((r + 1) / 2) / math.sqrt(math.pi)
        best = max((k / 100) ** r * math.erfc(k / 100 / math.sqrt(2)) / moment for k in range(1, 600))
        assert low <= best <= high < of_one_peak(r)
        assert high - low < Fraction(1, 200)
