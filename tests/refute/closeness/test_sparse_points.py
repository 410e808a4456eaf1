"""Sparse points at which true bounds come close."""

import numpy as np
import pytest

from tests.refute.claims import claim_of
from verifier.evidence import Tightness
from verifier.prove.rules.bound_form import bounds_of
from verifier.refute.ascent.rational_points import Judge
from verifier.refute.closeness.sparse_points import nearest
from verifier.refute.domain.space import Domain
from verifier.timer import worked


def near(says: str) -> Tightness | None:
    claim = claim_of(says)
    (step,) = claim.steps
    domain = Domain(claim, step.fact)
    (bound,) = bounds_of(step.fact)
    judge = Judge(domain, step.fact)
    return nearest(domain, bound, judge, np.random.default_rng(0), worked() + 20)


@pytest.mark.parametrize(
    ("tight", "loose"),
    [
        ("norm(A @ B) <= norm(A) * norm(B)", "norm(A @ B) <= 2 * norm(A) * norm(B)"),
        (
            "norm(C @ F)**2 <= norm(C)**2 * norm(F)**2",
            "norm(C @ F @ A) <= norm(C) * norm(F) * norm(A) + norm(A)**3",
        ),
        (
            "norm(A)**2 <= norm(A)**2 + a * norm(B)**2",
            "norm(A)**2 <= norm(A)**2 + norm(x)**2 + norm(A - B)**2 + 1",
        ),
        ("norm(A, 2) >= norm(A) / sqrt(n)", "norm(A) >= norm(A, 2) / 2"),
    ],
)
def test_sparse_points_show_what_is_tight(tight: str, loose: str) -> None:
    found = near(tight)
    assert found is not None
    assert found.tight
    assert found.gap_high is not None
    assert found.gap_high <= 0.01
    if "+ 1" not in loose:  # what is added outweighs nothing at large values
        assert near(loose) is None
