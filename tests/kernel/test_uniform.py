"""Means over a number that is uniform between two ends: each truth has a false sibling."""

import pytest

from tests.kernel.test_given_and_assumed import judged

SYMBOLS = {
    "n": "dimension", "d": "dimension", "a": "positive", "t": "real", "v": "uniform(0, 1)",
    "w": "uniform(1, 3)", "p": "uniform(-1, 1)", "g": "normal()",
}  # fmt: skip

TRUE_AND_FALSE = [
    ("E(v**n) == 1/(n + 1)", "E(v**n) == 1/n"),
    ("E(p**n) == (1 + (-1)**n)/(2*(n + 1))", "E(p**n) == 1/(n + 1)"),
    (
        "E(v**n*(1 - v)**d) == 1/((n + d + 1)*binomial(n + d, n))",
        "E(v**n*(1 - v)**d) == 1/((n + d)*binomial(n + d, n))",
    ),
    ("E(sqrt(v)) == 2/3", "E(sqrt(v)) == 1/2"),
    ("E(1/sqrt(v)) == 2", "E(1/sqrt(v)) == 1"),
    ("E(v*sqrt(v)) == 2/5", "E(v*sqrt(v)) == 2/3"),
    ("E(log(v)) == -1", "E(log(v)) == -1/2"),
    ("E(v*log(v)) == -1/4", "E(v*log(v)) == -1/2"),
    ("E(log(1 + a*v)) == ((1 + a)*log(1 + a) - a)/a", "E(log(1 + a*v)) == log(1 + a) - a"),
    ("E(1/(1 + v)) == log(2)", "E(1/(1 + v)) == 2/3"),
    ("E((1 + v)**(-2)) == 1/2", "E((1 + v)**(-2)) == log(2)"),
    ("E(1/(1 + v**2)) == pi/4", "E(1/(1 + v**2)) == log(2)"),
    ("E(1/w) == log(3)/2", "E(1/w) == log(3)"),
    ("E(exp(a*v)) == (exp(a) - 1)/a", "E(exp(a*v)) == exp(a) - 1"),
    ("E(sqrt(v)*g**2) == 2/3", "E(sqrt(v)*g**2) == 1"),
]


@pytest.mark.parametrize(("true", "false"), TRUE_AND_FALSE, ids=lambda says: says[:40])
def test_means(true: str, false: str) -> None:
    assert judged(true, SYMBOLS) == "accepted"
    assert judged(false, SYMBOLS) in ("differs", "no-mean")


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("E(1/v) == 0", "no-mean"),  # it is infinite
        ("E(v**(-3/2)) == -2", "no-mean"),
        ("E(1/p) == 0", "no-mean"),
        ("E(sqrt(p)) == 0", "no-mean"),  # no value where p is negative
        ("E(log(p)) == 0", "no-mean"),
        ("E(log(v - 1/2)) == 0", "no-mean"),
        ("E(1/(1 + t*v)) == log(1 + t)/t", "no-mean"),
        ("t*E(exp(t*v)) == exp(t) - 1", "differs"),  # t may be 0
        ("E(v**(n - 2)) == 1/(n - 1)", "no-mean"),
    ],
)
def test_what_does_not_exist_or_is_not_known(says: str, outcome: str) -> None:
    assert judged(says, SYMBOLS) == outcome
