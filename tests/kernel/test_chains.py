"""Matrices of which the form shows that they are positive semidefinite, traces whose factors go round, and
spectral norms: what follows, and what looks like it."""

import pytest

from verifier.evidence import Finding
from verifier.kernel.check import TRUST
from verifier.kernel.normal.chains import Chains, product
from verifier.kernel.normal.sign import Signs
from verifier.proofs.propose import propose
from verifier.proofs.statement import context_of
from verifier.read.specs.load import load_text

SPEC = """
theorem: kernel/chains
symbols:
  n: dimension
  m: dimension
  a: positive
  c: real
  x: vector(n)
  y: vector(n)
  z: vector(m)
  A: matrix(n, m)
  B: matrix(m, n)
  C: matrix(n, n)
  F: matrix(n, n)
  S: symmetric(n)
  T: symmetric(n)
  P: psd(n)
  H: psd(n)
  Q: orthogonal(n)
  R: stochastic(n, n)
  p: simplex(n)
  q: simplex(n)
claims:
  says: {says: "%s"}
"""

TRUE = (
    "tr(P @ S @ P @ S) >= 0", "tr(A.T @ P @ A) >= 0", "tr(a*P @ H) >= 0", "x.T @ (P + H) @ x >= x.T @ P @ x",
    "x.T @ (P * H) @ x >= 0", "tr(diag(p) @ P) >= 0", "x.T @ (diag(p) - p @ p.T) @ x >= 0",
    "x.T @ (eye(n) - ones(n, n)/n) @ x >= 0", "tr(C @ C.T @ F @ F.T) >= 0",
    "tr(P @ H) <= tr(P)*norm(H, 2)", "tr(A.T @ P @ A) <= norm(P, 2)*norm(A)**2",
    "x.T @ P @ x <= norm(P, 2)*norm(x)**2", "(x.T @ P @ y)**2 <= (x.T @ P @ x)*(y.T @ P @ y)",
    "norm(P @ x)**2 <= norm(P, 2)*(x.T @ P @ x)", "norm(diag(p) - p @ p.T, 2) <= 1",
    "abs(x.T @ A @ z) <= norm(A, 2)*norm(x)*norm(z)", "norm(A @ A.T, 2) == norm(A, 2)**2",
    "norm(S @ S, 2) == norm(S, 2)**2", "norm(A, 2)**2 <= norm(A.T @ A)",
    "norm(x @ y.T, 2) == norm(x)*norm(y)",
    "norm(Q @ A, 2) == norm(A, 2)", "norm(Q, 2) == 1", "norm(eye(n), 2) == 1",
    "norm(ones(n, m), 2) == sqrt(n*m)",
    "norm(A.T, 2) == norm(A, 2)", "norm(a*P, 2) == a*norm(P, 2)", "norm(C[1]) <= norm(C)",
    "norm(matpow(C, 3), 2) <= norm(C, 2)**3", "norm(R @ x, oo) <= norm(x, oo)", "norm(p, 1) == 1",
)  # fmt: skip
FALSE = (
    "norm((2*C) @ C.T, 2) == norm(2*C, 2)**2", "norm((2*C) @ C.T, 2) == norm(C, 2)**2",
    "norm((-C) @ C.T) == -norm(C)**2", "tr((-P) @ H) >= 0",
    "tr(P @ S) >= 0", "tr(P @ H @ P @ S) >= 0", "tr(P @ H @ S) >= 0", "tr(S @ T @ S @ T) >= 0",
    "x.T @ S @ x >= 0", "x.T @ P @ y >= 0", "x.T @ P @ H @ x >= 0", "tr(A @ B) >= 0", "tr(C @ S @ C) >= 0",
    "x.T @ (c*P) @ x >= 0", "x.T @ (P - H) @ x >= 0", "x.T @ (P * S) @ x >= 0", "tr(diag(x) @ P) >= 0",
    "tr(diag(x) @ P @ diag(y) @ P) >= 0", "tr(C @ C.T @ F @ F) >= 0", "inner(P @ x, H @ x) >= 0",
    "x.T @ (diag(p) - q @ q.T) @ x >= 0", "x.T @ (diag(p) - p @ p.T) @ y >= 0",
    "x.T @ (diag(x) - x @ x.T) @ x >= 0", "x.T @ (eye(n) - ones(n, n)) @ x >= 0",
    "x.T @ (eye(n) - ones(n, n)/m) @ x >= 0", "x.T @ (eye(n) - x @ x.T) @ x >= 0",
    "tr(C @ F) <= tr(C)*norm(F, 2)", "tr(P @ C) <= norm(P, 2)*norm(C, 2)", "norm(S, 2) <= tr(S)",
    "x.T @ P @ x <= norm(P, 2)*norm(x)", "(x.T @ S @ y)**2 <= (x.T @ S @ x)*(y.T @ S @ y)",
    "norm(P @ x)**2 <= x.T @ P @ x", "norm(C @ x)**2 <= norm(C, 2)*(x.T @ C @ x)",
    "norm(A @ B, 2) == norm(A, 2)*norm(B, 2)", "norm(C @ C, 2) == norm(C, 2)**2",
    "norm(C @ F.T, 2) == norm(C, 2)**2", "norm(x @ y.T, 2) == inner(x, y)", "norm(Q @ A, 2) == norm(Q, 2)",
    "norm(A.T @ A, 2) == norm(A)**2", "norm(ones(n, m), 2) == 1", "norm(eye(n)) == 1",
    "norm(C[1], 1) <= norm(C)", "norm(matpow(C, 2)) == norm(C)**2", "norm(R @ x) <= norm(x)",
    "norm(R.T @ x, oo) <= norm(x, oo)", "norm(R @ x, 1) <= norm(x, 1)", "norm(x, 1) == sum(x[i], i, 1, n)",
    "x.T @ (S + 1) @ x >= x.T @ S @ x + norm(x)**2",  # the number is added to every entry
)  # fmt: skip


def is_proved(says: str) -> bool:
    (claim,) = load_text(SPEC % says).claims
    return TRUST not in propose(claim, claim.steps[0], Finding("test", "true", "proved")).rules


@pytest.mark.parametrize("says", TRUE)
def test_what_the_form_of_a_matrix_shows(says: str) -> None:
    assert is_proved(says)


@pytest.mark.parametrize("says", FALSE)
def test_what_it_does_not_show(says: str) -> None:
    assert not is_proved(says)


def test_one_trace_written_in_many_ways() -> None:
    (claim,) = load_text(
        SPEC % "inner(x, P @ y) + tr(y @ x.T @ P) + y.T @ P @ x == tr(A @ B) + tr(B @ A)"
    ).claims
    chains = Chains(context_of(claim), Signs(context_of(claim)).of)
    left, right = claim.steps[0].fact.left, claim.steps[0].fact.right
    forms = [chains.expanded(node) for node in (left.left.left, left.left.right, left.right)]
    assert len({str(form) for form in forms if form}) == 1
    assert chains.expanded(right.left) or chains.expanded(right.right)
    assert product(chains.of(right.left.arg).parts) == right.left.arg
