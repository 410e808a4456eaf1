"""Sums of squares: found for polynomials that are one, never for polynomials that take negative values."""

import pytest
from flint import fmpq, fmpq_mpoly_ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.prove.ranges.sos.basis import by_parity, half_polytope
from verifier.prove.ranges.sos.gram_matrices import Block, gram
from verifier.prove.ranges.sos.positivity import Squares, prove
from verifier.prove.ranges.sos.rational import Polynomial
from verifier.timer import worked

CONTEXT = fmpq_mpoly_ctx.get(("x", "y", "z"), "degrevlex")
X, Y, Z = CONTEXT.gens()
MOTZKIN = X**4 * Y**2 + X**2 * Y**4 + 1 - 3 * X**2 * Y**2
SCHUR = (
    X**2 * (X**2 - Y**2) * (X**2 - Z**2)
    + Y**2 * (Y**2 - X**2) * (Y**2 - Z**2)
    + Z**2 * (Z**2 - X**2) * (Z**2 - Y**2)
)


def shown(p: Polynomial, *constraints: Polynomial) -> Squares | None:
    return prove(p, constraints, worked() + 5)


def is_sound(p: Polynomial, found: Squares) -> bool:
    """The certificate multiplied out is the polynomial times its multiplier, up to a positive factor."""
    total = p * 0
    for block, rows in zip(found.blocks, found.matrices, strict=True):
        total = total + block.value(rows)
    target = p * found.multiplier
    return bool(total * target.leading_coefficient() == target * total.leading_coefficient())


@pytest.mark.parametrize(
    "p",
    [
        X**4 + Y**4 - X**3 * Y - X * Y**3,
        (X - 3) ** 2 * (Y + 1) ** 2 + (X * Y - fmpq(5, 7)) ** 2,
        (X**2 - 2) ** 2 + (Y - X) ** 2,  # zeros that are not rational
        X**6 + Y**6 + Z**6 - 3 * X**2 * Y**2 * Z**2,
        (X**2 + Y**2) * (Z**2 + 1) - (X * Z + Y) ** 2,
        X**4 + X + 1,  # no zeros
    ],
)
def test_sums_of_squares(p: Polynomial) -> None:
    found = shown(p)
    assert found is not None
    assert is_sound(p, found)


@pytest.mark.parametrize("p", [MOTZKIN, SCHUR])
def test_nowhere_negative_but_no_sum_of_squares(p: Polynomial) -> None:
    """A multiplier helps, and is positive off 0."""
    found = shown(p)
    assert found is not None
    assert not found.multiplier.is_constant()
    assert is_sound(p, found)


@pytest.mark.parametrize(
    "p",
    [
        X**4 + Y**4 - fmpq(101, 100) * (X**3 * Y + X * Y**3),
        MOTZKIN - fmpq(1, 1000),
        SCHUR - fmpq(1, 1000) * Z**6,
        X**2 - Y,
        X**3,
        -(X**2),
        X**2 * Y**2 - 1,
    ],
)
def test_what_is_negative_somewhere_is_never_shown(p: Polynomial) -> None:
    assert shown(p) is None


def test_constraints() -> None:
    """x**3 >= 0 where x >= 0, and not elsewhere."""
    assert shown(X**3 + X, X) is not None
    assert shown(X**3 - X, X) is None


@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 4), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_random_sums(rows: list[tuple[int, ...]]) -> None:
    """Few squares of random quadratic polynomials: most touch 0, at places that nobody chose."""
    p = sum(((a * X**2 + b * X * Y + c * Y + d) ** 2 for a, b, c, d in rows), CONTEXT.constant(0))
    if p != 0 and not p.is_constant():
        found = shown(p)
        assert found is None or is_sound(p, found)
        assert shown(p - 1 - p.leading_coefficient() ** 2) is None or p(0, 0, 0) > 1


def test_the_polytope_leaves_few_monomials() -> None:
    motzkin = [(4, 2, 0), (2, 4, 0), (0, 0, 0), (2, 2, 0)]
    assert half_polytope(motzkin) == [(0, 0, 0), (1, 1, 0), (1, 2, 0), (2, 1, 0)]


def test_parities_that_never_meet() -> None:
    even = [(2, 0), (0, 2), (2, 2)]
    assert len(by_parity([(0, 0), (1, 0), (0, 1), (1, 1)], even)) == 4
    assert len(by_parity([(0, 0), (1, 0), (0, 1), (1, 1)], [*even, (1, 1)])) == 2


def test_a_matrix_that_proves_nothing() -> None:
    """The wrong matrix, and an indefinite one for the right polynomial."""
    one = CONTEXT.constant(1)
    solutions = gram(X**2 - Y**2, [Block(one, (X, Y))])
    assert solutions is not None
    indefinite = solutions.solution([])
    assert indefinite == (((fmpq(1), fmpq(0)), (fmpq(0), fmpq(-1))),)
    assert not solutions.proves(indefinite)
    assert not solutions.proves((((fmpq(1), fmpq(0)), (fmpq(0), fmpq(1))),))
    assert gram(X**3, [Block(one, (X, Y))]) is None
