"""Rectified forms of weights with a symmetric law, and where the symmetry says nothing."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
k: dimension
a: positive
x: vector(m)
U: uniform(n, m, -a, a)
V: uniform(k, n, -a/2, a/2)
b: uniform(n, -a, a)
c: uniform(n, m, 0, a)
R: rademacher(n, m)
u: uniform(-1, 1)
G: normal(n, m)
"""
TRUE = {
    "E(norm(relu(U @ x))**2) == n*a**2*norm(x)**2/6": "E(norm(relu(U @ x))**2) == n*a**2*norm(x)**2/3",
    "E(norm(relu(R @ x))**2) == n*norm(x)**2/2": "E(norm(relu(R @ x))**2) == n*norm(x)**2",
    "E(norm(V @ relu(U @ x))**2) == k*n*a**4*norm(x)**2/72": "E(norm(V @ relu(U @ x))**2) == 0",
    "E(norm(relu(U @ x + b))**2) == n*a**2*(norm(x)**2 + 1)/6": "E(norm(relu(U @ x + b))**2) == n*a**2/6",
    "E(inner(relu(U @ x), U @ x)) == n*a**2*norm(x)**2/6": "E(inner(relu(U @ x), U @ x)) == 0",
    "E(relu(-u)**3*u**3) == -1/14": "E(relu(-u)**3*u**3) == 1/14",
    "E(tanh(u)) == 0": "E(tanh(u)) == 1/10",
    "E(norm(abs(U @ x))**2) == n*a**2*norm(x)**2/3": "E(norm(abs(U @ x))**2) == n*a**2*norm(x)**2/6",
    "E(norm(D(relu(U @ x), U))**2) == n*norm(x)**2/2": "E(norm(D(relu(U @ x), U))**2) == n*norm(x)**2",
    "E(norm(D(abs(U @ x), U))**2) == n*norm(x)**2": "E(norm(D(abs(U @ x), U))**2) == n*norm(x)**2/2",
    "E(inner(gelu(U @ x), U @ x)) == n*a**2*norm(x)**2/6": "E(inner(gelu(U @ x), U @ x)) == 0",
    "E(inner(silu(-2*R @ x), R @ x)) == -n*norm(x)**2": "E(inner(silu(-2*R @ x), R @ x)) == n*norm(x)**2",
    "E(sigmoid(R @ x)) == ones(n)/2": "E(sigmoid(R @ x)) == ones(n)/3",
    "E(norm(relu(G @ x + b))**2) == n*norm(x)**2/2 + n*a**2/6": "E(norm(relu(G @ x + b))**2) == n*norm(x)**2",
    "E(inner(relu(U @ x), abs(U @ x))) == n*a**2*norm(x)**2/6": "E(inner(relu(U @ x), abs(U @ x))) == 0",
}


@pytest.mark.parametrize("says", TRUE)
def test_half_of_what_has_no_kink(says: str) -> None:
    assert judged(says, SYMBOLS).truth == "true"
    assert judged(TRUE[says], SYMBOLS).truth == "false"


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(relu(c @ x))**2) == n*a**2*norm(x)**2/6",  # not around 0
        "E(norm(relu(U @ x + 1))**2) == n*a**2*norm(x)**2/6 + n/2",  # a constant does not change its sign
        "E(relu(U @ x)) == zeros(n)",  # what is left is the mean of an absolute value
        "E(inner(relu(U @ x), relu(-U @ x + b))) == 0",  # two variables
        "E(norm(D(relu(R @ x), R))**2) == n*norm(x)**2/2",  # signs may add up to 0, where there is no slope
        "E(inner(softplus(U @ x), softplus(U @ x))) == 0",  # a square of which no half is known
    ],
)
def test_no_symmetry(says: str) -> None:
    assert judged(says, SYMBOLS).truth != "true"
