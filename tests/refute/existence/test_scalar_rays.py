"""Extremes of several scalars that no rational point reaches."""

import pytest

from tests.refute.claims import searched


@pytest.mark.parametrize(
    ("says", "expected", "words"),
    [
        ("sup(a*b/(1 + a**2 + b**2), a, b) == 1/2", "holds", "towards oo"),
        ("sup((a + b)/(1 + a**2 + b**2), a, b) == sqrt(2)/2", "holds", "near"),
        ("sup((a + b)/(1 + a**2 + b**2), a, b) == 0.71", "fails", ""),
        ("sup((a + b)/(1 + a**2 + b**2), a, b) == 0.7", "fails", ""),
        ("inf(a/b + b/a, a, b) == 2", "holds", "witness"),
    ],
)
def test_equalities(says: str, expected: str, words: str) -> None:
    finding, verdict = searched(says, seconds=4.0)
    assert verdict.verdict == expected, finding
    assert words in finding.reason
