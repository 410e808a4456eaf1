"""The one basis of tanh, sigmoid, silu and softplus against quadrature, and identities between claims."""

from fractions import Fraction

import mpmath as mp
import pytest

from tests.prove.integrate.quadrature import FUNCTIONS, one
from tests.prove.specs import judged
from verifier.prove.integrate.activations import Atom
from verifier.prove.integrate.hyperbolic import rate, reduced

PRODUCTS = [
    (("tanh", "1", 2),),
    (("tanh", "3/2", 4),),
    (("sigmoid", "1", 1),),
    (("sigmoid", "-2", 3),),
    (("silu", "1", 1),),
    (("silu", "-1/2", 2),),
    (("softplus", "1", 2),),
    (("softplus", "-1", 3),),
    (("sigmoid", "2", 1), ("tanh", "1", 3)),
    (("silu", "1", 1), ("softplus", "-1", 2)),
]
VARIANCE = Fraction(5, 3)


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("named", PRODUCTS, ids=str)
def test_against_quadrature(named: tuple[tuple[str, str, int], ...], order: int) -> None:
    atoms = tuple(Atom(f, Fraction(scale), power) for f, scale, power in named)
    speed, found = rate(atoms), reduced(atoms, order)
    assert speed is not None
    assert found is not None

    def function(u: mp.mpf) -> mp.mpf:
        return mp.fprod(FUNCTIONS[a.function](_mpf(a.scale) * u) ** a.power for a in atoms)

    def basis(a: int, b: int) -> mp.mpf:
        quarter = _mpf(VARIANCE * speed**2 / 4)
        return one(lambda x: mp.tanh(x) ** a * mp.log(2 * mp.cosh(x)) ** b, quarter)

    with mp.workdps(25):
        v = _mpf(VARIANCE)
        hermite = [mp.mpf(1), lambda u: u / v, lambda u: (u**2 - v) / v**2][order]
        expected = one(lambda u: function(u) * (hermite(u) if order else 1), v)
        own = VARIANCE * speed**2
        total = mp.fsum(_mpf(q * own**k) * basis(a, b) for (k, a, b), q in found.items())
        assert mp.almosteq(total * _mpf(speed**order), expected, 1e-15, 1e-15)


def _mpf(value: Fraction) -> mp.mpf:
    return mp.mpf(value.numerator) / value.denominator


def test_what_has_no_common_variable_is_left_alone() -> None:
    assert rate((Atom("tanh", Fraction(1), 1), Atom("sigmoid", Fraction(1), 1))) is None
    assert reduced((Atom("relu", Fraction(1), 1),), 0) is None


SYMBOLS = """
d: dimension
m: dimension
s: positive
x: vector(d)
W: normal(m, d, std=s)
g: normal(1, 1, std=1)
"""
IDENTITIES = {
    "E(sigmoid(g)) == 1/2": ["E(sigmoid(g)) == 1/4"],
    "E(g*tanh(g)) == 1 - E(tanh(g)**2)": [],
    "E(sigmoid(W @ x)) == ones(m)/2": ["E(sigmoid(W @ x)) == ones(m)/3"],
    "E(D(softplus(g), g)) == 1/2": [],
    "E(norm(sigmoid(2*W @ x))**2) == m/4 + E(norm(tanh(W @ x))**2)/4": [
        "E(norm(sigmoid(2*W @ x))**2) == m/2 + E(norm(tanh(W @ x))**2)/4"
    ],
    "E(silu(g)) == E(D(sigmoid(g), g))": [],
    "E(norm(softplus(W @ x))**2) - E(norm(softplus(-W @ x))**2) == 0": [],
    "E(tanh(W @ x)) == zeros(m, 1)": ["E(tanh(W @ x)) == ones(m)"],
}


@pytest.mark.parametrize("says", IDENTITIES)
def test_identities(says: str) -> None:
    assert judged(says, SYMBOLS).truth == "true"
    for sibling in IDENTITIES[says]:
        assert judged(sibling, SYMBOLS).truth != "true"
