"""Bounds on sums of any length, judged as a user would."""

import pytest

from verifier import Settings, Verdict, load_text, verify

SPEC = """
theorem: run/induction
symbols: {n: dimension, a: positive}
claims:
  c: {says: "%s"}
"""


@pytest.mark.parametrize(
    ("says", "verdicts"),
    [
        ("sum(1/i, i, 1, n) <= 1 + log(n)", ("holds",)),
        ("sum(1/i, i, 1, n) <= 9/10 + log(n)", ("fails",)),
        ("sum(a/sqrt(i), i, 1, n) <= 2*a*sqrt(n)", ("holds",)),
        ("sum(a/sqrt(i), i, 1, n) <= 9/5*a*sqrt(n)", ("fails", "inconclusive")),  # from n = 54 on
        ("sum(1/i**2, i, 1, n) <= 2 - 1/n", ("holds", "loose")),
        ("sum(log(i), i, 1, n) >= n*log(n) - n", ("holds",)),
        ("sum(log(i), i, 1, n) >= n*log(n) - n/2", ("fails",)),
    ],
)
def test_verdicts(says: str, verdicts: tuple[str, ...]) -> None:
    (found,) = verify(load_text(SPEC % says), Settings(trust="engines")).verdicts
    assert isinstance(found, Verdict)
    assert found.verdict in verdicts, found.reason
    if found.verdict == "holds":
        assert found.evidence in ("proved", "certified")
