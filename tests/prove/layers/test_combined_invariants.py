"""Combinations that move as one, against powers of the whole transfer matrix."""

import pytest
import sympy as sp

from verifier.prove.layers.combined_invariants import moved_together

q, r, c = sp.symbols("q r c")

# |x - y|**2 = |x|**2 - 2 x.y + |y|**2 for x' = r x + (1 - r) y + noise of mean square c, |y| = 1.
DISTANCE = sp.Matrix([[1, -2, 1]])
TOWARDS = sp.Matrix([[r**2, 2 * r * (1 - r), (1 - r) ** 2 + c], [0, r, 1 - r], [0, 0, 1]])


def test_the_distance_from_a_point_that_is_kept() -> None:
    found = moved_together(DISTANCE, TOWARDS)
    assert found is not None
    smaller, kept = found
    assert kept == [2]
    assert (smaller - sp.Matrix([[r**2, c], [0, 1]])).applyfunc(sp.expand).is_zero_matrix


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_powers_are_those_of_the_whole_matrix(steps: int) -> None:
    found = moved_together(DISTANCE, TOWARDS)
    assert found is not None
    smaller, kept = found
    whole, *rest = (smaller**steps)[0, :]
    after = whole * DISTANCE
    for j, share in zip(kept, rest, strict=True):
        after[j] += share
    assert (after - DISTANCE * TOWARDS**steps).applyfunc(sp.expand).is_zero_matrix


@pytest.mark.parametrize(
    ("weights", "matrix"),
    [
        (sp.Matrix([[1, -3, 1]]), TOWARDS),
        (sp.Matrix([[1, 0]]), sp.Matrix([[q, r], [0, 1]])),
        (sp.Matrix([[q, 1]]), sp.Matrix([[0, 1], [1, 0]])),
    ],
)
def test_what_does_not_move_as_one(weights: sp.Matrix, matrix: sp.Matrix) -> None:
    assert moved_together(weights, matrix) is None
