"""Means of exponentials of sums over all entries of a draw, and what is positive at both ends of a range:
each truth has false siblings."""

import pytest

from tests.kernel.test_given_and_assumed import judged

SYMBOLS = {
    "n": "dimension", "m": "dimension", "s": "positive", "t": "real", "p": "interval(0, 1)", "x": "vector(n)",
    "K": "matrix(n, n)", "w": "normal(n, std=s)", "W": "normal(n, m)", "v": "normal(n, mean=x)",
    "c": "normal(n, cov=K)", "e": "rademacher(n)", "o": "bernoulli(n, p)", "u": "uniform(n, 0, 1)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("E(exp(-norm(w)**2/2)) == (1 + s**2)**(-n/2)", "accepted"),
        ("E(exp(-norm(w)**2/2)) == (1 + s**2)**(-n)", "differs"),
        ("E(exp(-norm(W)**2)) == 3**(-n*m/2)", "accepted"),
        ("E(exp(-norm(W)**2)) == 3**(-n/2)", "differs"),
        ("E(exp(-norm(w - x)**2/2)) == (1 + s**2)**(-n/2)*exp(-norm(x)**2/(2*(1 + s**2)))", "accepted"),
        ("E(exp(-norm(w - x)**2/2)) == (1 + s**2)**(-n/2)*exp(-norm(x)**2/2)", "differs"),
        ("E(exp(-norm(v)**2/2)) == 2**(-n/2)*exp(-norm(x)**2/4)", "accepted"),
        ("E(exp(-norm(v)**2/2)) == 2**(-n/2)", "differs"),
        ("E(exp(norm(W)**2)) == 1", "no-mean"),  # the density does not outweigh it
        ("E(exp(norm(w)**2/4)) == 1", "no-mean"),  # nor if s is large
        ("E(exp(-norm(c)**2/2)) == 2**(-n/2)", "no-mean"),  # entries that are not independent
        ("E(exp(-sum(w[k]**2, k, 2, n))) == 1", "no-mean"),
        ("E(exp(t*sum(o[k], k, 1, n))) == (1 - p + p*exp(t))**n", "accepted"),
        ("E(exp(t*sum(o[k], k, 1, n))) == 1 - p + p*exp(n*t)", "differs"),
        (
            "E(exp(inner(o, x))) == prod(1 - p + p*exp(x[k]), k, 1, n)",
            "outside",
        ),  # p is not seen to be a chance
        ("E(exp(inner(e, x))) == prod((exp(x[k]) + exp(-x[k]))/2, k, 1, n)", "accepted"),
        ("E(exp(inner(e, x))) == prod(exp(x[k]) + exp(-x[k]), k, 1, n)", "differs"),
        ("E(exp(inner(u, x))) == 1", "differs"),
        ("E(exp(inner(e, x))*e[1]) == 0", "differs"),
        ("log(1 - p + p*exp(t)) + log(2) == log(2 - 2*p + 2*p*exp(t))", "accepted"),
        ("(1 - p + p*exp(t))**t*(1 - p + p*exp(t))**(1 - t) == 1 - p + p*exp(t)", "accepted"),
        ("(1 - 2*p)**t*(1 - 2*p)**(1 - t) == 1 - 2*p", "condition"),  # negative at one end
        ("exp(s**2/(1 + s**2)) == exp(1)*exp(-1/(1 + s**2))", "accepted"),
        ("exp(s**2/(1 + s**2)) == exp(1)*exp(-s/(1 + s**2))", "differs"),
    ],
)
def test_exponentials(says: str, outcome: str) -> None:
    assert judged(says, SYMBOLS) == outcome
