"""Relations at given sizes: broken or touched at points of blocks."""

import pytest

from verifier.claim.model import Claim
from verifier.prove.bounds.large_sizes import examine_large
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/large
symbols:
  n: dimension
  d: dimension
  x: vector(d)
  X: matrix(n, d)
  M: matrix(d, d)
  S: psd(d)
  p: simplex(d)
  t: interval(-norm(x), norm(x))
assumptions:
  unit: norm(x) == 1
claims:
  c: {says: "%s", where: {n: 197, d: 768}}
"""


def claim_of(says: str) -> Claim:
    (claim,) = load_text(SPEC % says, "large.yaml").claims
    return claim


@pytest.mark.parametrize(
    "says",
    [
        "norm(x, 1) <= 27",
        "norm(M)**2 == norm(M, 2)**2",
        "M == M.T",
        "eye(d) == ones(d, d)",
        "tr(S) >= 1",
        "norm(p)**2 >= 1/767",
        "norm(X) + norm(x) < 1",
        "norm(softmax(X))**2 >= 1",
    ],
)
def test_what_is_false_at_large_sizes_is_refuted(says: str) -> None:
    claim = claim_of(says)
    found = examine_large(claim, claim.steps[0].fact, 5.0, 0)
    assert found is not None
    assert (found.truth, found.grade) == ("false", "certified")


@pytest.mark.parametrize(
    "says",
    [
        "norm(x, 1) <= sqrt(768)",
        "eye(d) <= 1",
        "eye(d) >= 0",
        "S == S.T",
        "S[1, 2] <= tr(S)",
        "norm(p)**2 >= 1/768",
        "norm(M, 2) <= norm(M)",
        "abs(t) <= 1",
        "norm(D(X, X))**2 == 197*768",
    ],
)
def test_what_is_true_is_not(says: str) -> None:
    claim = claim_of(says)
    found = examine_large(claim, claim.steps[0].fact, 5.0, 0)
    assert found is None or found.truth != "false"


def test_a_bound_that_is_touched_is_tight() -> None:
    touched, open_ = claim_of("norm(x, 1) <= sqrt(768)"), claim_of("norm(x, 1) <= 30")
    found = examine_large(touched, touched.steps[0].fact, 5.0, 0)
    assert found is not None
    assert found.tightness is not None
    assert found.tightness.tight
    assert examine_large(open_, open_.steps[0].fact, 5.0, 0) is None
