"""Refutations that the kernel checks. Each has a true sibling, of which a lying finding shows nothing."""

import pytest

from tests.proofs.examples import claims
from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding
from verifier.kernel.check import check
from verifier.proofs.propose import propose
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data, to_data

SYMBOLS = """\
theorem: toy/refutations
symbols:
  m: dimension
  k: dimension
  n: dimension
  i: index(m)
  c: real
  x: real
  y: real
  a: positive
  X: matrix(m, k)
  A: matrix(m, m)
  w: vector(k)
  W: normal(m, k, std=1)
  V: normal(k, m, std=1)
  B: random(m, k)
  C: random(m, k, mean=0)
let:
  h: W @ w
assumptions:
  unit-rows: all(norm(X[j]) == 1, j, 1, m)
  symmetric: A == A.T
  idempotent: x == x**2
claims:
  statement: {says: "{says}", {as}under: [{under}]}
"""


def read(says: str, under: str = "", growing: str = "") -> Claim:
    arrows = f"as: [{', '.join(f'{name} -> oo' for name in growing.split())}], " if growing else ""
    text = SYMBOLS.replace("{says}", says).replace("{under}", under).replace("{as}", arrows)
    (claim,) = claims(text).values()
    return claim


def is_refuted(claim: Claim, values: dict[str, object]) -> bool:
    """Whether a refutation is found, once it has been written, read again and checked."""
    found = Counterexample(values, None, None)
    finding = Finding("symbolic", "false", "proved", "it is so", counterexample=found)
    step = claim.steps[0]
    proof = from_data(to_data(propose(claim, step, finding)), claim)
    return check(context_of(claim), proof, goal(step, False)).is_proof


Values = dict[str, object]
FALSE_AND_TRUE: list[tuple[str, str, str, str, Values]] = [
    # the statement, a true sibling, what is assumed, what grows, what an engine shows
    ("limit(norm(X)**2 + norm(X.T @ ones(m))**2/n, n, oo) == norm(X.T @ ones(m))**2",
     "limit(norm(X)**2 + norm(X.T @ ones(m))**2/n, n, oo) == norm(X)**2",
     "", "", {"m": 2, "k": 1, "X": [[1], [-1]]}),
    ("norm(X.T @ ones(m))**2*n <= O(1)", "norm(X.T @ ones(m))**2*n <= O(n)",
     "unit-rows", "n", {"m": 2, "k": 2, "X": [[1, 0], [0, 1]]}),
    ("n*norm(X)**2 <= O(m)", "n*norm(X)**2 <= O(m*n)", "unit-rows", "n", {"m": 2, "k": 1, "X": [[1], [1]]}),
    ("tr(A @ A) == tr(A)**2", "tr(A @ A) == norm(A)**2", "symmetric", "", {"m": 2, "A": [[1, 2], [2, 0]]}),
    ("sup(-(x - 1)**2, x) == a", "sup(-(x - 1)**2, x) == 0", "", "", {"a": 1, "x": 0}),
    ("inf((x - 1)**2 + a, x) >= 2*a", "inf((x - 1)**2 + a, x) >= a", "", "", {"a": 1, "x": 1}),
    ("sum(1/j**a, j, 1, oo) < oo", "sum(1/j**(1 + a), j, 1, oo) < oo", "", "", {"a": 1}),
    ("sum(1/2**j, j, 0, oo) == 1", "sum(1/2**j, j, 0, oo) == 2", "", "", {}),
    ("abs(y) <= O(y**2)", "y**2 <= O(1 + y**2)", "", "", {"y": [1, "1/2", "1/5", "1/10"]}),
    ("limit(x*ones(m, k)/n + X, n, oo) == 2*X", "limit(x*ones(m, k)/n + X, n, oo) == X",
     "", "", {"m": 1, "k": 1, "x": 1, "X": [[1]]}),
    ("E(norm(W @ w)) == 0", "E(norm(W @ (w - w))) == 0",
     "", "", {"m": 2, "k": 2, "w": [[1], [1]]}),
    ("E(c*C[1, 1]*B[1, 1] + B[1, 1]**2) == 0", "E(c*C[1, 1]*B[1, 1]) == 0",
     "", "", {"m": 1, "k": 1, "c": 0, "B": [[1]]}),
    ("x == 1", "x**3 == x", "idempotent", "", {"x": 0}),
    ("E(norm(V @ relu(h))**2, given=h) == m*norm(relu(h))**2",
     "E(norm(V @ relu(h))**2, given=h) == k*norm(relu(h))**2",
     "", "", {"m": 1, "k": 2, "w": [[1], [0]], "W": [[1, 0]]}),
]  # fmt: skip


@pytest.mark.parametrize(("false", "true", "under", "growing", "values"), FALSE_AND_TRUE)
def test_what_is_false_is_refuted_and_what_is_true_is_not(
    false: str, true: str, under: str, growing: str, values: Values
) -> None:
    assert is_refuted(read(false, under, growing), values)
    assert not is_refuted(read(true, under, growing), values)
