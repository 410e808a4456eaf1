"""Ways out of the middle: every size and every scalar goes each way it may, alone and with the others."""

import math

import pytest
import torch

from verifier.refute.closeness.growth_directions import NEAREST, Way, ways
from verifier.refute.domain.matrix_families import Scalar


def test_sizes_grow_together_alone_and_without_one() -> None:
    found = {way.sizes for way in ways(["k", "m", "n"], [])}
    assert found == {frozenset(x) for x in ("k", "m", "n", "km", "kn", "mn", "kmn")}


def test_scalars_go_both_ways_beside_small_and_large_sizes() -> None:
    found = set(ways(["n"], ["a", "b"]))
    for sizes in (frozenset(), frozenset({"n"})):
        for towards in (1, -1):
            assert Way(sizes, frozenset({("a", towards), ("b", towards)})) in found
            assert Way(sizes, frozenset({("b", towards)})) in found


def test_nothing_free_is_no_way() -> None:
    assert list(ways([], [])) == []


@pytest.mark.parametrize(
    ("family", "small", "near", "large"),
    [
        (Scalar(positive=True), 1e-3, 1.0, 1e3),
        (Scalar(), -1e3, 1.0, 1e3),
        (Scalar(2.0, 5.0), 2.0, 3.5, 5.0),
        (Scalar(low=-1.0), -1 + 1e-3, 0.0, -1 + 1e3),
    ],
)
def test_a_scalar_goes_to_its_ends(family: Scalar, small: float, near: float, large: float) -> None:
    def value(towards: int, step: int) -> float:
        way = Way(scalars=frozenset({("a", towards)}))
        return float(family.value(torch.tensor(way.place("a", family, step), dtype=torch.float64)))

    assert value(-1, 2) == pytest.approx(small, abs=1e-9)
    assert value(0, 2) == pytest.approx(near)
    assert value(1, 2) == pytest.approx(large)
    assert value(1, 1) == pytest.approx(math.sqrt(large) if near == 1.0 else value(1, 1))


def test_what_does_not_grow_stays() -> None:
    way = Way(frozenset({"n"}))
    assert (way.size("n", 2), way.size("m", 2)) == (32, NEAREST)
