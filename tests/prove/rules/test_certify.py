"""Proofs from the rules: found where there is one, and never of what is false."""

import pytest

from tests.refute.claims import bound_of, claim_of
from verifier.prove.rules.bound_form import bounds_of
from verifier.prove.rules.certify import Proof, prove
from verifier.read.specs.load import load_text
from verifier.timer import worked

PROVED = [
    "abs(inner(x, y)) <= norm(x)*norm(y)",
    "inner(x, y) <= norm(x)*norm(y)",
    "norm(x)*norm(y) >= abs(inner(x, y))",
    "norm(C @ F)**2 <= norm(C)**2*norm(F)**2",
    "norm(A @ B @ C) <= norm(A, 2)*norm(B)*norm(C, 2)",
    "norm(A @ B - B @ A) <= 1.5*norm(A)*norm(B)",
    "norm(x + y)**2 <= 2*norm(x)**2 + 2*norm(y)**2",
    "norm(3*x - 2*y) <= 3*norm(x) + 2*norm(y)",
    "norm(C) <= sqrt(n*m)*norm(C, 2)",
    "x.T @ A @ x <= norm(A, 2)*norm(x)**2",
    "abs(tr(A @ B)) <= norm(A)*norm(B)",
    "tr(G) <= n*norm(G, 2)",  # of a psd matrix, whose trace is its own size
    "norm(kron(A, B)) <= norm(A)*norm(B)",
    "norm(Q @ x) <= norm(x)",
    "norm(softmax(A) @ x) <= sqrt(n)*norm(x)",
    "a*b <= a**2/2 + b**2/2",
    "a/b + b/a >= 2",
    "1 - 1/n <= 1",
    "abs(tanh(t)) <= 1",
    "E(norm(W)) <= sqrt(E(norm(W)**2))",
    "E(norm(W)) <= sqrt(n*m)",
    "E(norm(a*C.T @ W)**2) <= a**2*m*norm(C)**2",
    "E(norm(softmax(W))) <= sqrt(n)",
    "E(norm(W @ W.T)) <= n*m",
    "E(norm(W, 2)) <= sqrt(n*m)",
    "norm(D(rmsnorm(x.T), x).T @ y) <= sqrt(n)/norm(x)*norm(y)",
    "norm(D(softmax(x.T), x), 2) <= 1/2",
    "norm(p)**2 >= 1/n",
    "norm(softmax(x.T)) >= 1/sqrt(n)",
    "norm(C) <= sqrt(n + m)*norm(C, 2)",
    "norm(C, 2) <= sqrt(1 + 1/n)*norm(C)",
    "norm(x) <= sqrt(norm(x)**2 + norm(y)**2)",
    "E(norm(W)) <= sqrt(n*m + n)",
    "-norm(x) <= sqrt(1 + n)*norm(x)",
    "norm(S) >= sqrt(n/m)",
]

NOT_PROVED = [
    "tr(G) <= sqrt(n)*norm(G, 2)",
    "tr(G) <= norm(G)",
    "norm(D(x, x[1])) <= 1/2",
    "norm(D(a*C, C[1, 1])) <= a/2",
    "norm(D(x * E(norm(V)**2), a)) <= norm(x)",  # a is the deviation of V
    "norm(D(t + C, t)) <= 1",  # t is added to every entry
    "E(norm(W)) <= 0.99*sqrt(n*m)",
    "norm(C) <= sqrt(1 + 1/n)*norm(C, 2)",
    "norm(C, 2) <= sqrt(1 - 1/n)*norm(C)",
    "norm(x) <= -sqrt(1 + n)*norm(x)",
    "norm(x) <= t*sqrt(1 + n)*norm(x)",
    "E(norm(W)**2) <= sqrt(n*m + n)",
    "E(norm(W @ W.T)**2) <= n**2*m**2",
    "E(norm(W, 2)) <= sqrt(n)",
    "norm(D(rmsnorm(x.T), x).T @ y) <= norm(y)/norm(x)",
    "norm(p)**2 >= 1.01/n",
    "norm(S) >= 1.01*sqrt(n/m)",
    "abs(inner(x, y)) <= 0.999*norm(x)*norm(y)",
    "norm(C @ F) <= norm(C, 2)*norm(F, 2)",
    "norm(A @ B - B @ A) <= 1.414*norm(A)*norm(B)",
    "norm(x + y)**2 <= 1.99*norm(x)**2 + 2*norm(y)**2",
    "norm(x + y) <= norm(x) + norm(y)/2",
    "norm(C) <= norm(C, 2)",
    "a*b <= a**2/2 + b**2/3",
    "a/b + b/a >= 2.001",
    "norm(x) - norm(y) <= norm(x) - 2*norm(y)",
    "n**2*a <= n*a",
    "norm(A)*norm(B) <= norm(A @ B)",
    "norm(x) < norm(x) + norm(y)",
    "sqrt(E(norm(W)**2)) <= E(norm(W))",
    "t <= t**2",
]


def proof_of(says: str, assumptions: dict[str, str] | None = None) -> Proof | None:
    claim = claim_of(says, assumptions)
    return prove(claim, bound_of(claim), worked() + 2)


@pytest.mark.parametrize("says", PROVED)
def test_proved(says: str) -> None:
    proof = proof_of(says)
    assert proof is not None
    assert proof.steps


@pytest.mark.parametrize("says", NOT_PROVED)
def test_not_proved(says: str) -> None:
    assert proof_of(says) is None


def test_an_assumption_is_a_rule_too() -> None:
    proof = proof_of("norm(C @ v) <= norm(v)", {"contraction": "norm(C, 2) <= 1"})
    assert proof is not None
    assert "contraction" in proof.steps
    assert proof_of("norm(C @ v) <= norm(v)") is None


CHAIN = """
schema: 1
theorem: tests/chain
title: a chain rule
symbols: {{n: dimension, X: "matrix(n, n)", W: "matrix(n, n)", V: "matrix(n, n)"}}
let:
  Z: tanh(X @ W)
  Y: {body}
claims:
  chain:
    says: norm(D(Y, W)) <= norm(D(Y, Z))*norm(D(Z, W))
"""


@pytest.mark.parametrize(("body", "through"), [("Z @ V @ Z", True), ("Z @ W", False), ("Z + X @ W", False)])
def test_the_chain_rule_needs_all_to_pass_through_the_middle(body: str, through: bool) -> None:
    (claim,) = load_text(CHAIN.format(body=body)).claims
    (bound,) = bounds_of(claim.steps[0].fact)
    assert (prove(claim, bound, worked() + 2) is not None) == through
