"""The true ends of ranges: numbers, functions of the sizes, multiples of the stated ends."""

import pytest

from tests.refute.claims import searched
from verifier.evidence import Tightness

RANGES = [
    ("norm(softmax(C))**2 in [0, 2*n]", "[n/m, n]"),
    ("a*tanh(t) in [-2*a, a]", "[-a, a]"),
    ("a*(1 + sigmoid(t)) in [0, 3*a]", "[a, 2*a]"),
    ("softmax(C) in [-1, 1]", "[0, 1]"),
]


@pytest.mark.parametrize(("says", "better"), RANGES)
def test_the_true_ends_of_a_loose_range(says: str, better: str) -> None:
    tightness = searched(says, seconds=6.0)[0].tightness
    assert isinstance(tightness, Tightness)
    assert (tightness.tight, tightness.better) == (False, better)


@pytest.mark.parametrize("says", ["norm(softmax(C))**2 in [n/m, n]", "a*tanh(t) in [-a, a]"])
def test_ends_that_are_reached(says: str) -> None:
    tightness = searched(says)[0].tightness
    assert isinstance(tightness, Tightness)
    assert tightness.tight is True
