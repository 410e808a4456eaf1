"""Tiny points by the thousand: what assumptions allow and a relation does not survive."""

import numpy as np
import pytest

from tests.refute.claims import claim_of
from verifier.exact.values.recheck import Rechecked
from verifier.refute.ascent.rational_points import Judge
from verifier.refute.ascent.tiny_points import suspects
from verifier.refute.domain.space import Domain
from verifier.timer import worked

SYMBOLS = {
    "n": "dimension", "i": "index(n)", "j": "index(n)", "A": "stochastic(n, n)", "X": "matrix(n, n)",
    "c": "positive",
}  # fmt: skip
MASK = {"mask": "all(A[t, u] == 0, t, 1, n, u, t + 1, n)"}
FLAT = {"flat": "all(norm(X[t]) == norm(X[u]), t, 1, n, u, 1, n)", "sum": "X.T @ ones(n) == zeros(n)"}


def broken(says: str, assumptions: dict[str, str]) -> Rechecked | None:
    claim = claim_of(says, assumptions, SYMBOLS)
    (step,) = claim.steps
    domain = Domain(claim, step.fact)
    judge = Judge(domain, step.fact)
    for design in suspects(domain, np.random.default_rng(0), worked() + 20):
        found = judge.check(design)
        if found is not None and found.outcome == "false":
            return found
    return None


@pytest.mark.parametrize(
    ("false", "true", "assumptions"),
    [
        ("A[1, 1] <= A[n, n]", "A[1, 1] >= A[n, n]", MASK),
        ("sum(A[t, i], t, 1, n) >= sum(A[t, j], t, 1, n)", "sum(A[t, 1], t, 1, n) >= 1", MASK),
        ("inner(X[1], X[n]) >= 0", "norm(X)**2 == n * norm(X[1])**2", FLAT),
        ("norm(X)**2 == norm(X.T @ X)", "norm(X)**2 >= norm(X @ X.T)", {}),
        ("c * norm(X)**2 <= norm(X)**2", "c * norm(X)**2 >= 0", {}),
        ("c**4 <= 90*c**2 + norm(X)**2", "c**4 >= 90*c**2 - 2025 - norm(X)**2", {}),  # from c = 10 on
    ],
)
def test_tiny_points_break_what_is_false(false: str, true: str, assumptions: dict[str, str]) -> None:
    found = broken(false, assumptions)
    assert found is not None
    assert found.counterexample is not None
    assert found.counterexample.values["n"] in (1, 2)
    assert broken(true, assumptions) is None
