"""Each rule for polynomials, steps and densities of normal variables against quadrature."""

import mpmath as mp
import pytest
import sympy as sp

from tests.prove.integrate.quadrature import one, two
from verifier.prove.forms.refusal import Refusal
from verifier.prove.integrate.gaussian_steps import (
    Integrand,
    Law,
    Phi,
    conditioned,
    expect,
    orthant,
    slopes,
    stein,
)

ZERO, ONE = sp.Integer(0), sp.Integer(1)
A, B, C = sp.Rational(3, 2), sp.Rational(5, 4), sp.Rational(-7, 10)
PAIR = Law((ZERO, ZERO), ((A, C), (C, B)))
FIRST, SECOND = (ONE, ZERO), (ZERO, ONE)


def step(x: mp.mpf) -> mp.mpf:
    return mp.mpf(x > 0)


def near(value: sp.Expr, expected: mp.mpf, digits: int = 12) -> bool:
    return abs(mp.mpf(sp.N(value, 30)) - expected) < mp.mpf(10) ** -digits


@pytest.mark.parametrize("powers", [(1, 0), (1, 1), (2, 1), (3, 1), (2, 2)])
def test_stein(powers: tuple[int, int]) -> None:
    i, j = powers
    found = stein(PAIR, Integrand(((powers, ONE),), (), (FIRST, SECOND)))
    expected = two(lambda u, w: u**i * w**j * (u > 0) * (w > 0), float(A), float(B), float(C))
    assert float(found) == pytest.approx(expected, abs=1e-10)


def test_stein_with_a_mean() -> None:
    law = Law((sp.Rational(1, 3),), ((A,),))
    found = stein(law, Integrand((((3,), ONE),), (), ((ONE,),)))
    value = found.replace(Phi, lambda x: (1 + sp.erf(x / sp.sqrt(2))) / 2)
    with mp.workdps(30):
        assert near(value, one(lambda u: u**3 * step(u), mp.mpf(A), mp.mpf(1) / 3), 20)


@pytest.mark.parametrize("power", [0, 1, 2, 4])
def test_conditioned(power: int) -> None:
    """E(delta(u) w**k step(w)) is the density of u at 0 times E(w**k step(w)) given u = 0."""
    found = conditioned(PAIR, Integrand((((0, power), ONE),), (FIRST,), (SECOND,)))
    with mp.workdps(30):
        left = mp.mpf(B) - mp.mpf(C) ** 2 / mp.mpf(A)
        expected = one(lambda w: w**power * step(w), left) / mp.sqrt(2 * mp.pi * mp.mpf(A))
        assert near(found, expected, 20)


def test_orthant_of_two() -> None:
    expected = two(lambda u, w: float(u > 0) * (w > 0), float(A), float(B), float(C))
    assert float(orthant(PAIR, (FIRST, SECOND))) == pytest.approx(expected, abs=1e-10)


def test_orthant_of_three_by_symmetry() -> None:
    """P(+++) + P(---) = 2 P(+++), and every pair of signs is a sum of two octants."""
    forms = (FIRST, SECOND, (ONE, ONE))
    three = orthant(PAIR, forms)
    pairs = [
        orthant(PAIR, (a, b)) for a, b in ((forms[0], forms[1]), (forms[0], forms[2]), (forms[1], forms[2]))
    ]
    assert sp.N(2 * three - (sum(pairs) - sp.Rational(1, 2)), 30) == pytest.approx(0, abs=1e-25)
    with pytest.raises(Refusal):
        orthant(PAIR, (*forms, (ONE, -ONE)))


def test_steps_of_shifted_variables() -> None:
    """P(u > -1/2, u > -2), P(-1/2 < u < 2) and P(u > 2, u < 1/2); step(u + 2) = 1 where u = -1/2"""
    half, two_ = sp.Rational(1, 2), sp.Integer(2)
    same = ((A, A, -A), (A, A, -A), (-A, -A, A))
    law = Law((half, two_, two_), same)  # u + 1/2, u + 2, 2 - u
    forms = [tuple(ONE if k == i else ZERO for k in range(3)) for i in range(3)]
    with mp.workdps(30):
        spread = mp.sqrt(mp.mpf(A))
        lower, upper = mp.ncdf(mp.mpf(1) / 2 / spread), mp.ncdf(2 / spread)
        assert near(_plain(orthant(law, (forms[1], forms[0]))), lower, 20)
        assert near(_plain(orthant(law, (forms[0], forms[2]))), lower + upper - 1, 20)
    assert orthant(Law((-two_, two_, half), same), (forms[0], forms[2])) == 0
    dense = Integrand((((0, 0, 0), ONE),), (forms[0],), (forms[1],))
    assert conditioned(law, dense) == conditioned(law, Integrand((((0, 0, 0), ONE),), (forms[0],)))
    with pytest.raises(Refusal):  # the covariance is minus one variance, and the variances differ
        orthant(Law((half, two_), ((A, -A), (-A, 2 * A))), ((ONE, ZERO), (ZERO, ONE)))


def _plain(found: sp.Expr) -> sp.Expr:
    return found.replace(Phi, lambda x: (1 + sp.erf(x / sp.sqrt(2))) / 2)


def test_a_density_with_its_own_noise_has_a_slope() -> None:
    """d phi(u)/du = -u phi(u)"""
    law = Law((ZERO, ZERO), ((A, ZERO), (ZERO, ONE)))
    blurred = Integrand((((1, 0), ONE),), ((ONE, ONE),), (), noise=1)
    found = sum(expect(law, part) for part in slopes(blurred, 0))
    with mp.workdps(30):
        assert near(found, one(lambda u: mp.npdf(u) * (1 - u * u), mp.mpf(A)), 20)


def test_a_sharp_density_has_none() -> None:
    with pytest.raises(Refusal):
        slopes(Integrand((((0, 0), ONE),), (FIRST,)), 0)


def test_what_is_constant_is_refused() -> None:
    still = Law((ZERO,), ((ZERO,),))
    with pytest.raises(Refusal):
        orthant(still, ((ONE,),))
    with pytest.raises(Refusal):
        conditioned(still, Integrand((((0,), ONE),), ((ONE,),)))


@pytest.mark.parametrize("count", [4, 5])
def test_variables_with_correlation_one_half(count: int) -> None:
    """P(u + z_1 > 0, ..., u + z_k > 0) = E Phi(u)**k = 1/(k + 1) for unit variances."""
    rows = [[sp.Integer(1 + int(i == j)) for j in range(count)] for i in range(count)]
    law = Law((ZERO,) * count, tuple(map(tuple, rows)))
    steps = tuple(tuple(sp.Integer(int(i == j)) for j in range(count)) for i in range(count))
    with mp.workdps(30):
        assert near(orthant(law, steps), one(lambda u: mp.ncdf(u) ** count, mp.mpf(1)), 20)


def test_groups_that_are_not_correlated() -> None:
    rows = ((A, C, ZERO, ZERO), (C, B, ZERO, ZERO), (ZERO, ZERO, B, C), (ZERO, ZERO, C, A))
    law = Law((ZERO,) * 4, rows)
    steps = tuple(tuple(sp.Integer(int(i == j)) for j in range(4)) for i in range(4))
    pair = orthant(PAIR, (FIRST, SECOND))
    assert sp.simplify(orthant(law, steps) - pair**2) == 0


def test_four_variables_of_other_correlations_are_refused() -> None:
    rows = tuple(tuple(sp.Integer(1) if i == j else sp.Rational(1, 3) for j in range(4)) for i in range(4))
    steps = tuple(tuple(sp.Integer(int(i == j)) for j in range(4)) for i in range(4))
    with pytest.raises(Refusal):
        orthant(Law((ZERO,) * 4, rows), steps)
