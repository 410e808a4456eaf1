"""Bounds between means that others proved: tight where both sides meet as a scale shrinks."""

import pytest

from verifier.claim.load import load_text
from verifier.evidence import Finding, Tightness
from verifier.run.asking import Case
from verifier.run.meeting import meet
from verifier.run.settings import Settings

SPEC = """
theorem: toy/meeting
symbols: {n: dimension, s: positive, w: "normal(n, std=s)", x: vector(n)}
claims:
  c: {says: "%s"}
"""


def told(says: str, known: Tightness | None = None) -> Tightness | None:
    (claim,) = load_text(SPEC % says).claims
    case = Case(claim, claim.steps[0], Settings(), lambda event: None, lambda found: None)
    case.findings.append(Finding("symbolic", "true", "proved", tightness=known))
    meet(case, 2.0)
    return case.findings[-1].tightness if len(case.findings) > 1 else None


@pytest.mark.parametrize(
    "says", ["E(softplus(norm(w)**2)) >= softplus(n*s**2)", "E(norm(softmax(w.T))**2) >= 1/n"]
)
def test_tight_where_the_sides_meet(says: str) -> None:
    found = told(says)
    assert found is not None
    assert found.tight


@pytest.mark.parametrize(
    "says",
    [
        "E(softplus(norm(w)**2)) >= softplus(n*s**2)/2",  # the sides stay apart
        "norm(softmax(x.T))**2 >= 1/n",  # no mean: others tell
        "E(softplus(norm(w)**2)) == softplus(n*s**2)",  # no bound
    ],
)
def test_nothing_is_told_elsewhere(says: str) -> None:
    assert told(says) is None


def test_nor_where_it_is_known() -> None:
    assert told("E(norm(softmax(w.T))**2) >= 1/n", Tightness(False)) is None
