"""The oracle itself, on values known from textbooks and worked out by hand."""

from fractions import Fraction

import pytest

from tests.mutants.oracle import Oracle
from tests.mutants.polynomials import Poly, Unsupported
from verifier import load_text
from verifier.claim.model import Claim

SPEC = """
theorem: oracle/values
symbols:
  n: dimension
  m: dimension
  x: vector(n)
  A: matrix(n, m)
  W: normal(n, m, std=2)
  G: normal(n, m, row_corr=9/25)
  R: rademacher(n, m)
  U: uniform(n, m, 0, 3)
let:
  S: softmax(A @ W.T)
assumptions:
  uniform: S == ones(n, n)/n
claims:
  c: {{says: "{}"}}
"""
POINT = {
    "n": 2,
    "m": 3,
    "x": ((Fraction(3),), (Fraction(4),)),
    "A": ((Fraction(1), Fraction(0), Fraction(2)), (Fraction(-1), Fraction(1), Fraction(0))),
}


def claim_of(text: str) -> Claim:
    (claim,) = load_text(SPEC.format(text), "oracle.yaml").claims
    return claim


TRUE = [
    "norm(x) == 5",
    "E(norm(W)**2) == 4*n*m",
    "E(norm(W)**4) == 16*n*m*(n*m + 2)",
    "E(tr(matpow(W.T @ W, 2))) == 16*n*m*(n + m + 1)",
    "E(norm(G.T @ ones(n))**2) == m*n*(1 + (n - 1)*9/25)",
    "E(norm(R)**4) == (n*m)**2",
    "Var(U[1, 2]) == 9/12",
    "E(norm(W @ A.T)**2) == 4*n*norm(A)**2",
    "norm(D(A.T @ A, A))**2 == 2*m*norm(A)**2 + 2*norm(A)**2",
    "sum(A[i, j], i, 1, n, j, 1, m, i != j) == 1",
    "E(norm(D(S, A))**2) == 4*n*m*(1 - 1/n)/n",
]
FALSE = [
    "log(norm(x)) <= 1",
    "norm(x) == 4",
    "E(norm(W)**2) == 2*n*m",
    "E(norm(W)**4) == 16*(n*m)**2",
    "E(tr(matpow(W.T @ W, 2))) == 16*n*m*(n + m)",
    "E(norm(G.T @ ones(n))**2) == m*n*(1 + n*9/25)",
    "Var(U[1, 2]) == 9/4",
    "norm(D(A.T @ A, A))**2 == 2*m*norm(A)**2",
    "x[1] > x[2]",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_is_found_true(text: str) -> None:
    claim = claim_of(text)
    assert Oracle(claim, POINT).says(claim.steps[0].fact) is True


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_is_found_false(text: str) -> None:
    claim = claim_of(text)
    assert Oracle(claim, POINT).says(claim.steps[0].fact) is False


def test_a_root_of_a_random_number_is_beyond_it() -> None:
    claim = claim_of("E(norm(W)) <= 2*sqrt(n*m)")
    with pytest.raises(Unsupported):
        Oracle(claim, POINT).says(claim.steps[0].fact)


def test_directions_are_linear() -> None:
    a, b = (Poly.variable(("d", 0, 0, k)) for k in (0, 1))
    assert not (a * b).terms
    assert not (a * a).terms
    assert (a + b).along(("d", 0, 0, 1)).value == 1
