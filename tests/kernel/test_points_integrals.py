"""Means of functions of draws at a point: enclosed by integrals, where they exist."""

from typing import Any

import pytest

from tests.kernel.helpers import outcome, stated

SYMBOLS = {
    "s": "positive",
    "t": "real",
    "n": "dimension",
    "w": "normal(n, std=s)",
    "h": "normal(n, mean=t, std=1)",
    "c": "normal(2, cov=C)",
    "C": "psd(2)",
    "R": "normal(2, n, std=s, row_corr=1/2)",
    "u": "uniform(3, 1, 0, 1)",
    "v": "uniform(2, 1, -s, s)",
    "e": "rademacher(2, 1)",
    "b": "bernoulli(2, 1/3)",
    "q": "iid(2, 1, mean=0, var=1)",
    "z": "random(2, 1, mean=0)",
    "F": "normal(2, 1, std=1, copies=3)",
    "X": "matrix(2, n)",
}
POINT = {"s": 2, "t": "1/2", "n": 2, "C": [[1, "1/2"], ["1/2", 1]], "X": [[1, 2], [-1, 1]]}

CLOSED = [  # a mean and its closed form
    ("E(relu(w[1]))", "2/sqrt(2*pi)"),
    ("E(relu(w[1])**2)", "2"),
    ("E(relu(h[1]))", "Phi(1/2)/2 + phi(1/2)"),
    ("E(abs(w[1]))", "2*sqrt(2/pi)"),
    ("E(exp(w[1]))", "exp(2)"),
    ("E(exp(-w[1]**2/2))", "1/sqrt(5)"),
    ("E(exp(-norm(w)**2/2))", "1/5"),
    ("E(tanh(w[1]))", "0"),
    ("E(sigmoid(w[1]))", "1/2"),
    ("E(softplus(w[1]) - softplus(-w[1]))", "0"),
    ("E(log(1 + exp(w[1])) - softplus(w[1]))", "0"),
    ("E(log(3*exp(w[1])**2))", "log(3)"),
    ("E(log(phi(w[1])/phi(w[1] - 3)))", "9/2"),
    ("E(Phi(F[1][1])**2)", "1/3"),
    ("E(erf(h[1]))", "2*Phi(1/2*sqrt(2/3)) - 1"),
    ("E(sin(w[1])**2)", "(1 - exp(-8))/2"),
    ("E(D(relu(w[1]), w[1]))", "1/2"),
    ("E(D(abs(w[1]), w[1]))", "0"),
    ("P(w[1] <= 1)", "Phi(1/2)"),
    ("P(abs(w[1]) <= 2)", "2*Phi(1) - 1"),
    ("P(exp(h[1]) <= 1)", "Phi(-1/2)"),
    ("E((abs(F[1][1])/4)**20)", "654729075/4**20"),
    ("E(sqrt(w[1]**2))", "2*sqrt(2/pi)"),
    ("E(norm(w[1]*w[2]))", "8/pi"),
    ("E(relu(w[1])*relu(w[2]))", "4/(2*pi)"),  # independent
    ("E(relu(w[1])*w[1]*w[2]**2)", "8"),
    ("E(relu(w[1])*e[1]*exp(w[2])*e[1])", "2/sqrt(2*pi)*exp(2)"),
    ("E(exp(F[1][1] + F[2][1] + F[3][2]))", "exp(3/2)"),
    ("E(exp(e[1]*w[1]))", "exp(2)"),
    ("E(relu(w[1] - w[1]))", "0"),
    ("E(sqrt(u[1]))", "2/3"),
    ("E(log(1 + u[1]))", "2*log(2) - 1"),
    ("E(1/(1 + u[1]))", "log(2)"),
    ("E(exp(v[1]))", "(exp(2) - exp(-2))/4"),
    ("E(relu(v[1]))", "1/2"),
    ("E(max(v[1], v[1]/2))", "1/4"),
    ("E(1/exp(w[1]))", "exp(2)"),
    ("Var(relu(w[1]))", "2 - 2/pi"),
    ("Cov(relu(w[1]), w[1])", "2"),
    ("E(norm(w[1]*ones(2, 2), 2))", "4*sqrt(2/pi)"),
    ("E(norm(w[1]*ones(3), oo))", "2*sqrt(2/pi)"),
    ("E(norm(u[1]*eye(2), 2))", "1/2"),
    ("E(D(relu(w[1]*(1 + relu(w[2])*w[1])), w[1])*0) + 1", "1"),
]
OF_TWO = [  # of two variables, so less exactly
    ("E(max(u[1], u[2]))", "2/3"),
    ("P(u[1] <= u[2]/2)", "1/4"),
    ("E(relu(c[1])*relu(c[2]))", "(sqrt(3)/2 + pi*2/3/2)/(2*pi)"),
    ("E(sigmoid(c[1] + c[2]))", "1/2"),
    ("E(exp(c[1] + c[2]))", "exp(3/2)"),
    ("E(Phi(F[1][1] + F[1][2]))", "1/2"),
]


@pytest.mark.parametrize(
    ("says", "value", "apart"),
    [(*case, "1/100000") for case in CLOSED] + [(*case, "1/10") for case in OF_TWO],
)
def test_the_mean_is_not_refuted_and_what_is_beside_it_is(says: str, value: str, apart: str) -> None:
    assert outcome(stated(f"{says} == {value}", SYMBOLS), POINT) == "not-false"
    assert outcome(stated(f"{says} <= {value} - {apart}", SYMBOLS), POINT) == "accepted"
    assert outcome(stated(f"{says} >= {value} + {apart}", SYMBOLS), POINT) == "accepted"


NONE: list[tuple[str, str]] = [
    ("E(1/w[1]) == 1", "no-mean"),
    ("E(1/abs(w[1])) == 1", "no-mean"),
    ("E(1/w[1]**2) == 1", "no-mean"),
    ("E(w[1]/(w[1] - h[1])) == 1", "no-mean"),
    ("0*E(1/w[1]) == 1", "no-mean"),
    ("E(log(w[1])) == 1", "no-mean"),
    ("E(log(w[1]**2)) == 100", "no-mean"),  # it exists, and nothing here says so
    ("E(log(u[1])) == 1", "no-mean"),
    ("E(1/u[1]) == 5", "no-mean"),
    ("E(sqrt(w[1])) == 100", "no-mean"),
    ("E(sqrt(v[1])) == 100", "no-mean"),
    ("E(asin(v[1])) == 100", "no-mean"),
    ("E(asin(w[1])) == 100", "no-mean"),
    ("E(exp(w[1]**2)) == 1", "no-mean"),
    ("E(exp(w[1]**2/100)) == 100", "no-mean"),  # it exists, and nothing here says so
    ("E(exp(-w[1]**3)) == 1", "no-mean"),
    ("E(exp(w[1]*w[2])) == 1", "no-mean"),
    ("E(exp(-w[1]*w[2])) == 1", "no-mean"),
    ("E(exp(exp(w[1]))) == 1", "no-mean"),
    ("E(exp(relu(w[1])**2)) == 1", "no-mean"),
    ("E(exp(abs(w[1])**(3/2))) == 1", "no-mean"),
    ("E(tanh(q[1])) == 100", "outside"),  # only moments are stated
    ("E(tanh(z[1])) == 100", "outside"),
    ("E(tanh(q[1]*w[1])) == 100", "outside"),
    ("E(relu(u[1] + u[2] + u[3])) == 100", "outside"),
    ("E(E(tanh(w[1]*h[1]), given=w)*w[1]) == 100", "outside"),
    ("E(D(relu(relu(w[1])), w[1])) == 100", "undefined"),  # a kink with a chance
    ("E(D(relu(w[1]*(w[2] - w[2])), w[1])) == 100", "undefined"),
    ("E(D(abs(b[1]*w[1]), w[1])) == 100", "undefined"),
    ("E(D(relu(e[1]*w[1]), w[1])) == 100", "accepted"),
    ("E(D(relu(tanh(w[1]) + relu(w[1])*w[2]), w[2])*0) == 100", "accepted"),  # tanh(w) is not 0
    ("E(D(relu(relu(w[1])*w[2]), w[2])*0) == 100", "undefined"),
    ("E(D(relu(relu(w[1])*w[2] + w[1]*relu(w[1])), w[2])*0) == 100", "undefined"),
    ("norm(E(D(norm(relu(w[1])*h), h)*0)) == 100", "undefined"),
    ("E(norm(w[1]*eye(3) + ones(3, 3), 2)) == 100", "outside"),  # three rows
    ("E(softmax(F[1] @ F[1].T)) == 100", "accepted"),  # all entries exist, and one is enough
    ("E(exp(w[1]*w[2])/(1 + exp(2*w[1]*w[2]))) == 100", "no-mean"),  # it exists, and nothing here says so
    ("E(exp(2*w[1]*w[2])/(1 + exp(w[1]*w[2]))) == 100", "no-mean"),
    ("E(exp(w[1]*w[2])**2/(1 + exp(w[1]*w[2]))) == 100", "no-mean"),
    ("E(exp(w[1]*w[2])/(1 - exp(w[1]*w[2]))) == 100", "no-mean"),
    ("E(exp(w[1]*w[2])/(exp(w[1]) + exp(w[2]))) == 100", "no-mean"),
    ("E(1/(exp(w[1]*w[2]) - exp(-w[1]*w[2]))) == 100", "no-mean"),
    ("0*E(relu(u[1] + u[2] + u[3])) == 100", "accepted"),  # it exists, and its value does not matter
    ("0*E(relu(u[1] + u[2] + u[3])/u[1]) == 100", "no-mean"),
    ("E(relu(u[1] + u[2] + u[3])) == 100", "outside"),
    ("E(D(norm(w), w)) == 100", "no-mean"),  # it exists, and nothing here says so
    ("E(1/(b[1]*exp(w[1]))) == 100", "undefined"),
    ("E(1/(1 + b[1]*exp(w[1]))) == 100", "accepted"),
    ("E(rmsnorm(w.T)) == 100*ones(1, n)", "no-mean"),  # it exists, and nothing here says so
    ("E(rmsnorm((0*w).T)) == 100*ones(1, n)", "undefined"),
    ("E(layernorm(w.T)) == 100*ones(1, n)", "no-mean"),  # it exists, and nothing here says so
    ("E(layernorm((w*0 + w[1]*ones(n)).T)) == 100*ones(1, n)", "undefined"),
    ("tanh(w[1]) == E(tanh(w[1]))", "not-allowed"),
    ("E(factorial(u[1])) == 100", "no-mean"),
]


@pytest.mark.parametrize(("says", "reason"), NONE)
def test_means_that_need_not_exist_or_are_beyond_the_rule(says: str, reason: str) -> None:
    assert outcome(stated(says, SYMBOLS), POINT) == reason


def test_an_assumption_about_a_draw_is_not_forgotten() -> None:
    """Under an assumption about its values a draw has another law than the declared one."""
    symbols = {"g": "normal(1)"}
    assert outcome(stated("E(tanh(g)) == 1", symbols, ("g >= 0",)), {"g": 1}) != "accepted"


def test_a_law_without_spread_is_a_number() -> None:
    symbols = {"g": "normal(1, mean=2, std=0)", "u": "uniform(1, 1, 3, 3)"}
    assert outcome(stated("E(sqrt(g*u)) == sqrt(6)", symbols), {}) == "not-false"
    assert outcome(stated("E(sqrt(g*u)) == sqrt(6) + 1/10**9", symbols), {}) == "accepted"
    assert outcome(stated("E(D(relu(g - 2), g)) == 5", symbols), {}) != "accepted"


def test_values_far_out_are_counted() -> None:
    """A rare event is not lost beyond where the integral ends."""
    symbols: dict[str, Any] = {"g": "normal(1)"}
    assert outcome(stated("E(10**30*relu(g - 10)) <= 100", symbols), {}) == "accepted"
    assert outcome(stated("E((g/4)**60*abs(g)) <= 1000", symbols), {}) == "accepted"
    assert outcome(stated("E(exp(15*abs(g))) <= exp(112)", symbols), {}) == "accepted"
    assert outcome(stated("E(exp(15*abs(g))) <= 2*exp(112 + 1/2)", symbols), {}) == "not-false"
