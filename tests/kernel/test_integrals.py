"""Means of functions of normal numbers, which the kernel integrates; beside them false ones, and functions
without a mean."""

import pytest

from tests.kernel.helpers import stated
from verifier.kernel.check import check
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected

SYMBOLS = {
    "n": "dimension", "m": "dimension", "s": "positive", "c": "positive", "t": "real", "mu": "real",
    "x": "vector(n)", "g": "normal()", "h": "normal(std=s)", "k": "normal(mean=mu, std=s)",
    "w": "normal(n, std=s)", "W": "normal(m, n, std=s)", "U": "normal(n, m, std=s)", "e": "rademacher(n)",
}  # fmt: skip

TRUE = [
    "E(abs(g)) == sqrt(2/pi)",
    "E(relu(g)**2) == 1/2",
    "E(relu(h)) == s/sqrt(2*pi)",
    "E(abs(h)**3) == 2*s**3*sqrt(2/pi)",
    "E(relu(k)) == mu*Phi(mu/s) + s*phi(mu/s)",
    "E(max(g, t)) == t*Phi(t) + phi(t)",
    "E(exp(t*g)) == exp(t**2/2)",
    "E(g*exp(t*g)) == t*exp(t**2/2)",
    "E(relu(g)*exp(g)) == exp(1/2)*(Phi(1) + phi(1))",
    "Var(exp(g)) == exp(2) - exp(1)",
    "E(exp(-h**2/2)) == 1/sqrt(1 + s**2)",
    "E(exp(x.T @ w)*g**2) == exp(s**2*norm(x)**2/2)",
    "E(gelu(g)) == 1/(2*sqrt(pi))",
    "E(gelu(g)**2) == 1/3 + 1/(2*sqrt(3)*pi)",
    "E(D(gelu(g), g)**2) == 1/3 + 2/(3*sqrt(3)*pi)",
    "E(Phi(g)**4) == 1/5",
    "E(Phi(t*g + c)) == Phi(c/sqrt(1 + t**2))",
    "E(sigmoid(h)) == 1/2",
    "E(tanh(h)) == 0",
    "P(g > 0) == 1/2",
    "P(abs(h) <= c) == 2*Phi(c/s) - 1",
    "P(k <= t) == Phi((t - mu)/s)",
    "D(P(h <= t), t) == phi(t/s)/s",
    "D(D(E(relu(g + t)), t), t) == phi(t)",
    "D(E(indicator(g <= t)*g), t) == t*phi(t)",
    "E((relu(h + c) - relu(h - c) - c)**2) == 2*c**2*Phi(-c/s) + s**2*(2*Phi(c/s) - 1) - 2*c*s*phi(c/s)",
    "E(norm(w, 1)) == n*s*sqrt(2/pi)",
    "E(norm(relu(W @ x))**2) == m*s**2*norm(x)**2/2",
    "E(norm(U @ relu(W @ x))**2) == n*m*s**4*norm(x)**2/2",
    "E(norm(D(relu(W @ x), x))**2) == m*n*s**2/2",
]

FALSE = [
    "E(abs(g)) == sqrt(1/pi)",
    "E(relu(g)**2) == 1",
    "E(g*relu(g)) == 0",
    "E(g**3*relu(g)) == 0",
    "E(relu(t*g)) == t/sqrt(2*pi)",
    "E(abs(t*g)) == t*sqrt(2/pi)",
    "E(max(g, t)) == t*Phi(t) - phi(t)",
    "E(exp(t*g)) == exp(t**2)",
    "E(exp(t*k)) == exp(t**2*s**2/2)",
    "Var(exp(g)) == exp(2)",
    "E(exp(x.T @ w)) == exp(s*norm(x)**2/2)",
    "E(gelu(g)**2) == 1/3 + 1/(sqrt(3)*pi)",
    "E(Phi(g)**4) == 1/6",
    "E(sigmoid(k)) == 1/2",
    "E(sigmoid(h)**2) == 1/4",
    "E(tanh(k)) == 0",
    "P(g > 0) == 1/3",
    "P(g >= 0) == 0",
    "P(e[1] >= 1) == 0",
    "P(e[1] > 0) == 0",
    "P(abs(h) <= c) == Phi(c/s)",
    "D(P(h <= t), t) == phi(t/s)",
    "E(norm(w, 1)) == n*s/sqrt(pi)",
    "E(norm(relu(W @ x))**2) == m*s**2*norm(x)**2",
    "E(norm(relu(W @ x))**4) == m*(m + 2)*s**4*norm(x)**4/4",
]

WITHOUT_A_MEAN = [
    "E(exp(g**2)) == 1",
    "E(exp(g**2/2)) == 1",
    "E(exp(t*g**2)) == E(exp(t*g**2))",
    "E(exp(g**3)) == E(exp(g**3))",
    "E(exp(g*h)) == E(exp(g*h))",
    "E(e[1]*exp(g**2)) == 0",
    "E(e[1]*exp(t*g**2)) == 0",
    "E(e[1]/Phi(g)) == 0",
    "E(g*exp(g**4)) == 0",
    "E(h*exp(norm(w)**2)) == 0",
]


def outcome(says: str, under: tuple[str, ...] = ()) -> str:
    context, fact = stated(says, SYMBOLS, under)
    goal = Holds(fact)
    try:
        check(context, Proof("contract", goal), goal)
    except Rejected as rejected:
        return rejected.reason
    return "accepted"


@pytest.mark.parametrize("says", TRUE)
def test_a_mean_is_integrated(says: str) -> None:
    assert outcome(says) == "accepted"


@pytest.mark.parametrize("says", FALSE)
def test_another_number_is_not_its_value(says: str) -> None:
    assert outcome(says) in ("differs", "outside")


@pytest.mark.parametrize("says", WITHOUT_A_MEAN)
def test_what_may_have_no_mean_is_not_integrated(says: str) -> None:
    assert outcome(says) == "no-mean"


def test_an_assumption_about_the_draw_changes_its_law() -> None:
    assert outcome("E(abs(g)) == sqrt(2/pi)", ("g >= 1",)) == "condition"


def test_an_assumed_independence_is_not_the_law() -> None:
    assert outcome("E(g*exp(g)) == exp(1/2)", ("independent(g, exp(g))",)) != "accepted"


BOUNDED = {
    **SYMBOLS, "v": "uniform(0, 1)", "u": "uniform(0, 1)", "q": "uniform(-1, 1)", "d": "uniform(0, 2)",
    "r": "rademacher()", "b": "bernoulli(n, 3/4)", "V": "uniform(m, n, -c, c)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("E(max(v, u)) == 2/3", "E(max(v, u)) == 3/4"),
        ("Var(max(v, u)) == 1/18", "Var(max(v, u)) == 1/12"),
        ("E(max(v, q)) == 7/12", "E(max(v, d)) == 7/12"),
        ("E(relu(v - u)**2) == 1/12", "E(relu(v - u)**2) == 1/6"),
        ("P(v + u <= 1) == 1/2", "P(v + d <= 1) == 1/2"),
        ("P(v <= u**2) == 1/3", "P(v <= 2*u) == 1"),
        ("E(exp(t*r)) == (exp(t) + exp(-t))/2", "E(exp(t*r)) == exp(t)"),
        ("E(exp(t*r*g)) == exp(t**2/2)", "E(exp(t*r*g)) == exp(t**2)"),
        ("E(relu(e[1] + e[2])) == 1/2", "E(relu(e[1] + e[1])) == 1/2"),
        ("E(log(1 + b[1])) == 3/4*log(2)", "E(log(1 + b[1])) == log(2)"),
        ("E(g/(2 + r)) == 0", "E(g**2/(2 + r)) == 1/2"),
        ("P(r >= 1) == 1/2", "P(r > 1) == 1/2"),
        ("E(norm(relu(V @ x))**2) == m*c**2*norm(x)**2/6", "E(norm(relu(V @ x))**2) == m*c**2*norm(x)**2/3"),
        ("E(log(exp(k)*c)) == mu + log(c)", "E(log(exp(k)*t)) == mu + log(c)"),
        ("log(c**2*s) == 2*log(c) + log(s)", "log(t**2) == 2*log(t)"),
    ],
)
def test_bounded_draws_and_logarithms(true: str, false: str) -> None:
    def found(says: str) -> str:
        context, fact = stated(says, BOUNDED)
        try:
            check(context, Proof("contract", Holds(fact)), Holds(fact))
        except Rejected as rejected:
            return rejected.reason
        return "accepted"

    assert found(true) == "accepted"
    assert found(false) != "accepted"


def test_an_outcome_without_a_value_has_no_mean() -> None:
    context, fact = stated("E(1/(1 + r)) == E(1/(1 + r))", BOUNDED)
    with pytest.raises(Rejected):
        check(context, Proof("contract", Holds(fact)), Holds(fact))
