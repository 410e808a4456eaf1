"""What samples refute, or nobody, is proved false where a symbol is small; what is true is left alone."""

import pytest

from tests.plan.specs import ask_row
from verifier.evidence import Counterexample, Finding
from verifier.plan.asking import Case
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/expand
symbols: {n: dimension, d: dimension, sigma: positive, X: "matrix(n, d)", W: "normal(d, d, std=sigma)"}
let: {A: softmax(X @ W @ X.T)}
claims:
  c: {says: "%s"}
"""
FALSE = "E(norm(A @ X)**2) == norm(X.T @ ones(n))**2/n"
POINT = Counterexample({"n": 2, "d": 1, "sigma": 1, "X": [[1], [2]]}, 4.9, 4.5)
SAMPLED = Finding("numeric", "false", "sampled", "two samples exclude it", counterexample=POINT)
OPEN = Finding("numeric", "unknown", reason="consistent")


def expanded(says: str, before: Finding) -> list[Finding]:
    (claim,) = load_text(SPEC % says).claims
    case = Case(claim, claim.steps[0], Settings(trust="engines"))
    case.findings.append(before)
    ask_row("small scales", case, 10.0)
    return case.findings[1:]


def test_what_samples_refuted_is_proved_false_and_keeps_its_point() -> None:
    (found,) = expanded(FALSE, SAMPLED)
    assert (found.truth, found.grade) == ("false", "proved")
    assert found.counterexample is not None
    assert found.counterexample.values["sigma"] == 1
    assert "small enough" in found.counterexample.arithmetic[-1]


def test_what_nobody_decided_has_the_small_point_itself() -> None:
    (found,) = expanded(FALSE, OPEN)
    assert found.counterexample is not None
    assert found.counterexample.values["sigma"] == "s"


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(A @ ones(n))**2) == n",
        "E(norm(A @ X)**2) >= norm(X.T @ ones(n))**2/n",
        "norm(A @ ones(n))**2 == 2*n",  # false, but no mean: others decide such a point exactly
        "limit(E(norm(A @ X)**2), sigma, 0) == 0",
    ],
)
def test_nothing_is_said_of_what_is_true_or_out_of_reach(says: str) -> None:
    assert expanded(says, OPEN) == []


def test_a_moment_that_is_not_stated_is_missing_and_not_made_up() -> None:
    """With an unknown law nothing is false: what the left side is depends on moments that are not stated."""
    (claim,) = load_text(
        (SPEC % FALSE).replace("normal(d, d, std=sigma)", "iid(d, d, mean=0, var=sigma**2)")
    ).claims
    case = Case(claim, claim.steps[0], Settings(trust="engines"))
    case.findings.append(OPEN)
    ask_row("small scales", case, 10.0)
    assert case.findings == [OPEN]


def test_what_is_decided_is_not_asked_again() -> None:
    assert expanded(FALSE, Finding("symbolic", "true", "proved")) == []
