"""Exact points at tiny sizes, for those who only want to know whether a bound is false."""

import pytest

from tests.refute.claims import claim_of
from verifier.evidence import Budget
from verifier.refute.exact_only import examine

SYMBOLS = {"n": "dimension", "a": "real", "s": "positive", "W": "normal(n, 2, std=s)"}


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        # E|W|^2 = 2 n s^2, E|W|^4 = 4 n (n + 1) s^4
        ("E(norm(W)**4) <= 2 * E(norm(W)**2)**2", "unknown"),
        ("E(norm(W)**4) <= 3/2 * E(norm(W)**2)**2", "false"),
        ("E((a + norm(W)**2)**2) >= a**2 + E(norm(W)**4)", "false"),
        ("E(norm(W)**2) == 2*n*s**3", "unknown"),
    ],
)
def test_a_false_bound_is_broken_and_nothing_else_is_said(says: str, truth: str) -> None:
    claim = claim_of(says, symbols=SYMBOLS)
    found = examine(claim, claim.steps[0], Budget(seconds=5.0))
    assert found.truth == truth
    assert (found.grade == "proved") == (truth == "false")
