"""Two parts of one random symbol, one centred given the other."""

import textwrap

import pytest

from verifier.claim.model import Claim
from verifier.evidence import Budget
from verifier.prove.engine import examine
from verifier.read.specs.load import load_text
from verifier.reformulate.centred_parts import with_independent_parts
from verifier.reformulate.instances import answered

SPEC = """
theorem: test/parts
symbols:
  n: dimension
  c: real
  i: index(n)
  j: index(n)
  R: random(2 * n)
let:
  A: kron(eye(2)[1], eye(n)) @ R
  B: kron(eye(2)[2], eye(n)) @ R
  S: c * A + B
assumptions:
  centred: E(A, given=B) == zeros(n)
claims:
  c: {says: "%s"%s}
"""


def claim_of(says: str, more: str = "") -> Claim:
    loaded = load_text(textwrap.dedent(SPEC % (says, more)))
    assert loaded.claims, loaded.entries
    return loaded.claims[0]


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("E(norm(S)**2) == c**2 * E(norm(A)**2) + E(norm(B)**2)", "E(norm(S)**2) == E(norm(A)**2)"),
        ("E(A[i] * B[j]) == 0", "E(A[i] * A[j]) == 0"),
        ("Cov(A[i], B[j]) == 0", "Var(B[i]) == 0"),
        ("E(E(A[i], given=B) * B[j]) == 0", "E(E(A[i], given=B) + B[j]) == 0"),
        ("E(A) == zeros(n)", "E(B) == zeros(n)"),
    ],
)  # fmt: skip
def test_two_moments_decide(true: str, false: str) -> None:
    for says, expected in ((true, True), (false, False)):
        made = claim_of(says)
        found = answered(examine, made, made.steps[0], Budget(4.0), "symbolic", samples=False)
        assert (found.truth == "true") is expected


@pytest.mark.parametrize(
    "says",
    [
        "E(A[i]**2 * B[j]) == E(A[i]**2) * E(B[j])",  # a third moment: independence says more
        "E(A[i]**2 * B[j]**2) == E(A[i]**2) * E(B[j]**2)",
        "E(A[i]**2, given=B) == E(A[i]**2)",
        "E(abs(A[i]) * abs(B[i])) == E(abs(A[i])) * E(abs(B[i]))",
        "E(R[1] * A[i]) == 0",
        "A[i] * B[i] == 0",
        "Var(A[i] * B[j]) == E(A[i]**2) * E(B[j]**2)",
    ],
)
def test_what_needs_more_is_left_alone(says: str) -> None:
    made = claim_of(says)
    assert with_independent_parts(made, made.steps[0]) is None


def test_without_the_assumption_there_are_no_parts() -> None:
    made = claim_of("E(A[i] * B[j]) == 0", ", under: []")
    assert with_independent_parts(made, made.steps[0]) is None
