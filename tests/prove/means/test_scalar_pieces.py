"""Means over a bounded interval of spreads, by pieces."""

import mpmath as mp
import pytest

from tests.prove.integrate.quadrature import one
from tests.prove.specs import claim, judged
from verifier.prove.means.scalar_pieces import span

SYMBOLS = """
s: positive
t: interval(1, 2)
g: normal(std=1)
h: normal(std=s)
k: normal(std=t)
"""


@pytest.mark.parametrize(
    ("says", "assume", "truth", "tight"),
    [
        ("E(tanh(k)**2) <= 0.7", "", "true", False),
        ("E(tanh(k)**2) <= 0.6", "", "false", None),
        ("E(tanh(t*g)**2) <= t**2", "", "true", False),
        ("E(tanh(h)**2) <= 1", "s <= 1", "true", False),
        ("E(tanh(h)**2) <= 1", "s <= 2000", "true", True),
        ("E(tanh(h)**2) <= s**2", "s <= 1", "true", True),
    ],
)
def test_bounds(says: str, assume: str, truth: str, tight: bool | None) -> None:
    found = judged(says, SYMBOLS, assume=f"confined: {assume}" if assume else "")
    assert found.truth == truth, found
    assert (found.tightness and found.tightness.tight) is tight, found


def test_the_means_that_decide() -> None:
    with mp.workdps(20):
        assert one(lambda u: mp.tanh(u) ** 2, mp.mpf(1)) < mp.mpf("0.5")
        assert mp.mpf("0.6") < one(lambda u: mp.tanh(u) ** 2, mp.mpf(4)) < mp.mpf("0.7")


@pytest.mark.parametrize(
    ("says", "assume", "expected"),
    [
        ("E(tanh(k)) <= 1", "", ("t", 1, 2)),
        ("E(tanh(h)) <= 1", "s <= 1", ("s", 0, 1)),
        ("E(tanh(h)) <= 1", "", None),
        ("E(tanh(h)) <= t", "s <= 1", None),
    ],
)
def test_the_interval(says: str, assume: str, expected: tuple[str, int, int] | None) -> None:
    made = claim(says, SYMBOLS, assume=f"confined: {assume}" if assume else "")
    assert span(made, made.steps[0].fact) == expected
