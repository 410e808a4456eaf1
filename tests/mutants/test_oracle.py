"""The oracle itself, on values known from textbooks and worked out by hand."""

from fractions import Fraction
from random import Random

import pytest

from tests.mutants.matrices import cholesky
from tests.mutants.oracle import Oracle
from tests.mutants.places import places, told
from tests.mutants.polynomials import Poly, Undefined, Unsupported
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
  I: iid(n, m, mean=0, var=1)
  g: normal(1)
  h: normal(1)
let:
  S: softmax(A @ W.T)
  T: A
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
    # no polynomials: sums over few values
    "E(relu(g)**2) == 1/2",
    "E(exp(g)) == exp(1/2)",
    "E(abs(g)) == sqrt(2/pi)",
    "E(relu(g)) + h**2 - E(relu(g)) == h**2",
    # derivatives of functions, of second order too, by an entry, and by a name
    "D(exp(x[1])*x[1], x[1]) == exp(x[1])*(1 + x[1])",
    "D(D(x[1]**3*A[1, 3], x[1]), A[1, 3]) == 3*x[1]**2",
    "D(T @ T.T, T) == D(A @ A.T, A)",
    "norm(D(softmax(x.T), x))**2 <= 1/2",
    "softmax((10*x - 138*ones(n)).T) == softmax((10*x).T)",
    # norms, special matrices, sums of nothing
    "norm(A, 2) <= norm(A)",
    "norm(x, 1) == 7",
    "norm(x, oo) == 4",
    "commutation(n, m) @ vec_r(A.T) == vec_r(A)",
    "sum(x[i], i, 3, n) == 0",
    "prod(x[i], i, 1, n) == 12",
    "esum(x[i], i, 1, n, 2) == 12",
    "hafnian(ones(4, 4)) == 3",
    "norm(rmsnorm(x.T))**2 == n",
    # of which only moments are known, signs and draws outside of expectations, what is given
    "E(norm(I)**2) == n*m",
    "R[1, 1]**2 == 1",
    "norm(W)**2 >= 0",
    "E(W[1, 1]*R[1, 1], given=W) == 0",
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
    "E(relu(g)**2) == 1",
    "E(relu(g)*g) == 1",
    "D(exp(x[1])*x[1], x[1]) == exp(x[1])",
    "softmax((10*x - 138*ones(n)).T) == softmax((9*x).T)",
    "norm(A, 2) >= norm(A)",
    "commutation(n, m) @ vec_r(A) == vec_r(A.T)",
    "sum(x[i], i, 3, n) == 1",
    "R[1, 1]**2 == R[1, 1]",
    "norm(W)**2 <= 0",
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
    # Of a sum in place of an integral nobody knows whether it is equal to the last digit.
    assert told(Oracle(claim, POINT), claim.steps[0].fact, Random(1)) is not False


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_is_found_false(text: str) -> None:
    claim = claim_of(text)
    assert told(Oracle(claim, POINT), claim.steps[0].fact, Random(1)) is False


LAYERS = """
theorem: oracle/layers
symbols: {{n: dimension, X: "matrix(n, n)"}}
layers:
  state: X
  depth: L
  symbols: {{W: "normal(n, n)"}}
  next: X + X @ W
claims:
  c: {{says: "{}"}}
"""


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("E(norm(after(X, L))**2) == (1 + n)**L*norm(X)**2", True),
        ("E(norm(after(X, L))**2) == (1 + n)**(L + 1)*norm(X)**2", False),
        ("E(norm(D(after(X, 2), W[1]))**2) == n**2*(1 + n)*norm(X)**2/n", True),
        ("E(norm(D(after(X, 2), W[1]))**2) == n**2*(1 + n)*norm(X)**2", False),
        ("E(after(X, 3)) == X", True),
    ],
)
def test_layers_one_after_the_other(text: str, truth: bool) -> None:
    (claim,) = load_text(LAYERS.format(text), "oracle.yaml").claims
    point = {"n": 2, "L": 2, "X": ((Fraction(1), Fraction(2)), (Fraction(0), Fraction(-1)))}
    assert Oracle(claim, point).says(claim.steps[0].fact) is truth


def test_an_integral_over_many_variables_is_beyond_it() -> None:
    claim = claim_of("E(norm(W)) <= 2*sqrt(n*m)")
    with pytest.raises(Unsupported):
        Oracle(claim, POINT).says(claim.steps[0].fact)


def test_directions_are_linear() -> None:
    a, b = (Poly.variable(("d", 0, 0, k)) for k in (0, 1))
    assert not (a * b).terms
    assert not (a * a).terms
    assert (a + b).along(("d", 0, 0, 1)).value == 1


def test_a_covariance_that_is_none_has_no_draws() -> None:
    assert cholesky([[Fraction(1), Fraction(-1)], [Fraction(-1), Fraction(1)]])[1][1] == 0
    for rho in (Fraction(-1), Fraction(-3, 5)):
        with pytest.raises(Undefined):
            cholesky([[Fraction(1) if i == j else rho for j in range(3)] for i in range(3)])


def test_what_an_assumption_gives_a_value_is_as_declared() -> None:
    """x + y == 1 leaves x < 1 where y is positive, and x >= 1/2 where y is at most 1/2."""
    spec = (
        "theorem: oracle/given\nsymbols: {{x: positive, y: {}}}\nassumptions: {{a: x + y == 1}}\n"
        "claims: {{c: {{says: x <= 1}}}}"
    )
    for kind, low, high in (("positive", 0, 1), ('"interval(0, 1/2)"', Fraction(1, 2), 1)):
        (claim,) = load_text(spec.format(kind)).claims
        found = [place.point["x"] for place in places(claim, Random(5), 6)]
        assert found
        assert all(low <= x <= high for x in found)
