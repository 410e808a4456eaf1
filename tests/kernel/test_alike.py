"""Places of which none is before another, and the diagonal: each truth has false siblings."""

import pytest

from tests.kernel.test_given_and_assumed import judged

SYMBOLS = {
    "n": "dimension", "m": "dimension", "s": "positive", "x": "vector(n)", "b": "vector(m)", "i": "index(n)",
    "j": "index(n)", "g": "normal(n)", "w": "normal(n, std=s)", "h": "normal()", "V": "normal(m, n, std=s)",
    "K": "matrix(n, n)", "c": "normal(n, cov=K)", "q": "iid(n, mean=0, var=1)", "o": "bernoulli(1, 1/2)",
    "M": "normal(n, mean=x)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("E(softmax(g.T)) == ones(1, n)/n", "accepted"),
        ("E(softmax(V)) == ones(m, n)/n", "accepted"),
        ("E(softmax(V)) == ones(m, n)/m", "differs"),
        ("E(softmax(V.T)) == ones(n, m)/m", "accepted"),
        ("E(tr(softmax(b @ g.T) @ ones(n, m))) == m", "accepted"),
        ("E(softmax(x.T + g.T)) == ones(1, n)/n", "differs"),
        ("E(softmax(M.T)) == ones(1, n)/n", "differs"),  # the means are not alike
        ("E(softmax(c.T)) == ones(1, n)/n", "differs"),  # nor are the variances
        ("E(softmax(g.T)[1, i]*g[i]) == E(softmax(g.T)[1, 1]*g[1])", "accepted"),
        ("E(softmax(g.T)[1, i]*g[j]) == E(softmax(g.T)[1, 1]*g[1])", "differs"),
        ("E(softmax(g.T)[1, i]*x[i]) == E(softmax(g.T)[1, 1])*x[i]", "accepted"),
        ("E(softmax(g.T)[1, i]*x[i]) == E(softmax(g.T)[1, 1])*x[1]", "differs"),
        ("E(g[i]**2/(1 + norm(g)**2)) == E(norm(g)**2/(1 + norm(g)**2))/n", "accepted"),
        ("E(g[i]**2/(1 + norm(g)**2)) == E(norm(g)**2/(1 + norm(g)**2))", "differs"),
        ("E(w[i]*tanh(sum(w[k]*x[k], k, 1, n))) == E(w[1]*tanh(sum(w[k]*x[k], k, 1, n)))", "differs"),
        ("E(tanh(g[i] + w[i])**2) == E(tanh(g[j] + w[j])**2)", "accepted"),
        ("E(tanh(g[i] + w[j])**2) == E(tanh(g[j] + w[j])**2)", "accepted"),
        ("E(tanh(w[i] + w[j])**2) == E(tanh(w[1] + w[2])**2)", "differs"),
    ],
)
def test_places_that_are_alike(says: str, outcome: str) -> None:
    assert judged(says, SYMBOLS) == outcome


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        # What has a density is 0 with no chance, if something that is not 0 stands beside it.
        ("E(D(relu(inner(w, g)), g[1])*w[1]) == E(D(relu(inner(g, w)), g[1])*w[1])", "accepted"),
        ("E(0/(h*g[1] + s*relu(w[1])*g[2] + w[1])) == 0", "accepted"),
        ("E(0/(h*relu(w[1]) + relu(-w[1]))) == 0", "no-mean"),
        ("E(0/(h*relu(w[1]))) == 0", "no-mean"),
        ("E(0/(h*g[1]*o)) == 0", "no-mean"),
        ("E(0/sum(o*g[k], k, 1, n)) == 0", "no-mean"),
    ],
)
def test_what_is_surely_not_zero(says: str, outcome: str) -> None:
    assert judged(says, SYMBOLS) == outcome


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        ("norm(softmax(s*eye(n)))**2 == n*(exp(2*s) + n - 1)/(exp(s) + n - 1)**2", "accepted"),
        ("norm(softmax(s*eye(n)))**2 == n*(exp(2*s) + n)/(exp(s) + n - 1)**2", "differs"),
        ("tr(softmax(s*eye(n))) == n*exp(s)/(exp(s) + n - 1)", "accepted"),
        ("tr(softmax(s*eye(n))) == exp(s)/(exp(s) + n - 1)", "differs"),
        ("ones(n).T @ tanh(eye(n) + ones(n, n)) @ ones(n) == n*tanh(2) + n*(n - 1)*tanh(1)", "accepted"),
        ("ones(n).T @ tanh(eye(n) + ones(n, n)) @ ones(n) == n*tanh(2) + n*n*tanh(1)", "differs"),
        ("norm(sqrt(s*eye(n)))**2 == n*s", "accepted"),
        ("ones(n).T @ (1/eye(n)) @ ones(n) == n", "undefined"),  # no value beside the diagonal
    ],
)
def test_functions_of_what_is_different_on_the_diagonal(says: str, outcome: str) -> None:
    assert judged(says, SYMBOLS) == outcome
