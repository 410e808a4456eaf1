"""Bounds on expectations: true by rules, and how tight, by exact moments or sampling."""

import math

import pytest

from tests.refute.claims import as_if_proved, claim_of, searched
from verifier.evidence import Budget
from verifier.judge.decide import decide
from verifier.refute.engine import examine


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("E(norm(W)) <= sqrt(n*m)", "holds"),  # the gap is about 1/(4*n*m)
        ("E(norm(W)) <= 1.2*sqrt(n*m)", "loose"),
        ("E(norm(W)**2) <= n*m", "holds"),
        ("E(norm(W)**2) <= 1.1*n*m", "loose"),
        ("E(norm(W)**2) <= 0.99*n*m", "fails"),
    ],
)
def test_the_gap_of_an_expectation(says: str, expected: str) -> None:
    finding, verdict = searched(says, seconds=6)
    assert verdict.verdict == expected, finding


def test_a_gap_of_one_in_six() -> None:
    finding, _ = searched("E(norm(W)) <= 1.2*sqrt(n*m)", seconds=20)
    assert finding.tightness is not None
    assert finding.tightness.gap_high == pytest.approx(1 - 1 / 1.2, abs=0.01)


IID = {"d": "dimension", "w": "iid(mean=0, var=1)", "z": "iid(d, mean=0, var=4)"}


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("E(w**4) >= 1", "holds"),  # by fair signs, and by no normal law
        ("E(norm(z)**4) >= 16*d**2", "holds"),
        ("E(norm(z)**4) >= 8*d**2", "loose"),  # for all laws alike: the better one is proved
        ("E(norm(z)**4) >= 17*d**2", "inconclusive"),
    ],
)
def test_what_is_true_of_every_law_with_these_moments(says: str, verdict: str) -> None:
    claim = claim_of(says, symbols=IID)
    found = examine(claim, claim.steps[0], Budget(3.0))
    assert decide(claim.steps[0], [as_if_proved(found)]).verdict == verdict, found


SCALED = {"n": "dimension", "m": "dimension", "a": "positive", "u": "normal(n, std=a)", "v": "normal(n)"}


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("E(norm(softmax(u.T))) <= 1", "holds"),  # one weight takes all as a grows
        ("E(norm(softmax(v.T))) <= 1", "loose"),
        ("E(norm(v, oo)) <= sqrt(n)", "loose"),
        ("E(norm(v, oo)) <= sqrt(n)*(1 + 1/m)", "loose"),
    ],
)
def test_a_gap_may_close_as_a_scale_or_one_size_grows(says: str, verdict: str) -> None:
    claim = claim_of(says, symbols=SCALED)
    found = examine(claim, claim.steps[0], Budget(6.0))
    assert decide(claim.steps[0], [as_if_proved(found)]).verdict == verdict, found


def test_the_least_gap_is_that_of_the_best_sizes() -> None:
    # E max(|g|, |h|) = 2/sqrt(pi) for two of them, against sqrt(2) (1 + 1/m).
    claim = claim_of("E(norm(v, oo)) <= sqrt(n)*(1 + 1/m)", symbols=SCALED)
    found = examine(claim, claim.steps[0], Budget(6.0)).tightness
    assert found is not None
    assert found.gap_low < 1 - math.sqrt(2 / math.pi) < found.gap_high < 0.25
