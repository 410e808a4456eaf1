"""Corrections parse back, are true, and speak in the author's terms."""

import pytest

from tests.prove.specs import judged

SYMBOLS = """
n: dimension
d: dimension
k: dimension
sigma: positive
X: matrix(n, d)
W: normal(d, k, std=sigma)
"""
LET = "xbar: X.T @ ones(n) / n"

WRONG = [
    ("E(norm(X @ W)**2)", "sigma**2 * norm(X)**2", "norm(X)**2"),
    ("E(norm(X @ W)**4)", "k**2 * sigma**4 * norm(X)**4", "norm(X"),
    ("norm(X.T @ ones(n))**2", "n * norm(xbar)**2", "xbar"),
    ("norm(X)**2 + 3 * n * norm(xbar)**2", "norm(X)**2 + n * norm(xbar)**2", "xbar"),
    ("E(W @ W.T)", "sigma**2 * eye(d)", "eye(d)"),
    ("E(tr(W.T @ W @ W.T @ W))", "d * k * sigma**4", "sigma"),
    ("1 / (n + 1) - 1 / (n + 2)", "1 / n", "n"),
    ("norm(X)", "norm(X)**2", "norm(X)"),
]


@pytest.mark.parametrize(("left", "right", "term"), WRONG)
def test_corrections_are_true(left: str, right: str, term: str) -> None:
    found = judged(f"{left} == {right}", SYMBOLS, LET)
    assert found.truth == "false"
    assert found.corrected is not None
    assert term in found.corrected
    assert judged(f"{left} == {found.corrected}", SYMBOLS, LET).truth == "true", found.corrected


def test_a_missing_factor_is_put_into_the_authors_own_expression() -> None:
    found = judged("E(norm(X @ W)**2) == sigma**2 * n * norm(xbar)**2 + sigma**2 * norm(X)**2", SYMBOLS, LET)
    assert found.corrected == "k*sigma**2*norm(X)**2"


PLAIN = {
    "E(matpow(Q - Q.T, 2)) == 2*(d - 1)*eye(d)": "-2*(d - 1)*eye(d)",
    "D(D(norm(X @ v)**2/2, v).T, v) == 2*X.T @ X": "X.T @ X",
    "D(1/norm(v)**2, v) == -v.T/norm(v)**4": "-2*v.T/norm(v)**4",
    "E(norm(R - ones(n, n) @ R/n)**2) == n*d*(1 - rho)": "(1 - rho)*d*(n - 1)",
    "D(softmax(v.T/t).T, v) == diag(softmax(v.T/t).T) - softmax(v.T/t).T @ softmax(v.T/t)": None,
}


@pytest.mark.parametrize(("says", "corrected"), PLAIN.items())
def test_signs_and_numbers_stand_where_a_person_puts_them(says: str, corrected: str | None) -> None:
    more = "v: vector(d)\nt: positive\nrho: interval(0, 1)\nQ: normal(d, d)\nR: normal(n, d, row_corr=rho)"
    found = judged(says, f"{SYMBOLS}{more}")
    assert found.truth == "false"
    assert found.corrected is not None
    assert "+ -" not in found.corrected
    assert corrected is None or found.corrected == corrected


PAIRS = {
    "D(X @ v, X) == kron(2*eye(n), v.T)": "kron(",
    "D(X.T, X) == 2*commutation(d, n)": "commutation(d, n)",
    "D(tr(Q @ Q), Q) == vec_r(Q).T": "2*vec_r(Q.T).T",
    "D(Q.T @ Q, Q) == kron(Q, eye(d))": "kron(Q.T, eye(d)) + kron(eye(d), Q.T) @ commutation(d, d)",
    "E(kron(W, W)) == zeros(d*d, k*k)": "sigma**2*(vec_r(eye(d)) @ vec_r(eye(k)).T)",
    "E(vec_r(W) @ vec_r(W).T) == eye(d*k)": "sigma**2*eye(",
    "D(softmax(v.T).T, v) == diag(softmax(v.T).T)": "diag(softmax(v.T).T) - softmax(v.T).T @ softmax(v.T)",
    "D(tanh(X), X) == zeros(n*d, n*d)": "diag(vec_r(tanh(X)**2))",
    "X*X*X == X": "X**3",
}


@pytest.mark.parametrize(("says", "part"), PAIRS.items())
def test_jacobians_and_kronecker_products(says: str, part: str) -> None:
    symbols = f"{SYMBOLS}v: vector(d)\nQ: matrix(d, d)"
    found = judged(says, symbols)
    assert found.truth == "false"
    assert found.corrected is not None
    assert part in found.corrected
    left = says.partition("==")[0]
    assert judged(f"{left} == {found.corrected}", symbols).truth == "true", found.corrected
