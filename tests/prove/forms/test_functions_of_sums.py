"""Equal functions have one form: exponentials of halves, logistic functions, roots of products."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
d: dimension
s: positive
mu: real
x: vector(d)
y: vector(d)
w: normal(d, std=1)
h: normal(std=s)
k: normal(mean=mu, std=s)
"""
CLAIMS = {
    "Var(exp(k)) == (exp(s**2) - 1)*exp(2*mu + s**2)": "Var(exp(k)) == (exp(s**2) - 1)*exp(mu + s**2)",
    "E(exp(2*w.T @ x)) == E(exp(w.T @ x))**4": "E(exp(2*w.T @ x)) == E(exp(w.T @ x))**2",
    "E(relu(k)) == mu*Phi(mu/s) + s*phi(mu/s)": "E(relu(k)) == mu*Phi(mu/s) + phi(mu/s)",
    "E(log(1 + exp(2*h))) == E(softplus(-2*h))": "E(log(1 + exp(h))) == log(2)",
    "E(1/(1 + exp(-h))**2) == E(sigmoid(h)**2)": "E(1/(1 + exp(-h))**2) == 1/4",
    "E(norm(w, 1)) == d*sqrt(2/pi)": "E(norm(w, 1)) == d",
    "E(erf(w.T @ x)*erf(w.T @ y)) == 2/pi*asin(2*inner(x, y)/sqrt((1 + 2*norm(x)**2)*(1 + 2*norm(y)**2)))": (
        "E(erf(w.T @ x)*erf(w.T @ y)) == 2/pi*asin(2*inner(x, y)/((1 + 2*norm(x)**2)*(1 + 2*norm(y)**2)))"
    ),
}


@pytest.mark.parametrize(("says", "sibling"), CLAIMS.items())
def test_claims(says: str, sibling: str) -> None:
    found = judged(says, SYMBOLS)
    assert found.truth == "true", found
    assert judged(sibling, SYMBOLS).truth == "false"


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("P(abs(g) <= 1) <= 7/10", "false"),
        ("P(abs(g) <= 1) >= 7/10", "true"),
        ("E(g**2)*log(4) <= 3/2", "false"),
        ("E(g**2)*exp(4) >= 50", "false"),
        ("E(g**2)*tanh(9) <= 1", "false"),
    ],
)
def test_the_value_of_a_function_at_a_square(says: str, truth: str) -> None:
    """A function of a square number is no root of it."""
    assert judged(says, "g: normal()").truth != truth
