"""Stein's identity for several and for shifted variables against quadrature, and what follows for claims."""

import math
from fractions import Fraction

import pytest

from tests.prove.integrate.quadrature import two
from tests.prove.specs import judged
from verifier.prove.integrate.activation_moments import Block
from verifier.prove.integrate.activations import Atom
from verifier.prove.integrate.joint_moments import reduced

COV = ((1.3, 0.4), (0.4, 0.8))
FUNCTIONS = {
    "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "silu": lambda x: x / (1 + math.exp(-x)),
    "softplus": lambda x: math.log1p(math.exp(-abs(x))) + max(x, 0.0),
}


@pytest.mark.parametrize("first", ["sigmoid", "silu", "softplus"])
@pytest.mark.parametrize("second", ["silu"])
def test_pairs_against_quadrature(first: str, second: str) -> None:
    """E f(w_0) g(w_1) = sum of covariances times E(t_0**a c_0**b t_1**a' c_1**b')"""
    block = Block(((Atom(first, Fraction(1), 1),), (Atom(second, Fraction(1), 1),)), (0, 0), (False, False))
    found = reduced(block)
    assert found is not None

    def total(u: float, v: float) -> float:
        result = 0.0
        for (cumulants, monomial), weight in found.items():
            term = float(weight)
            for i, j in cumulants:
                term *= COV[i][j]
            for (_, a, b), x in zip(monomial, (u, v), strict=True):
                term *= math.tanh(x / 2) ** a * math.log(2 * math.cosh(x / 2)) ** b
            result += term
        return result

    expected = two(lambda u, v: FUNCTIONS[first](u) * FUNCTIONS[second](v), COV[0][0], COV[1][1], COV[0][1])
    assert two(total, COV[0][0], COV[1][1], COV[0][1]) == pytest.approx(expected, rel=1e-9)


SYMBOLS = """
d: dimension
s: positive
mu: real
x: vector(d)
y: vector(d)
w: normal(d, std=1)
k: normal(mean=mu, std=s)
"""
CLAIMS = {
    "E(sigmoid(w.T @ x)*sigmoid(w.T @ y)) == 1/4 + E(tanh(w.T @ x/2)*tanh(w.T @ y/2))/4": [
        "E(sigmoid(w.T @ x)*sigmoid(w.T @ y)) == 1/2 + E(tanh(w.T @ x/2)*tanh(w.T @ y/2))/4",
        "E(sigmoid(w.T @ x)*sigmoid(w.T @ y)) == 1/4",
    ],
    "E((k - mu)*tanh(k)) == s**2*E(D(tanh(k), k))": ["E(k*tanh(k)) == s**2*E(D(tanh(k), k))"],
    "E(inner(w, x)*tanh(w.T @ y)) == inner(x, y)*E(1 - tanh(w.T @ y)**2)": [
        "E(inner(w, x)*tanh(w.T @ y)) == norm(x)*norm(y)*E(1 - tanh(w.T @ y)**2)"
    ],
    "E(sigmoid(k)) == 1 - E(sigmoid(-k))": ["E(sigmoid(k)) == E(sigmoid(-k))"],
}


@pytest.mark.parametrize("says", CLAIMS)
def test_claims(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert found.truth == "true", found
    for sibling in CLAIMS[says]:
        assert judged(sibling, SYMBOLS).truth == "false", sibling
