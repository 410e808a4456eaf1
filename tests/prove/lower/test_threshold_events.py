"""Chances of normal events: closed forms where the variable cannot be constant, and only there."""

import mpmath as mp
import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
s: positive
c: positive
mu: real
x: vector(d)
y: vector(d)
w: normal(d, std=1)
h: normal(std=s)
k: normal(mean=mu, std=s)
e: rademacher(2)
"""
UNIT = """
first: norm(x) == 1
second: norm(y) == 1
"""
CLAIMS = {
    "P(k <= 0) == Phi(-mu/s)": "P(k <= 0) == Phi(mu/s)",
    "P(abs(h) <= c) == 2*Phi(c/s) - 1": "P(abs(h) >= c) == 2*Phi(c/s) - 1",
    "P(h in [-c, 2*c]) == Phi(2*c/s) + Phi(c/s) - 1": "P(h in [-c, 2*c]) == Phi(2*c/s) - Phi(c/s)",
    "E(h*indicator(h > c)) == s*phi(c/s)": "E(h*indicator(h > c)) == phi(c/s)",
    "P(h == c) == 0": "P(h >= c) == 0",
}


@pytest.mark.parametrize(("says", "sibling"), CLAIMS.items())
def test_chances(says: str, sibling: str) -> None:
    assert judged(says, SYMBOLS).truth == "true"
    assert judged(sibling, SYMBOLS).truth == "false"


def test_half_planes() -> None:
    both = "E(indicator(w.T @ x > 0)*indicator(w.T @ y > 0))"
    assert judged(f"{both} == 1/2 - acos(inner(x, y))/(2*pi)", SYMBOLS, assume=UNIT).truth == "true"
    assert judged(f"{both} == 1/2 - acos(inner(x, y))/pi", SYMBOLS, assume=UNIT).truth == "false"


def test_a_variable_that_may_be_constant() -> None:
    """At x = 0 the chance is 0."""
    assert judged("P(w.T @ x > 0) == 1/2", SYMBOLS).truth == "false"
    assert judged("P(w.T @ x > 0) == 1/2", SYMBOLS, assume="unit: norm(x) == 1").truth == "true"


def test_signs_have_no_density() -> None:
    assert judged("P(e[1] + e[2] >= 0) == 1/2", SYMBOLS).truth == "false"
    assert judged("P(e[1] + e[2] >= 0) == 3/4", SYMBOLS).truth != "false"


def test_a_truncated_mean_against_quadrature() -> None:
    s, c = mp.mpf("1.3"), mp.mpf("0.4")
    found = mp.quad(lambda z: s * z * mp.npdf(z), [c / s, 3, 12])
    assert mp.almosteq(found, s * mp.npdf(c / s), 1e-12)
