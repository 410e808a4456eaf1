"""Theorems at symbolic sizes: each true statement with siblings that must be caught."""

import pytest

from tests.prove.specs import claim, judged
from verifier.expr import nodes as N
from verifier.prove.equal.index_factors import are_independent, is_centred_gaussian

SYMBOLS = """
m: dimension
n: dimension
p: dimension
s: positive
rho: interval(0, 1)
t: real
C: psd(2*m)
A: matrix(2*m, n)
x: vector(n)
g: normal(2*m, cov=C)
h: normal(n, cov=diag(x**2))
w: normal(n, std=s)
u: normal(n, mean=1, std=s)
e: rademacher(n)
V: normal(n, n, std=s)
R: normal(n, n, row_corr=rho)
Z: random(n, mean=0)
"""

TRUE = [
    "E(prod(g[i], i, 1, 2*m)) == hafnian(C)",
    "E(prod(t*g[i], i, 1, 2*m)) == t**(2*m)*hafnian(C)",
    "E(prod((A @ w)[i], i, 1, 2*m)) == s**(2*m)*hafnian(A @ A.T)",
    "hafnian(2*C) == 2**m*hafnian(C)",
    "hafnian(zeros(2*m, 2*m)) == 0",
    "E(prod(g[i], i, 1, 2*m)) <= hafnian(C) + 1",
    "E(prod(u[i], i, 1, n)) == 1",
    "E(prod(w[i]**2 * e[i]**2, i, 1, n)) == s**(2*n)",
    "E(prod(R[1, j]**2, j, 1, n)) == 1",
    "E(esum(u[i]**2, i, 1, n, p)) == binomial(n, p)*(1 + s**2)**p",
    "esum(t, i, 1, n, p) == binomial(n, p)*t**p",
    "Var(prod(u[i], i, 1, n)) == (1 + s**2)**n - 1",
    "E(t*prod(w[i], i, 1, n)**2/n) == t*s**(2*n)/n",
    "E(esum(w[i]**2, i, 1, n, 3)) == n*(n - 1)*(n - 2)/6*s**6",
]
FALSE = [
    "E(prod(g[i], i, 1, 2*m)) == 2*hafnian(C)",
    "E(prod(g[i], i, 1, 2*m)) == hafnian(C @ C)",
    "E(prod(t*g[i], i, 1, 2*m)) == t**m*hafnian(C)",
    "E(prod((A @ w)[i], i, 1, 2*m)) == hafnian(A @ A.T)",
    "hafnian(2*C) == 2*hafnian(C)",
    "hafnian(C) >= 0",
    "E(prod(g[i], i, 1, 2*m)) >= hafnian(C) + 1",
    "E(prod(u[i], i, 1, n)) == s",
    "E(prod(R[i, 1]**2, i, 1, n)) == 1",
    "E(prod(h[i]**2, i, 1, n)) == norm(x)**2",
    "Var(prod(u[i], i, 1, n)) == s**(2*n)",
    "E(prod(w[i], i, 1, n)**2) == s**n",
    "E(esum(u[i]**2, i, 1, n, p)) == binomial(n, p)*s**(2*p)",
    "E(esum(w[i]**2, i, 1, n, 3)) == n*(n - 1)*(n - 2)*s**6",
]


@pytest.mark.parametrize("says", TRUE)
def test_true(says: str) -> None:
    found = judged(says, SYMBOLS, seconds=8)
    assert (found.truth, found.grade) == ("true", "proved"), found


@pytest.mark.parametrize("says", FALSE)
def test_false(says: str) -> None:
    found = judged(says, SYMBOLS, seconds=8)
    assert (found.truth, found.grade) == ("false", "proved"), found


@pytest.mark.parametrize(
    "says",
    ["limit(hafnian(C), m, oo) == 0", "E(prod(Z[i], i, 1, n)) == 0", "hafnian(C) <= hafnian(C) + t**2"],
)
def test_an_unknown_sum_decides_nothing_that_it_should_not(says: str) -> None:
    assert judged(says, SYMBOLS, seconds=4).truth in ({"true"} if "<=" in says else {"unknown"})


def body(text: str) -> tuple[N.Node, str]:
    made = claim(f"E(prod({text}, i, 1, n)) == 0", SYMBOLS).steps[0].fact
    assert isinstance(made, N.Relation)
    assert isinstance(made.left, N.Expectation)
    assert isinstance(made.left.body, N.Product)
    return made.left.body.body, made.left.body.ranges[0].index


@pytest.mark.parametrize(
    ("text", "independent", "gaussian"),
    [
        ("w[i]", True, True),
        ("w[i]*x[i] + V[1, i]", True, True),
        ("V[i, 1]*V[1, i]", False, False),
        ("V[i, i]", False, True),
        ("w[i]*w[1]", False, False),
        ("R[i, 1]", False, True),
        ("R[1, i]", True, True),
        ("h[i]", False, True),
        ("u[i]", True, False),
        ("w[i] + 1", True, False),
        ("Z[i]", False, False),
        ("exp(w[i])", True, False),
        ("norm(w)*x[i]", False, False),
    ],
)
def test_what_is_read_off_the_factors(text: str, independent: bool, gaussian: bool) -> None:
    stated = claim("s > 0", SYMBOLS)
    factor, index = body(text)
    assert are_independent(stated, factor, index) == independent
    assert is_centred_gaussian(stated, factor) == gaussian
