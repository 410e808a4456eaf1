"""Quadratic inequalities, proved exactly where they are true and nowhere else."""

import pytest
from flint import fmpq

from verifier.exact.numbers.scalar_terms import Variable, raise_to
from verifier.prove.ranges.quadratic import expanded, nowhere_negative

X, Y, Z = (Variable(name, False) for name in "xyz")
TWO, HALF = fmpq(2), fmpq(1, 2)


def square(term: object) -> object:
    return term * term  # type: ignore[operator]


def length(*terms: object) -> object:
    return raise_to(sum((square(term) for term in terms), fmpq(0)), HALF)  # type: ignore[arg-type, call-overload]


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (square(X + Y), (square(X) + square(Y)) * TWO),  # touched where x = y
        (X * Y * TWO, square(X) + square(Y)),
        (X * TWO, square(X) + fmpq(1)),
        (X * Y + Y * Z + Z * X, square(X) + square(Y) + square(Z)),
        (length(X + Y), length(X, Y) * fmpq(3, 2)),  # of roots, by their squares
        (X * Y * raise_to(square(X) + square(Y), fmpq(-1)), HALF),  # times the denominator
        (length(X - Y, Y - Z, Z - X) * HALF, length(X, Y, Z)),
    ],
)
def test_true(small: object, large: object) -> None:
    assert nowhere_negative(small, large)


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (square(X + Y), (square(X) + square(Y)) * fmpq(199, 100)),
        (X * Y * fmpq(201, 100), square(X) + square(Y)),
        (X * TWO, square(X) + fmpq(999, 1000)),
        (X, Y),
        (X * Y * raise_to(square(X) + square(Y), fmpq(-1)), fmpq(49, 100)),
        (X * raise_to(Y, fmpq(-1)), square(X) * raise_to(Y, fmpq(-1)) + fmpq(1)),  # y may be negative
        (length(X + Y), length(X, Y) * fmpq(7, 5)),
        (X, length(X, Y) - fmpq(1)),
        (square(X) * X, square(square(X)) + square(X)),  # a higher degree is left to others
    ],
)
def test_not_shown(small: object, large: object) -> None:
    assert not nowhere_negative(small, large)


def test_a_root_times_itself_needs_a_base_that_is_not_negative() -> None:
    assert expanded(length(X, Y) * length(X, Y)) == expanded(square(X) + square(Y))  # type: ignore[operator]
    assert expanded(raise_to(X, HALF) * raise_to(X, HALF)) is None
