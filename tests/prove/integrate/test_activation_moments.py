"""Every closed form against quadrature: powers, products, derivatives, means, pairs."""

from dataclasses import replace
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from tests.prove.integrate.quadrature import FLOATS, FUNCTIONS, one, two
from verifier.prove.forms.refusal import Refusal
from verifier.prove.integrate.activation_moments import Block, mean, moment, tie
from verifier.prove.integrate.activations import CLOSED, Atom
from verifier.prove.integrate.gaussian_steps import Phi

Named = tuple[str, int]
V = [mp.mpf("0.3"), mp.mpf("2.5")]
SMOOTH = ["Phi", "erf", "phi", "gelu", "exp", "sin", "cos"]
ONES: list[tuple[Named, ...]] = [
    *(((name, power),) for name in sorted(CLOSED - {"bell"}) for power in (1, 2, 3)),
    (("relu", 1), ("relu_slope", 1)),
    (("gelu", 1), ("Phi", 1)),
    (("gelu", 1), ("phi", 1)),
    (("Phi", 1), ("phi", 2)),
    (("exp", 1), ("relu", 1)),
    (("exp", 1), ("Phi", 1)),
    (("exp", 2), ("gelu", 1)),
    (("sin", 1), ("cos", 1)),
    (("sin", 1), ("exp", 1)),
    (("abs", 1), ("relu", 2)),
    (("relu", 4),),
    (("abs", 5),),
]


def block(*variables: tuple[Named, ...], orders: tuple[int, ...] = (), shifted: bool = False) -> Block:
    atoms = tuple(tuple(Atom(f, Fraction(1), p) for f, p in one_of) for one_of in variables)
    count = len(variables)
    return Block(atoms, orders or (0,) * count, (shifted,) * count)


def value(found: sp.Expr, at: dict[sp.Symbol, mp.mpf]) -> mp.mpf:
    numbers = {symbol: sp.Float(number, 40) for symbol, number in at.items()}
    plain = found.replace(Phi, lambda x: (1 + sp.erf(x / sp.sqrt(2))) / 2)
    return mp.mpf(sp.N(plain.subs(numbers), 30))


def applied(named: tuple[Named, ...], u: mp.mpf) -> mp.mpf:
    return mp.fprod(FUNCTIONS[f](u) ** p for f, p in named)


@pytest.mark.parametrize("named", ONES, ids=str)
def test_one_variable(named: tuple[Named, ...]) -> None:
    found = moment(block(named))
    for variance in V:
        with mp.workdps(30):
            expected = one(lambda u: applied(named, u), variance)
            assert mp.almosteq(value(found, {tie(0, 0): variance}), expected, 1e-18, 1e-18)


@pytest.mark.parametrize("name", ["relu", "abs", "Phi", "erf", "gelu", "exp", "sin", "cos", "phi"])
@pytest.mark.parametrize("power", [1, 2])
def test_one_variable_with_a_mean(name: str, power: int) -> None:
    centre = mp.mpf("0.7")
    if name in ("Phi", "erf", "gelu") and power == 2:
        with pytest.raises(Refusal):  # two correlated steps away from their mean: no closed form
            moment(block(((name, power),), shifted=True))
        return
    found = moment(block(((name, power),), shifted=True))
    with mp.workdps(30):
        expected = one(lambda u: FUNCTIONS[name](u) ** power, V[1], centre)
        assert mp.almosteq(value(found, {tie(0, 0): V[1], mean(0): centre}), expected, 1e-18, 1e-18)


@pytest.mark.parametrize(
    "named", [(("gelu", 2),), (("relu", 2),), (("Phi", 2),), (("exp", 1), ("Phi", 1))], ids=str
)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_derivatives(named: tuple[Named, ...], order: int) -> None:
    """E h'(u) = E(h(u) He_1), E h'' = E(h He_2), ...: derivatives moved to the density."""
    hermite = {
        1: lambda u, v: u / v,
        2: lambda u, v: (u * u - v) / v**2,
        3: lambda u, v: (u**3 - 3 * u * v) / v**3,
    }[order]
    found = moment(block(named, orders=(order,)))
    with mp.workdps(30):
        expected = one(lambda u: applied(named, u) * hermite(u, V[1]), V[1])
        assert mp.almosteq(value(found, {tie(0, 0): V[1]}), expected, 1e-16, 1e-16)


@pytest.mark.parametrize("amount", [1, 2])
def test_bell(amount: int) -> None:
    found = moment(Block(((Atom("bell", Fraction(1, 2), amount),),), (0,), (False,)))
    with mp.workdps(30):
        expected = one(lambda u: mp.exp(-amount * u * u / 2), V[1])
        assert mp.almosteq(value(found, {tie(0, 0): V[1]}), expected, 1e-20)


@pytest.mark.parametrize("scale", [Fraction(-2), Fraction(1, 3)])
@pytest.mark.parametrize("name", sorted(CLOSED - {"bell"}))
def test_scale(name: str, scale: Fraction) -> None:
    """f(r u) for a number r of either sign, beside f(u)."""
    atoms = (Atom(name, Fraction(1), 1), Atom(name, scale, 1))
    found = moment(Block((atoms,), (0,), (False,)))
    with mp.workdps(30):
        r = mp.mpf(scale.numerator) / scale.denominator
        expected = one(lambda u: FUNCTIONS[name](u) * FUNCTIONS[name](r * u), V[0])
        assert mp.almosteq(value(found, {tie(0, 0): V[0]}), expected, 1e-18, 1e-18)


PAIRS = ["relu", "relu_slope", "abs", "erf", "Phi", "gelu", "exp", "sin", "cos", "phi"]


@pytest.mark.parametrize("name", PAIRS)
def test_two_variables(name: str) -> None:
    """The arc-cosine and arc-sine kernels and their kin."""
    at = {tie(0, 0): mp.mpf("0.8"), tie(1, 1): mp.mpf("1.5"), tie(0, 1): mp.mpf("-0.6")}
    f = FLOATS[name]
    expected = two(lambda u, w: f(u) * f(w), *map(float, at.values()))
    assert float(value(moment(block(((name, 1),), ((name, 1),))), at)) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("name", ["relu", "gelu", "erf", "exp", "sin"])
@pytest.mark.parametrize("orders", [(1, 1), (2, 0), (2, 2), (1, 3)])
def test_price(name: str, orders: tuple[int, int]) -> None:
    """E(d2h/du dw) = dE(h)/dc_01 and E(d2h/du2) = 2 dE(h)/dc_00, repeated."""
    pair = block(((name, 1),), ((name, 1),))
    raised = block(((name, 1),), ((name, 1),), orders=orders)
    base, found = moment(pair), moment(raised)
    i, j = orders
    slope = sp.diff(base, tie(0, 1), min(i, j) if i % 2 else 0)
    rest = (i - (min(i, j) if i % 2 else 0), j - (min(i, j) if i % 2 else 0))
    for k, order in enumerate(rest):
        slope = sp.diff(slope, tie(k, k), order // 2) * 2 ** (order // 2)
    at = {tie(0, 0): mp.mpf("0.8"), tie(1, 1): mp.mpf("1.5"), tie(0, 1): mp.mpf("-0.6")}
    assert mp.almosteq(value(found, at), value(slope, at), 1e-20, 1e-20)


def test_four_steps_are_refused() -> None:
    with pytest.raises(Refusal):
        moment(block((("gelu", 4),)))


def test_a_negative_power_is_refused() -> None:
    with pytest.raises(Refusal):
        moment(block((("relu", -1),)))


FOURTH: list[tuple[Named, ...]] = [
    (("gelu", 4),),
    (("Phi", 5),),
    (("gelu", 2), ("Phi", 2)),
]


@pytest.mark.parametrize("named", FOURTH, ids=str)
def test_four_factors_at_unit_variance(named: tuple[Named, ...]) -> None:
    """Four smooth steps have a closed form where their correlations are 1/2, as for unit variance."""
    unit = replace(block(named), numbers=((sp.Rational(1),),))
    with mp.workdps(30):
        expected = one(lambda u: applied(named, u), mp.mpf(1))
        assert mp.almosteq(value(moment(unit), {}), expected, 1e-18, 1e-18)


def test_four_factors_at_another_variance_are_refused() -> None:
    with pytest.raises(Refusal):
        moment(replace(block((("Phi", 4),)), numbers=((sp.Rational(2),),)))
