"""Means that growth alone shows to be finite, and those about which it says nothing."""

import pytest

from verifier.expr.nodes import Relation
from verifier.prove.rules.finite_moments import is_finite
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/finite
symbols:
  {n: dimension, d: dimension, x: vector(d), X: "matrix(n, d)", s: positive,
   g: normal(), W: "normal(d, d)", u: "uniform(d, -1, 1)", r: "random(d, mean=0)"}
let: {A: softmax(X @ W @ X.T), H: relu(X @ W)}
assumptions: {uniform: "A == ones(n, n)/n"}
claims:
  c: {says: "E(%s) < oo", under: %s}
"""


def shown(body: str, under: str = "[]") -> bool:
    (claim,) = load_text(SPEC % (body, under), "finite.yaml").claims
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    return is_finite(claim, fact)


@pytest.mark.parametrize(
    "body",
    [
        "norm(W)**6",
        "norm(D(A @ X @ W, W))**2 * norm(D(H, X))**2",
        "norm(matpow(W, d))",
        "g**n / s",
        "sqrt(norm(W @ x))",
        "prod(u[i], i, 1, d) * exp(s)",
        "tr(A @ A.T) * abs(g)**(1/2)",
    ],
)
def test_polynomial_growth(body: str) -> None:
    assert shown(body)


@pytest.mark.parametrize(
    "body",
    [
        "exp(g**2)",  # infinite
        "1/g**2",  # infinite
        "g**(-2)",
        "abs(g)**(-1)",
        "norm(r)**2",  # any law
        "norm(D(sqrt(norm(W @ x)**2), W))",  # unbounded slopes
        "norm(D(D(H, X), X))",
        "log(abs(g))",
        "sqrt(g)",  # no value half of the time
        "g**(1/2)",
    ],
)
def test_nothing_is_said_of_the_rest(body: str) -> None:
    assert not shown(body)


def test_assumed_values_count() -> None:
    assert shown("norm(D(A @ X @ W, W))**2", "[uniform]")
