"""Expected squared gradient norms of a softmax attention layer, from text to a proved closed form.

    python benchmarks/gradients.py

The layer is Y = softmax(X Q K' X' / sqrt(k)) X V under an assumed uniform attention, X fixed and
arbitrary, the weights normal, all sizes symbolic. The closed forms of E norm(D(Y, .))**2 in Q, K, V and X
are derived; those in V, Q and K are checked against their formulas and all four against the exact
value at a small point, expanded entry by entry and moment by moment (not timed).
"""

import resource
from fractions import Fraction
from time import process_time

from verifier.claim.model import Claim
from verifier.evidence import Budget
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.expr.text import to_text
from verifier.prove.engine import examine
from verifier.prove.equal.closed_form import closed_form
from verifier.read.specs.load import load_text

SPEC = """
schema: 1
theorem: benchmarks/gradients
title: squared gradient norms
symbols:
  n: dimension
  d: dimension
  k: dimension
  s_q: positive
  s_k: positive
  s_v: positive
  X: matrix(n, d)
  Q: normal(d, k, std=s_q)
  K: normal(d, k, std=s_k)
  V: normal(d, d, std=s_v)
let:
  M: X @ Q @ K.T @ X.T / sqrt(k)
  P: softmax(M)
  Y: P @ X @ V
  C: X.T @ X - X.T @ ones(n, n) @ X / n
assumptions:
  uniform: P == ones(n, n) / n
claims:
  V: {says: "E(norm(D(Y, V))**2) == d / n * norm(X.T @ ones(n))**2"}
  Q: {says: "E(norm(D(Y, Q))**2) == s_v**2 * s_k**2 * d / n**2 * norm(X)**2 * norm(C)**2"}
  K: {says: "E(norm(D(Y, K))**2) == s_v**2 * s_q**2 * d / n**2 * norm(X)**2 * norm(C)**2"}
  X: {says: "E(norm(D(Y, X))**2) >= 0"}
"""
POINT = {"n": 2, "d": 1, "k": 2, "s_q": 1, "s_k": 2, "s_v": Fraction(1, 2), "X": [[1], [-3]]}


def main() -> None:
    claims = load_text(SPEC).claims
    total = 0.0
    for claim in claims:
        start = process_time()
        node = closed_form(claim, claim.steps[0].fact.left)  # type: ignore[union-attr]
        took = process_time() - start
        total += took
        assert node is not None
        _check(claim, node)
        print(f"{claim.id.rpartition('#')[2]}  {took:6.3f} s  {to_text(node)}")
    start = process_time()
    findings = [examine(claim, claim.steps[0], Budget()) for claim in claims[:3]]
    judged = process_time() - start
    assert all(found.truth == "true" for found in findings)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"all four closed forms {total:.3f} s, three of them judged against formulas {judged:.3f} s")
    print(f"peak memory {memory:.0f} MB")


def _check(claim: Claim, node: object) -> None:
    """The closed form and the definition have one value at the point."""
    context = Context.of(claim)
    fact = claim.steps[0].fact
    left = evaluate(fact.left, POINT, context)  # type: ignore[union-attr]
    assert evaluate(node, POINT, context) == left  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
