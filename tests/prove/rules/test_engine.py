"""Bounds that the rules prove, said before anybody searches."""

import pytest

from tests.refute.claims import claim_of
from verifier.evidence import Budget
from verifier.prove.rules.engine import examine

SYMBOLS = {"n": "dimension", "m": "dimension", "A": "matrix(n, m)", "B": "matrix(m, n)", "v": "vector(m)"}


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("norm(A @ B) <= norm(A) * norm(B)", "norm(A @ B) <= norm(A) * norm(B) / 2"),
        ("norm(A @ v) <= norm(A, 2) * norm(v)", "norm(A @ v) <= norm(A, 2) * norm(v)**2"),
        ("norm(A) <= sqrt(n) * norm(A, 2)", "norm(A) <= norm(A, 2)"),
    ],
)
def test_a_proof_or_nothing(true: str, false: str) -> None:
    claim = claim_of(true, {}, SYMBOLS)
    found = examine(claim, claim.steps[0], Budget(seconds=5))
    assert (found.truth, found.grade) == ("true", "proved")
    assert found.derivation
    claim = claim_of(false, {}, SYMBOLS)
    assert examine(claim, claim.steps[0], Budget(seconds=5)).truth == "unknown"


def test_orders_and_equalities_are_for_others() -> None:
    claim = claim_of("norm(A)**2 == norm(A.T)**2", {}, SYMBOLS)
    assert examine(claim, claim.steps[0], Budget(seconds=5)).truth == "unknown"
