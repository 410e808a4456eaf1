"""Ranges: enclosures to 1e-6 with their places, tails and poles included."""

from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given

from tests.exact.helpers import X, functions, witness
from verifier.exact.enclosures.domains import Domain
from verifier.exact.enclosures.range_enclosures import range_of
from verifier.exact.enclosures.term_calculus import differentiate
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.interval import INF, NEG_INF
from verifier.timer import worked

LINE = Domain()
HALF_LINE = Domain(fmpq(0), None, low_open=True)


def apply(name: str, u: Any = X) -> Any:
    return ar.apply(name, u)


def slope(term: Any) -> Any:
    return differentiate(term, "x")


INFINITE = float("inf")
RANGES = {
    "gelu'": (slope(apply("gelu")), LINE, -0.12890414501, 1.12890414501),
    "silu'": (slope(apply("silu")), LINE, -0.09983932015, 1.09983932015),
    "sigmoid'": (slope(apply("sigmoid")), LINE, 0, 0.25),
    "tanh": (apply("tanh"), LINE, -1, 1),
    "tanh''": (slope(slope(apply("tanh"))), LINE, -0.76980035892, 0.76980035892),
    "softplus - relu": (apply("softplus") - apply("relu"), LINE, 0, 0.69314718056),
    "gelu": (apply("gelu"), LINE, -0.16997120747, INFINITE),
    "1/x": (ar.inverse(X), LINE, -INFINITE, INFINITE),
    "1/x on x > 0": (ar.inverse(X), HALF_LINE, 0, INFINITE),
    "sin x / x": (apply("sin") * ar.inverse(X), LINE, -0.21723362821, 1),
    "x/(1 + x**2)": (X * ar.inverse(fmpq(1) + X * X), LINE, -0.5, 0.5),
    "x log x": (X * apply("log"), LINE, -0.36787944117, INFINITE),
    "(1 + 1/x)**x": (apply("exp", X * apply("log", fmpq(1) + ar.inverse(X))), HALF_LINE, 1, 2.71828182846),
    "sqrt(1 - x**2)": (apply("sqrt", fmpq(1) - X * X), LINE, 0, 1),
    "exp(-1/x**2)": (apply("exp", -ar.power(X, fmpq(-2))), LINE, 0, 1),
    "x**3 on [-1, 2]": (ar.power(X, fmpq(3)), Domain(fmpq(-1), fmpq(2)), -1, 8),
    "tan on [0, 2]": (apply("sin") * ar.inverse(apply("cos")), Domain(fmpq(0), fmpq(2)), -INFINITE, INFINITE),
    "(1 - cos x)/x**2": ((fmpq(1) - apply("cos")) * ar.power(X, fmpq(-2)), LINE, 0, 0.5),
}


@pytest.mark.parametrize("name", RANGES)
def test_known_ranges(name: str) -> None:
    ctx.prec = 96
    term, domain, low, high = RANGES[name]
    begun = worked()
    found = range_of(term, "x", domain, begun + 5)
    assert found is not None
    for extreme, true in ((found.inf, low), (found.sup, high)):
        if abs(true) == INFINITE:
            assert extreme.low == (INF if true > 0 else NEG_INF)
            continue
        assert extreme.converged
        assert extreme.low <= arb(true) + 1e-9
        assert extreme.high >= arb(true) - 1e-9
        assert extreme.high - extreme.low <= 1e-6
    assert worked() - begun < 2


def test_limits_are_exact_and_said_to_be_approached() -> None:
    found = range_of(apply("tanh"), "x", LINE, worked() + 5)
    assert found is not None
    assert (found.sup.exact, found.sup.where, found.sup.approached) == (1, "oo", True)


def test_integers_alone_count() -> None:
    """(x - 7/2)**2 is 0 at no whole number, and 1/(x - 3) largest next to its pole."""
    whole = Domain(fmpq(1), None, integer=True)
    squares = range_of(ar.power(X - fmpq(7, 2), fmpq(2)), "x", whole, worked() + 5)
    assert squares is not None
    assert abs(squares.inf.low - arb("0.25")) < 1e-6
    assert squares.inf.point in (3, 4)
    pole = range_of(ar.inverse(X - fmpq(3)), "x", whole, worked() + 5)
    assert pole is not None
    assert abs(pole.sup.high - 1) < 1e-6
    assert abs(pole.inf.low + 1) < 1e-6
    assert pole.holes


def test_a_limit_that_is_exceeded_a_little_is_not_called_the_sup() -> None:
    # tanh(x) + 1e-10 x exp(-x/10) tends to 1, but is above 1 before it gets there.
    bump = fmpq(1, 10**10) * X * apply("exp", fmpq(-1, 10) * X)
    found = range_of(apply("tanh") + bump, "x", Domain(fmpq(0), None), worked() + 5)
    assert found is not None
    assert found.sup.exact is None
    assert found.sup.high > 1


@given(functions())
def test_no_value_lies_outside(term: Any) -> None:
    ctx.prec = 96
    mpmath.mp.dps = 40
    found = range_of(term, "x", LINE, worked() + 0.4)
    assert found is not None
    for k in range(-50, 51):
        value = witness(term, mpmath.sinh(mpmath.mpf(k) / 10))
        reach = mpmath.mpf(10) ** -20 * (1 + abs(value))
        assert found.inf.low == NEG_INF or mpmath.mpf(found.inf.low.str(50, radius=False)) <= value + reach
        assert found.sup.high == INF or value - reach <= mpmath.mpf(found.sup.high.str(50, radius=False))
