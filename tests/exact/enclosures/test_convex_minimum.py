"""A flat point of a convex function is its least; a kink, a saddle or a slope is none."""

import pytest
from flint import fmpq

from verifier.exact.enclosures.convex_minimum import flat_and_convex
from verifier.exact.enclosures.domains import Segment
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.scalar_terms import Variable

X, Y = Variable("x", False), Variable("y", False)
BOX = {"x": Segment(fmpq(1, 4), fmpq(2, 5)), "y": Segment(fmpq(1, 4), fmpq(2, 5))}
BOWL = (X - fmpq(1, 3)) * (X - fmpq(1, 3)) + (Y - fmpq(1, 3)) * (Y - fmpq(1, 3))


def test_a_bowl_that_touches_zero() -> None:
    assert flat_and_convex(BOWL, BOX, strict=False)
    assert not flat_and_convex(BOWL, BOX, strict=True)
    assert flat_and_convex(BOWL + fmpq(1, 100), BOX, strict=True)


@pytest.mark.parametrize(
    "term",
    [
        BOWL - fmpq(1, 10**9),  # below zero
        (X - fmpq(1, 3)) * (X - fmpq(1, 3)) - (Y - fmpq(1, 3)) * (Y - fmpq(1, 3)),  # a saddle
        (X - fmpq(1, 3)) * (Y - fmpq(1, 3)),
        BOWL + X - fmpq(1, 3),  # a slope
        BOWL - ar.kinked("abs", X - fmpq(3, 10)) + fmpq(1, 30),  # a kink that looks like a bowl
    ],
)
def test_what_is_not_shown(term: object) -> None:
    assert not flat_and_convex(term, BOX, strict=False)
