"""Means of products with steps of linear functions of normal draws: each truth has a false sibling."""

import pytest

from tests.kernel.test_given_and_assumed import judged

SYMBOLS = {
    "m": "dimension", "d": "dimension", "s": "positive", "q": "real", "r": "interval(-1, 1)",
    "x": "vector(d)", "y": "vector(d)", "w": "normal(d)", "W": "normal(m, d, std=s)",
    "V": "normal(m, m, std=s)", "g": "normal()", "p": "normal()", "h": "normal(std=s)", "b": "bernoulli(1/2)",
    "u": "normal(3)",
}  # fmt: skip
KERNEL = (
    "(sqrt(norm(x)**2*norm(y)**2 - inner(x, y)**2) + inner(x, y)*(pi - acos(inner(x, y)/(norm(x)*norm(y)))))"
)

TRUE_AND_FALSE = [
    (f"E(relu(w.T @ x)*relu(w.T @ y)) == {KERNEL}/(2*pi)", f"E(relu(w.T @ x)*relu(w.T @ y)) == {KERNEL}/pi"),
    ("E(norm(relu(W @ x))**4) == m*(m + 5)*s**4*norm(x)**4/4",
     "E(norm(relu(W @ x))**4) == m**2*s**4*norm(x)**4/4"),
    ("E(norm(relu(W @ w))**4) == m*(m + 5)*d*(d + 2)*s**4/4",
     "E(norm(relu(W @ w))**4) == m*(m + 5)*d**2*s**4/4"),
    ("E(abs(w.T @ x)) == norm(x)*sqrt(2/pi)", "E(abs(w.T @ x)) == norm(x)/sqrt(2*pi)"),
    ("E(relu(g)*relu(r*g + sqrt(1 - r**2)*p)) == (sqrt(1 - r**2) + r*(pi - acos(r)))/(2*pi)",
     "E(relu(g)*relu(r*g + sqrt(1 - r**2)*p)) == (sqrt(1 - r**2) + r*acos(r))/(2*pi)"),
    ("E(erf(g)*erf(q*g + p)) == 2/pi*asin(2*q/sqrt(3*(3 + 2*q**2)))",
     "E(erf(g)*erf(q*g + p)) == 2/pi*asin(q)"),
    ("E(Phi(g)*Phi(p)) == 1/4", "E(Phi(g)*Phi(p)) == 1/3"),
    ("E(max(u[1], max(u[2], u[3]))) == 3/(2*sqrt(pi))", "E(max(u[1], max(u[2], u[3]))) == 1/sqrt(pi)"),
    ("E(abs(exp(h) - 1)) == exp(s**2/2)*(2*Phi(s) - 1)", "E(abs(exp(h) - 1)) == exp(s**2/2) - 1"),
    ("E(relu(w.T @ x + q)) == q*Phi(q/norm(x)) + norm(x)*phi(q/norm(x))",
     "E(relu(w.T @ x + q)) == q*Phi(q/norm(x))"),
    ("E(abs(b*g)) == 1/sqrt(2*pi)", "E(abs(b*g)) == sqrt(2/pi)"),
    ("P(b*g > 0) == 1/4", "P(b*g > 0) == 1/2"),
    ("E(abs(g*h)) == 2*s/pi", "E(abs(g*h)) == s"),
    ("E(norm(D(relu(V @ relu(W @ x)), x))**2) == d*m**2*s**4/4",
     "E(norm(D(relu(V @ relu(W @ x)), x))**2) == d*m**2*s**4/2"),
    ("E(norm(D(relu(V @ relu(W @ x)), W))**2) == m**2*s**2*norm(x)**2/4",
     "E(norm(D(relu(V @ relu(W @ x)), W))**2) == m**2*s**2*norm(x)**2/2"),
]  # fmt: skip


@pytest.mark.parametrize(("true", "false"), TRUE_AND_FALSE)
def test_what_is_true_and_what_is_not(true: str, false: str) -> None:
    assert judged(true, SYMBOLS) == "accepted"
    assert judged(false, SYMBOLS) == "differs"


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("P(w.T @ x > 0) == 1/2", "differs"),  # x may be 0
        ("E(D(relu(b*q), b)) == 1/2", "no-mean"),  # no slope where b is 0
        ("E(relu(g)*relu(p + q)) == 0", "differs"),
        ("E(relu(g)*relu(p)*relu(g + p)) == 1", "differs"),
    ],
)
def test_what_is_not_known(says: str, outcome: str) -> None:
    assert judged(says, SYMBOLS) == outcome


LENGTHS = ("norm(x) == 1", "norm(y) == 1", "inner(x, y) == r")
UNIT = "(sqrt(1 - r**2) + r*(pi - acos(r)))"


@pytest.mark.parametrize(
    ("under", "says", "outcome"),
    [
        (LENGTHS, f"E(relu(w.T @ x)*relu(w.T @ y)) == {UNIT}/(2*pi)", "accepted"),
        (LENGTHS, f"E(relu(w.T @ x)*relu(w.T @ y)) == {UNIT}/pi", "differs"),
        (LENGTHS[:1], f"E(relu(w.T @ x)*relu(w.T @ y)) == {UNIT}/(2*pi)", "differs"),
        # What a closed form is divided by is 0 under the assumption: nothing follows from 0 = 0.
        (("r**2 == 1",), "E(relu(g)*relu(r*g + sqrt(1 - r**2)*p)) == 5", "differs"),
        ((*LENGTHS, "r**4 == 1"), f"E(relu(w.T @ x)*relu(w.T @ y)) == {UNIT} + 5*(r**4 - r**2)", "differs"),
        ((*LENGTHS, "inner(x, y) == 1"), "E(relu(w.T @ x)*relu(w.T @ y)) == 3", "differs"),
    ],
)
def test_what_assumptions_say(under: tuple[str, ...], says: str, outcome: str) -> None:
    assert judged(says, SYMBOLS, under) == outcome
