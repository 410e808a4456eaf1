"""Bounds on expectations: true by rules, and how tight, by exact moments or sampling."""

import pytest

from tests.search.claims import searched


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
    finding, _ = searched("E(norm(W)) <= 1.2*sqrt(n*m)", seconds=6)
    assert finding.tightness is not None
    assert finding.tightness.gap_high == pytest.approx(1 - 1 / 1.2, abs=0.01)
