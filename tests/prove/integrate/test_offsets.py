"""Shifted kinks of one variable, and kinks inside of kinks: closed forms against quadrature."""

import mpmath as mp
import pytest

from tests.prove.integrate.quadrature import one
from tests.prove.specs import judged

SYMBOLS = """
d: dimension
m: dimension
s: positive
c: positive
x: vector(d)
y: vector(d)
g: normal(std=1)
h: normal(std=s)
k: normal(std=s)
z: normal(3, std=s)
w: normal(d, std=1)
V: normal(m, d, std=s)
"""
CLAIMS = {
    "E((relu(h + c) - relu(h - c) - c)**2) == 2*c**2*Phi(-c/s) + s**2*(2*Phi(c/s) - 1) - 2*c*s*phi(c/s)": [
        "E((relu(h + c) - relu(h - c) - c)**2) == 2*c**2*Phi(-c/s) + s**2*(2*Phi(c/s) - 1)"
    ],
    "E(relu(h + c)*relu(c - h)) == (c**2 - s**2)*(2*Phi(c/s) - 1) + 2*c*s*phi(c/s)": [
        "E(relu(h + c)*relu(c - h)) == (c**2 + s**2)*(2*Phi(c/s) - 1)"
    ],
    "E(D(relu(h + c) - relu(h - c), h)**2) == 2*Phi(c/s) - 1": [
        "E(D(relu(h + c) - relu(h - c), h)**2) == Phi(c/s)"
    ],
    "E(norm(relu(V @ x + ones(m)) - relu(V @ x - ones(m)) - ones(m))**2) <= m": [
        "E(norm(relu(V @ x + ones(m)) - relu(V @ x - ones(m)) - ones(m))**2) <= m/2"
    ],
    "E(max(z[1], max(z[2], z[3]))) == 3*s/(2*sqrt(pi))": ["E(max(z[1], max(z[2], z[3]))) == 2*s/sqrt(pi)"],
    "E(max(abs(h), abs(k))) == 2*s/sqrt(pi)": ["E(max(abs(h), abs(k))) == s/sqrt(pi)"],
    "E(max(relu(h), relu(k))) == s*(1 + sqrt(2))/(2*sqrt(pi))": ["E(max(relu(h), relu(k))) == s/sqrt(pi)"],
    "E(max(w.T @ x, w.T @ y)) == norm(x - y)/sqrt(2*pi)": [
        "E(max(w.T @ x, w.T @ y)) == norm(x - y)/sqrt(pi)"
    ],
    "E(min(max(g, -1), 1)**2) == 1 - 2*phi(1)": ["E(min(max(g, -1), 1)**2) == 1 - phi(1)"],
}


@pytest.mark.parametrize("says", CLAIMS)
def test_claims(says: str) -> None:
    found = judged(says, SYMBOLS)
    assert found.truth == "true", found
    for sibling in CLAIMS[says]:
        assert judged(sibling, SYMBOLS).truth == "false", sibling


def relu(x: mp.mpf) -> mp.mpf:
    return x if x > 0 else mp.mpf(0)


def test_shifted_kinks_against_quadrature() -> None:
    c, s = mp.mpf("0.6"), mp.mpf("1.7")
    edge = c / s
    with mp.workdps(20):
        strip = one(lambda u: relu(u + c) * relu(c - u), s * s)
        closed = (c * c - s * s) * (2 * mp.ncdf(edge) - 1) + 2 * c * s * mp.npdf(edge)
        assert mp.almosteq(strip, closed, 1e-2)  # the cuts of the rule miss the kinks
        cuts = [-edge, 0, edge]
        exact = mp.quad(lambda z: relu(s * z + c) * relu(c - s * z) * mp.npdf(z), cuts)
        assert mp.almosteq(exact, closed, 1e-15)


def test_the_largest_of_two_against_quadrature() -> None:
    """E max(relu(g), relu(h)) = (1 + sqrt(2))/(2 sqrt(pi)), P(max <= t) = Phi(t)**2"""
    found = mp.quad(lambda t: 1 - mp.ncdf(t) ** 2, [0, 2, 10])
    assert mp.almosteq(found, (1 + mp.sqrt(2)) / (2 * mp.sqrt(mp.pi)), 1e-12)
