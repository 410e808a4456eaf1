"""Means over powers of the length of a normal vector: each truth has a false sibling."""

import pytest

from tests.kernel.test_given_and_assumed import judged

SYMBOLS = {
    "d": "dimension", "m": "dimension", "s": "positive", "q": "real", "w": "normal(d, std=s)",
    "o": "normal(d, mean=1)", "G": "normal(m, d, std=s)", "v": "normal(3)", "r": "rademacher()",
}  # fmt: skip

TRUE_AND_FALSE = [
    ("d >= 3", "E(1/norm(w)**2) == 1/(s**2*(d - 2))", "E(1/norm(w)**2) == 1/(s**2*d)"),
    ("d >= 5", "E(norm(w)**(-4)) == 1/(s**4*(d - 2)*(d - 4))", "E(norm(w)**(-4)) == 1/(s**4*(d - 2)**2)"),
    ("d >= 2", "E((w[1]/norm(w))**2) == 1/d", "E((w[1]/norm(w))**2) == 1/(d + 1)"),
    ("d >= 2", "E(w[1]**2*w[2]**2/norm(w)**4) == 1/(d*(d + 2))", "E(w[1]**2*w[2]**2/norm(w)**4) == 1/d**2"),
    ("d >= 4", "E(norm(rmsnorm(w.T), 1)**2) == d*(2/pi*(d - 1) + 1)",
     "E(norm(rmsnorm(w.T), 1)**2) == 2/pi*d**2"),
    ("d >= 3", "E(norm(D(rmsnorm(w.T), w))**2) == d*(d - 1)/(s**2*(d - 2))",
     "E(norm(D(rmsnorm(w.T), w))**2) == (d - 1)/s**2"),
    ("d >= 4", "E(norm(relu(rmsnorm(G)))**2) == m*d/2", "E(norm(relu(rmsnorm(G)))**2) == m*d"),
    ("d >= 1", "E(r/norm(v)**2) == 0", "E((1 + r)/norm(v)**2) == 0"),
]  # fmt: skip


@pytest.mark.parametrize(("under", "true", "false"), TRUE_AND_FALSE)
def test_what_is_true_and_what_is_not(under: str, true: str, false: str) -> None:
    assert judged(true, SYMBOLS, (under,)) == "accepted"
    assert judged(false, SYMBOLS, (under,)) == "differs"


@pytest.mark.parametrize(
    ("under", "says", "outcome"),
    [
        ("d >= 2", "E(1/norm(w)**2) == 1/(s**2*(d - 2))", "no-mean"),
        ("d >= 4", "E(norm(w)**(-4)) == 1/(s**4*(d - 2)*(d - 4))", "no-mean"),
        ("d >= 3", "E(1/norm(o)**2) == 1/(d - 2)", "no-mean"),  # another law: of nothing is known what it is
        ("d >= 3", "E(1/(norm(w)**2 - q)) == 0", "no-mean"),
        ("d >= 3", "E(w[1]**2/norm(w)**2) == 1/d + 0*E(1/norm(v)**4)", "no-mean"),
    ],
)
def test_means_that_need_not_exist(under: str, says: str, outcome: str) -> None:
    assert judged(says, SYMBOLS, (under,)) == outcome
