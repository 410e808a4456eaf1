"""Bounds between means that others proved: tight where both sides meet as a scale shrinks."""

import pytest

from tests.plan.specs import ask_row
from verifier.evidence import Finding, Tightness
from verifier.plan.asking import Case
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/meeting
symbols: {n: dimension, s: positive, w: "normal(n, std=s)", x: vector(n)}
claims:
  c: {says: "%s"}
"""


def told(says: str, known: Tightness | None = None) -> Tightness | None:
    (claim,) = load_text(SPEC % says).claims
    case = Case(claim, claim.steps[0], Settings(trust="engines"))
    case.findings.append(Finding("symbolic", "true", "proved", tightness=known))
    ask_row("where both sides meet", case, 2.0)
    return case.findings[-1].tightness if len(case.findings) > 1 else None


@pytest.mark.parametrize(
    "says", ["E(softplus(norm(w)**2)) >= softplus(n*s**2)", "E(norm(softmax(w.T))**2) >= 1/n"]
)
def test_tight_where_the_sides_meet(says: str) -> None:
    found = told(says)
    assert found is not None
    assert found.tight


@pytest.mark.parametrize("says", ["E(tanh(norm(w))) <= 1", "E(log(1 + norm(w)**2)) <= log(1 + n*s**2)"])
def test_tight_where_a_scale_or_a_size_leads_there(says: str) -> None:
    found = told(says)
    assert found is not None
    assert found.tight


def test_loose_where_the_sides_stay_apart() -> None:
    found = told("E(softplus(norm(w)**2)) >= softplus(n*s**2)/2")  # by a factor of 2 or more
    assert found is not None
    assert found.tight is False
    assert found.gap_low < 1 < found.gap_high + 0.05


@pytest.mark.parametrize(
    "says",
    [
        "norm(softmax(x.T))**2 >= 1/n",  # no mean: others tell
        "E(softplus(norm(w)**2)) == softplus(n*s**2)",  # no bound
    ],
)
def test_nothing_is_told_elsewhere(says: str) -> None:
    assert told(says) is None


def test_nor_where_it_is_known() -> None:
    assert told("E(norm(softmax(w.T))**2) >= 1/n", Tightness(False)) is None
