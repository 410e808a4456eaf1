"""The mean of a softmax by symmetry, and where there is none."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
m: dimension
d: dimension
s: positive
X: matrix(m, d)
W: normal(d, n, std=s)
Q: normal(d, d, std=s)
v: normal(n, mean=s, std=s)
e: rademacher(m, n)
R: normal(n, m, row_corr=1/2)
C: psd(n)
c: normal(n, cov=C)
"""
TRUE = {
    "E(softmax(X @ W)) == ones(m, n)/n": "E(softmax(X @ W)) == ones(m, n)/m",
    "E(softmax(v.T)) == ones(1, n)/n": "E(softmax(v.T)) == ones(1, n)/(n + 1)",
    "E(softmax(s*e)) == ones(m, n)/n": "E(softmax(s*e)) == ones(m, n)/2",
    "E(softmax(norm(W)**2 * W)) == ones(d, n)/n": "E(softmax(norm(W)**2 * W)) == ones(d, n)/d",
    "E(softmax(Q + ones(d) @ Q[1])) == ones(d, d)/d": "E(softmax(Q + ones(d) @ Q[1])) == ones(d, d)",
}


@pytest.mark.parametrize("says", TRUE)
def test_each_weight_has_the_same_mean(says: str) -> None:
    assert judged(says, SYMBOLS).truth == "true"
    assert judged(TRUE[says], SYMBOLS).truth == "false"


@pytest.mark.parametrize(
    "says",
    [
        "E(softmax(X @ Q @ X.T)) == ones(m, m)/m",  # the columns are those of X
        "E(softmax(c.T)) == ones(1, n)/n",  # variances may differ
        "E(softmax(Q + Q.T)) == ones(d, d)/d",  # an entry and its mirror image are one draw
        "E(softmax(W.T @ W)) == ones(n, n)/n",
        "E(softmax(Q @ Q)) == ones(d, d)/d",
        "E(softmax(Q * Q[1, 1])) == ones(d, d)/d",
        "E(softmax(Q * tanh(Q[1, 1]))) == ones(d, d)/d",
        "E(softmax(Q * tr(Q))) == ones(d, d)/d",
        "E(norm(softmax(v.T))**2) == 1/n",  # of a square, nothing is known
    ],
)
def test_without_symmetry_nothing_is_said(says: str) -> None:
    assert judged(says, SYMBOLS, seconds=4.0).truth != "true"
