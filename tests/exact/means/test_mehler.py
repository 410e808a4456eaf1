"""Means over two correlated variables: the enclosures hold closed forms and what mpmath integrates."""

from collections.abc import Callable

import mpmath as mp
import pytest
from flint import arb, fmpq

from verifier.exact.means.mehler import hermite, joint_mean
from verifier.exact.means.quadrature import Call, Expression, Product

ONE = fmpq(1)


def of(name: str, scale: fmpq = ONE, shift: fmpq | None = None) -> Expression:
    argument = (Product(scale, 1),) if shift is None else (Product(scale, 1), Product(shift, 0))
    return (Product(ONE, 0, ((Call(name, argument), 1),)),)


def holds(ball: arb, value: mp.mpf) -> bool:
    middle, radius = mp.mpf(ball.mid().str(30, radius=False)), mp.mpf(ball.rad().str(10, radius=False))
    return bool(abs(middle - value) <= radius * (1 + mp.mpf(10) ** -6) + mp.mpf(10) ** -15)


def quadrature(f: Callable[[mp.mpf], mp.mpf], g: Callable[[mp.mpf], mp.mpf], r: mp.mpf) -> mp.mpf:
    """E f(x) g(r x + sqrt(1 - r**2) y) by the trapezoidal rule."""
    places = [mp.mpf(k) / 5 for k in range(-40, 41)]
    side = mp.sqrt(1 - r * r)
    inner = ((f(x) * mp.npdf(x), sum(g(r * x + side * y) * mp.npdf(y) for y in places)) for x in places)
    return mp.fsum(a * b for a, b in inner) / 25


CLOSED: dict[str, Callable[[mp.mpf], mp.mpf]] = {
    "erf": lambda r: 2 / mp.pi * mp.asin(2 * r / 3),
    "exp": lambda r: mp.exp(1 + r),
    "relu": lambda r: (mp.sqrt(1 - r**2) + (mp.pi - mp.acos(r)) * r) / (2 * mp.pi),
    "sign": lambda r: 2 / mp.pi * mp.asin(r),
    "cos": lambda r: mp.exp(-1) * mp.cosh(r),
}


@pytest.mark.parametrize("name", sorted(CLOSED))
@pytest.mark.parametrize("tenths", [5, -3])
def test_closed_forms(name: str, tenths: int) -> None:
    ball = joint_mean(of(name), of(name), arb(fmpq(tenths, 10)))
    assert ball.rad() < 1e-6
    assert holds(ball, CLOSED[name](mp.mpf(tenths) / 10))


def test_tanh_beside_a_shifted_sigmoid() -> None:
    ball = joint_mean(of("tanh"), of("sigmoid", fmpq(3, 2), ONE), arb(fmpq(3, 5)))
    expected = quadrature(mp.tanh, lambda y: 1 / (1 + mp.exp(-mp.mpf(3) / 2 * y - 1)), mp.mpf(3) / 5)
    assert ball.rad() < 1e-8
    assert holds(ball, expected)


def test_the_rest_is_kept_where_the_series_is_slow() -> None:
    """sign has coefficients that fall slowly; near r = 1 the enclosure is wide and still right."""
    ball = joint_mean(of("sign"), of("sign"), arb(fmpq(99, 100)))
    assert 1e-4 < ball.rad() < 1
    assert holds(ball, CLOSED["sign"](mp.mpf(99) / 100))


def test_hermite_polynomials() -> None:
    assert dict(hermite(4)) == {4: 1, 2: -6, 0: 3}
