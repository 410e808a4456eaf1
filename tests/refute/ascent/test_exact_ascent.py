"""Bounds between expectations, climbed in exact arithmetic."""

import numpy as np
import pytest

from tests.refute.claims import claim_of
from verifier.prove.rules.bound_form import bounds_of
from verifier.refute.ascent.exact_ascent import ascend
from verifier.refute.domain.space import Domain
from verifier.timer import worked

SYMBOLS = {"n": "dimension", "a": "positive", "s": "positive", "x": "vector(n)", "w": "normal(n, std=s)"}


@pytest.mark.parametrize(
    ("false", "true"),
    [
        # 1 + 2a + 3a**2 against 1 + 2a + a**2, at s = 1 and n = 1
        (
            "E((1 + a * norm(w)**2)**2) <= 5/2 * E(1 + a * norm(w)**2)**2",
            "E((1 + a * norm(w)**2)**2) <= 3 * E(1 + a * norm(w)**2)**2",
        ),
        ("E(inner(x, w)**2) >= s**3 * norm(x)**2", "E(inner(x, w)**2) >= s**2 * norm(x)**2 / 2"),
    ],
)
def test_scales_that_break_a_bound_are_found(false: str, true: str) -> None:
    for says, is_broken in ((false, True), (true, False)):
        claim = claim_of(says, symbols=SYMBOLS)
        (step,) = claim.steps
        (bound,) = bounds_of(step.fact)
        found = ascend(Domain(claim, step.fact), bound, np.random.default_rng(0), worked() + 6)
        assert (found is not None and found.outcome == "false") == is_broken


def test_a_law_s_parameters_belong_to_the_domain() -> None:
    claim = claim_of("E(norm(w)**2) <= n * s**2", symbols=SYMBOLS)
    assert "s" in Domain(claim, claim.steps[0].fact).names
    claim = claim_of("E(norm(w)**2) <= n", symbols=SYMBOLS)
    assert "s" in Domain(claim, claim.steps[0].fact).names
