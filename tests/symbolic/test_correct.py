"""Corrections parse back, are true, and speak in the author's terms."""

import pytest

from tests.symbolic.specs import judged

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
