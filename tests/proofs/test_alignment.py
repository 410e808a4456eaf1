"""Vectors whose correlation is 1, alone or on average, are aligned; nothing less makes them so."""

import pytest

from tests.proofs.examples import claims
from verifier.evidence import Finding
from verifier.proofs.propose import propose

SPEC = """
theorem: toy/aligned
symbols: {{n: dimension, d: dimension, X: "{kind}(n, d)", i: index(n), j: index(n)}}
assumptions: {{one: "{assumed}"}}
claims: {{c: {{says: "{says}", under: [one]}}}}
"""
FIXED = "inner(X[a], X[b])/sqrt(norm(X[a])**2*norm(X[b])**2)"
RANDOM = "E(inner(X[a], X[b]))/sqrt(E(norm(X[a])**2)*E(norm(X[b])**2))"
ALL = "sum({}, a, 1, n, b, 1, n, a != b)/(n*(n - 1)) == {}"
ALIGNED = "inner(X[i], X[j]) == norm(X[i])*norm(X[j])"
FOUND = Finding("symbolic", "true", "proved", "they leave no other")


@pytest.mark.parametrize(
    ("kind", "assumed", "says", "rules"),
    [
        ("matrix", ALL.format(FIXED, 1), ALIGNED, {"aligned": 1, "contract": 1}),
        ("random", ALL.format(RANDOM, 1), ALIGNED, {"aligned": 1, "contract": 1}),
        ("matrix", ALL.format(FIXED, "1/2"), ALIGNED, {"trust": 1}),
        ("random", ALL.format(RANDOM, -1), ALIGNED, {"trust": 1}),
        ("random", ALL.format(RANDOM, 1), "inner(X[i], X[j]) == norm(X[i])**2", {"trust": 1}),
        ("random", ALL.replace("a != b", "a < b").format(RANDOM, 1), ALIGNED, {"trust": 1}),
        ("random", ALL.format(f"E({FIXED})", 1), ALIGNED, {"trust": 1}),
    ],
)
def test_a_lying_finding_is_not_believed(kind: str, assumed: str, says: str, rules: dict[str, int]) -> None:
    (claim,) = claims(SPEC.format(kind=kind, assumed=assumed, says=says)).values()
    assert dict(propose(claim, claim.steps[0], FOUND).rules) == rules
