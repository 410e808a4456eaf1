"""Enclosures of integrals against the normal density: they hold the value that mpmath finds."""

import signal
from collections.abc import Callable
from typing import Any

import mpmath as mp
import pytest
from flint import arb, ctx, fmpq

from verifier.exact.means import quadrature
from verifier.exact.means.quadrature import Call, Product, mean
from verifier.exact.numbers.refusals import Unsupported
from verifier.timer import Overran, at_most

ONE, HALF = fmpq(1), fmpq(1, 2)
LINE = (Product(fmpq(3, 2), 1), Product(HALF, 0))  # 3 z/2 + 1/2
FUNCTIONS: dict[str, Callable[[mp.mpf], mp.mpf]] = {
    "tanh": mp.tanh,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "softplus": lambda x: mp.log(1 + mp.exp(x)),
    "erf": mp.erf,
    "erfc": mp.erfc,
    "exp": mp.exp,
    "sin": mp.sin,
    "cos": mp.cos,
    "atan": mp.atan,
    "relu": lambda x: x if x > 0 else mp.mpf(0),
    "abs": abs,
    "sign": mp.sign,
}


def holds(ball: arb, value: mp.mpf) -> bool:
    middle, radius = mp.mpf(ball.mid().str(60, radius=False)), mp.mpf(ball.rad().str(10, radius=False))
    return abs(middle - value) <= 2 * radius + mp.mpf(10) ** -24


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions_of_a_line(name: str, power: int) -> None:
    before = ctx.prec
    ctx.prec = 90
    try:
        ball = mean((Product(ONE, 1, ((Call(name, LINE), power),)),))
    finally:
        ctx.prec = before
    with mp.workdps(35):
        f = FUNCTIONS[name]
        cuts = [-16, -5, mp.mpf(-1) / 3, 5, 16]
        expected = mp.quad(lambda z: z * f(3 * z / 2 + mp.mpf(1) / 2) ** power * mp.npdf(z), cuts)
        assert ball.rad() < 1e-18
        assert holds(ball, expected)


def test_two_kinks() -> None:
    """E relu(z) relu(z - 1) = P(z > 1)/1 ... by parts: Phi(-1)."""
    shifted = (Product(ONE, 1), Product(-ONE, 0))
    ball = mean((Product(ONE, 0, ((Call("relu", ((Product(ONE, 1)),)), 1), (Call("relu", shifted), 1))),))
    assert holds(ball, mp.ncdf(-1))


def test_the_bell() -> None:
    """E exp(-z**2) = 1/sqrt(3)"""
    ball = mean((Product(ONE, 0, ((Call("exp", (Product(-ONE, 2),)), 1),)),))
    with mp.workdps(30):
        assert holds(ball, 1 / mp.sqrt(3))


def test_what_grows_too_fast_is_refused() -> None:
    with pytest.raises(Unsupported):
        mean((Product(ONE, 0, ((Call("exp", (Product(ONE, 2),)), 1),)),))


def test_a_kink_of_a_square_is_refused() -> None:
    with pytest.raises(Unsupported):
        mean((Product(ONE, 0, ((Call("relu", (Product(ONE, 2), Product(-ONE, 0))), 1),)),))


@pytest.mark.parametrize("at", [1, 2, 7, 19])
def test_the_end_of_time_in_the_middle_is_heard_and_spoils_nothing(
    at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library that integrates loses what is raised in the integrand, and goes on with half a value."""
    calls = 0

    def interrupted(*parts: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == at:
            signal.raise_signal(signal.SIGPROF)
        return inner(*parts)

    slope = fmpq(at, 20)  # another one each time: none is known from before
    integrand = (Product(ONE, 0, ((Call("exp", (Product(slope, 1),)), 1),)),)
    inner = quadrature._value
    with monkeypatch.context() as patch:
        patch.setattr(quadrature, "_value", interrupted)
        with pytest.raises(Overran), at_most(100):
            mean(integrand)
    assert calls >= at
    assert mean(integrand).overlaps((arb(slope) ** 2 / 2).exp())


def test_what_the_integrand_refuses_is_told_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*parts: object) -> None:
        raise Unsupported("not today")

    monkeypatch.setattr("verifier.exact.means.quadrature._value", refuse)
    with pytest.raises(Unsupported, match="not today"):
        mean((Product(fmpq(7, 13), 2),))


@pytest.mark.parametrize(("level", "slope"), [(-2, 1), (2, -1), (-1, -2), (1, 1)])
def test_kinks_of_exponentials(level: int, slope: int) -> None:
    """|a + b exp(1/2 + 3 z/2)| is cut where log(-a/b) is reached, and nowhere for a, b of one sign."""
    kinked = Call("abs", (Product(fmpq(level), 0), Product(fmpq(slope), 0, ((Call("exp", LINE), 1),))))
    ratio = mp.mpf(-level) / slope
    cuts = [-16, -4, *([(mp.log(ratio) - mp.mpf("0.5")) / mp.mpf("1.5")] if ratio > 0 else [0]), 5, 18]
    with mp.workdps(30):
        exact = mp.quad(
            lambda z: abs(level + slope * mp.exp(mp.mpf("0.5") + mp.mpf("1.5") * z)) * mp.npdf(z), cuts
        )
        assert holds(mean((Product(ONE, 0, ((kinked, 1),)),)), exact)
