"""Identities between functions with a kink, entry by entry, with false siblings."""

import mpmath as mp
import pytest

from tests.prove.integrate.quadrature import FUNCTIONS
from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
x: vector(n)
X: matrix(n, m)
A: matrix(m, n)
"""
CLAIMS = {
    "relu(X) - relu(-X) == X": "relu(X) + relu(-X) == X",
    "abs(X) == relu(X) + relu(-X)": "abs(X) == relu(X) - relu(-X)",
    "relu(X)*relu(-X) == 0": "relu(X)*relu(-X) == X**2",
    "norm(relu(A @ x))**2 + norm(relu(-A @ x))**2 == norm(A @ x)**2": (
        "norm(relu(A @ x))**2 + norm(relu(-A @ x))**2 == 2*norm(A @ x)**2"
    ),
    "inner(relu(X), X) == norm(relu(X))**2": "inner(relu(X), X) == norm(X)**2",
    "relu(3*X) == 3*relu(X)": "relu(-3*X) == -3*relu(X)",
    "D(relu(x), x) - D(relu(-x), x) == eye(n)": "D(relu(x), x) + D(relu(-x), x) == eye(n)",
    "D(relu(x), x) @ D(relu(x), x) == D(relu(x), x)": "D(relu(x), x) @ D(relu(x), x) == eye(n)",
    "D(abs(x), x) == 2*D(relu(x), x) - eye(n)": "D(abs(x), x) == D(relu(x), x) - eye(n)",
}


@pytest.mark.parametrize("says", CLAIMS)
def test_claims(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert (found.truth, found.grade) == ("true", "proved"), found
    assert judged(CLAIMS[says], SYMBOLS).truth == "false"


@pytest.mark.parametrize("u", [mp.mpf("-1.7"), mp.mpf("0.4")])
def test_each_by_one_step(u: mp.mpf) -> None:
    step, relu, size = (FUNCTIONS[name] for name in ("relu_slope", "relu", "abs"))
    assert relu(u) == u * step(u)
    assert relu(-u) == u * step(u) - u
    assert size(u) == 2 * u * step(u) - u
    assert step(-u) == 1 - step(u) == 1 - step(u) ** 2
    assert FUNCTIONS["abs_slope"](u) == 2 * step(u) - 1
