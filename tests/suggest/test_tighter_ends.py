"""Ranges whose ends are expressions are measured by how near both ends the left side comes."""

import pytest

from verifier.judge.verdict import Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run.verify import verify

SPEC = """
theorem: toy/ends
symbols: {a: real, b: real, c: positive, t: "interval(-c, c)", u: "interval(0, c)"}
claims:
  c: {says: "%s"}
"""


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("t in [-c, c]", "holds"),
        ("t in [-2*c, c]", "loose"),
        ("t in [-c, 3*c/2]", "loose"),
        ("t in [-c, c/2]", "fails"),
        ("u*(c - u) in [0, c**2/4]", "holds"),
        ("u*(c - u) in [0, c**2/3]", "loose"),
        ("a*b in [-(a**2 + b**2)/2, (a**2 + b**2)/2]", "holds"),
        ("a*b in [-(a**2 + b**2), (a**2 + b**2)/2]", "loose"),
        ("a in [a, a]", "holds"),  # of no width
    ],
)
def test_both_ends_are_measured(says: str, expected: str) -> None:
    (verdict,) = verify(load_text(SPEC % says), Settings(jobs=1, trust="engines")).verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == expected
