"""The inequalities of Cauchy and Gebelein for pairs of activations, sampled by quadrature and as claims."""

import math

import pytest

from tests.prove.integrate.quadrature import two
from tests.prove.specs import judged

SYMBOLS = """
d: dimension
m: dimension
r: interval(-1, 1)
x: vector(d)
y: vector(d)
w: normal(d, std=1)
W: normal(m, d, std=1)
g: normal(std=1)
h: normal(std=1)
"""
LET = "u: r*g + sqrt(1 - r**2)*h"
CLAIMS = {
    "E(tanh(w.T @ x)*tanh(w.T @ y)) <= 1": ["E(tanh(w.T @ x)*tanh(w.T @ y)) <= 1/2"],
    "E(tanh(w.T @ x)*tanh(w.T @ y)) <= norm(x)*norm(y)": [
        "E(tanh(w.T @ x)*tanh(w.T @ y)) <= norm(x)*norm(y)/2"
    ],
    "E(sigmoid(w.T @ x)*sigmoid(w.T @ y)) <= 1/2": [],
    "abs(E(inner(tanh(W @ x), tanh(W @ y)))) <= m*norm(x)*norm(y)": [
        "abs(E(inner(tanh(W @ x), tanh(W @ y)))) <= m*inner(x, y)"
    ],
    "Cov(tanh(w.T @ x), tanh(w.T @ y)) <= norm(x)*norm(y)": [],
    "E(sigmoid(w.T @ x)*(1 - sigmoid(w.T @ x))) <= 1/4": [],
    "E(tanh(g)*tanh(u)) <= E(tanh(g)**2)": ["E(tanh(g)*tanh(u)) <= E(tanh(g)**2)/2"],
    "abs(E(tanh(g)*tanh(u))) <= abs(r)*E(tanh(g)**2)": ["abs(E(tanh(g)*tanh(u))) <= r**2*E(tanh(g)**2)"],
}


@pytest.mark.parametrize("says", CLAIMS)
def test_claims(says: str) -> None:
    found = judged(says, SYMBOLS, LET)
    assert found.truth == "true", found
    assert found.tightness is not None
    assert found.tightness.tight
    for sibling in CLAIMS[says]:
        false = judged(sibling, SYMBOLS, LET)
        assert false.truth == "false", sibling
        assert false.counterexample is not None


@pytest.mark.parametrize("r", [-0.7, 0.3, 0.9])
def test_gebelein(r: float) -> None:
    """|E f(u) g(v)| <= |r| sqrt(E f**2 E g**2) for odd f and g; without odd ones it is wrong."""

    def mean(f: object, g: object, tie: float) -> float:
        return two(lambda u, v: f(u) * g(v), 1.0, 1.0, tie)  # type: ignore[operator]

    squares = [math.sqrt(mean(f, f, 0.9999999)) for f in (math.tanh, math.erf)]
    assert abs(mean(math.tanh, math.erf, r)) <= abs(r) * squares[0] * squares[1]
    assert mean(math.cosh, lambda x: 1.0, r) > abs(r)
