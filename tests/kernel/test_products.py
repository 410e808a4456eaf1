"""Products and sums over sets of any size, and pairings: each truth has a false sibling."""

import pytest

from tests.kernel.test_given_and_assumed import judged

SYMBOLS = {
    "n": "dimension", "m": "dimension", "p": "dimension", "s": "positive", "a": "real", "i": "index(n)",
    "x": "vector(n)", "K": "matrix(n, n)", "C": "matrix(4, 4)", "B": "matrix(2*m, 2*m)",
    "A": "matrix(2*m, n)",
    "w": "normal(n, std=s)", "W": "normal(n, n, std=s)", "u": "uniform(n, 0, 1)", "e": "rademacher(n)",
    "h": "normal(4, cov=C)", "g": "normal(2*m, cov=B)", "o": "normal(2*m - 1)", "c": "normal(n, cov=K)",
    "v": "normal(n, mean=x)", "k": "normal(2*m, mean=1)", "q": "iid(n, mean=2, var=1)",
}  # fmt: skip

TRUE_AND_FALSE = [
    ("prod(j, j, 1, n) == factorial(n)", "prod(j, j, 1, n) == factorial(n + 1)"),
    ("prod(a, j, 1, n) == a**n", "prod(a, j, 1, n) == a*n"),
    ("prod(a, j, 2, n) == a**n/a", "prod(a, j, 2, n) == a**n"),
    (
        "prod(exp(x[j]), j, 1, n) == exp(sum(x[j], j, 1, n))",
        "prod(exp(x[j]), j, 1, n) == sum(exp(x[j]), j, 1, n)",
    ),
    (
        "log(prod(1 + exp(x[j]), j, 1, n)) == sum(log(1 + exp(x[j])), j, 1, n)",
        "prod(1 + exp(x[j]), j, 1, n) == 2**n",
    ),
    (
        "prod(2*exp(x[j]), j, 1, n) == 2**n*prod(exp(x[j]), j, 1, n)",
        "prod(2*exp(x[j]), j, 1, n) == 2*prod(exp(x[j]), j, 1, n)",
    ),
    # sets
    ("esum(1, j, 1, n, p) == binomial(n, p)", "esum(1, j, 1, n, p) == binomial(n, p + 1)"),
    ("esum(a, j, 1, n, p) == binomial(n, p)*a**p", "esum(a, j, 1, n, p) == binomial(n, p)*a"),
    (
        "2*esum(x[j], j, 1, n, 2) == sum(x[j], j, 1, n)**2 - norm(x)**2",
        "2*esum(x[j], j, 1, n, 2) == sum(x[j], j, 1, n)**2",
    ),
    ("esum(x[j], j, 1, n, 1) == sum(x[j], j, 1, n)", "esum(x[j], j, 1, n, 0) == sum(x[j], j, 1, n)"),
    ("esum(j, j, 1, 3, 3) == 6", "esum(j, j, 1, 3, 3) == 11"),
    ("esum(j, j, 1, 3, 4) == 0", "esum(j, j, 1, 3, 2) == 12"),
    # means of what is independent
    ("E(prod(W[j, j]**2, j, 1, n)) == s**(2*n)", "E(prod(W[j, 1]*W[1, j], j, 1, n)) == 0"),
    ("E(prod(u[j], j, 1, n)) == (1/2)**n", "E(prod(u[j]**2, j, 1, n)) == (1/2)**n"),
    ("E(prod(q[j], j, 1, n)) == 2**n", "E(prod(q[j], j, 1, n)) == 2*n"),
    (
        "E(esum(w[j]**2, j, 1, n, p)) == binomial(n, p)*s**(2*p)",
        "E(esum(w[j]**2, j, 1, n, p)) == binomial(n, p)*s**p",
    ),
    # pairings
    ("E(h[1]*h[2]*h[3]*h[4]) == hafnian(C)", "E(h[1]*h[2]*h[3]*h[4]) == C[1, 2]*C[3, 4] + C[1, 3]*C[2, 4]"),
    ("E(prod(g[j], j, 1, 2*m)) == hafnian(E(g @ g.T))", "E(prod(g[j], j, 1, 2*m)) == hafnian(E(g @ g.T))/2"),
    (
        "E(prod((A @ w)[j], j, 1, 2*m)) == hafnian(E(A @ w @ (A @ w).T))",
        "E(prod((A @ w)[j], j, 1, 2*m)) == 0",
    ),
    ("E(prod(o[j], j, 1, 2*m - 1)) == 0", "E(prod(g[j], j, 1, 2*m)) == 0"),
    ("hafnian(ones(2*m, 2*m)) == factorial2(2*m - 1)", "hafnian(ones(2*m, 2*m)) == factorial2(2*m)"),
    (
        "hafnian(a*ones(2*m, 2*m)) == a**m*factorial2(2*m - 1)",
        "hafnian(a*ones(2*m, 2*m)) == a*factorial2(2*m - 1)",
    ),
    ("hafnian(ones(3, 3)) == 0", "hafnian(ones(4, 4)) == 4"),
    ("hafnian(ones(2*m - 1, 2*m - 1)) == 0", "hafnian(eye(4)) == 1"),
]


@pytest.mark.parametrize(("true", "false"), TRUE_AND_FALSE, ids=lambda says: says[:50])
def test_equations(true: str, false: str) -> None:
    assert judged(true, SYMBOLS) == "accepted"
    assert judged(false, SYMBOLS) in ("differs", "outside")


@pytest.mark.parametrize(
    ("says", "under", "outcome"),
    [
        ("prod(x[j]*x[j], j, 1, n) == exp(2*sum(log(x[j]), j, 1, n))", (), "outside"),  # x[j] may be negative
        ("prod(a, j, 3, n) == a**n/a**2", (), "condition"),  # for n = 1 there is no factor
        ("prod(j, j, 0, n) == 0", (), "outside"),
        ("E(prod(k[j], j, 1, 2*m)) == hafnian(E(k @ k.T))", (), "differs"),  # its mean is not 0
        ("E(prod(e[j], j, 1, n)) == 0", (), "accepted"),  # 0 to a power that is positive
        ("E(prod(c[j]**2, j, 1, n)) == E(c[1]**2)**n", (), "outside"),  # its entries hang together
        ("E(prod(v[j], j, 1, n)) == x[1]**n", (), "outside"),  # and these have different laws
        ("E(prod(u[j]*x[j], j, 1, n)) == (x[1]/2)**n", (), "outside"),
        ("E(prod(u[j] + u[1], j, 1, n)) == 1", (), "outside"),
        ("E(prod(u[j], j, 1, n)) == (1/2)**n", ("u[1] == 1",), "condition"),
        ("E(prod(g[j], j, 1, 2*m)) == hafnian(E(g @ g.T))", ("g[1] == 1",), "condition"),
    ],
)
def test_what_is_not_known_is_not_used(says: str, under: tuple[str, ...], outcome: str) -> None:
    assert judged(says, SYMBOLS, under) == outcome
