"""Deviations that vanish in probability or on average, since their second moments do."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
d: dimension
k: dimension
c: positive
r: real
X: matrix(n, 3)
u: normal(d)
v: normal(d)
z: iid(d, mean=0, var=1)
Q: normal(3, k, std=1/sqrt(k))
K: normal(3, k, std=1/sqrt(k))
"""
LET = "A: softmax(X @ Q @ K.T @ X.T / sqrt(k))"


@pytest.mark.parametrize(
    "says",
    [
        "limit(P(abs(norm(u)**2/d - 1) > 1/10), d, oo) == 0",
        "limit(P(c < abs(norm(u)**2/d - 1)), d, oo) == 0",
        "limit(P(abs(norm(u)**2/d - 1) <= c), d, oo) == 1",
        "limit(P(abs(sum(z[i], i, 1, d)/d) >= c), d, oo) == 0",
        "limit(P(norm(A - ones(n, n)/n) > c), k, oo) == 0",
        "limit(E(abs(inner(u, v)/d)**(1/2)), d, oo) == 0",
    ],
)
def test_second_moments_that_vanish(says: str) -> None:
    found = judged(says, SYMBOLS, LET)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize(
    "says",
    [
        "limit(P(abs(norm(u)**2/d - 1) <= c), d, oo) == 0",
        "limit(P(abs(norm(u)**2/d - 1) > r), d, oo) == 0",  # r may be negative
        "limit(P(abs(norm(u)**2/d - 1) > c/d), d, oo) == 0",  # a bound that falls too fast
        "limit(P(abs(inner(u, v))/sqrt(d) > c), d, oo) == 0",
        "limit(P(abs(norm(u)**2/d - 2) > 1/10), d, oo) == 0",
    ],
)
def test_what_does_not_follow_is_not_said(says: str) -> None:
    assert judged(says, SYMBOLS, LET).truth != "true"
