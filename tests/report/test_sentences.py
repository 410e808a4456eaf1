"""Why an assumption is needed, in sentences: a point where all others are met, and what happens there."""

from dataclasses import replace

import pytest

from verifier.claim.model import Claim
from verifier.evidence import Counterexample
from verifier.judge.verdict import AssumptionVerdict
from verifier.read.specs.load import load_text
from verifier.report.sentences import why_assumed

POINT = Counterexample({"x": 3, "idle": 7}, 6.0, 9.0, "6", "9")
NOWHERE = Counterexample({"x": 3}, None, None)
NEEDED = AssumptionVerdict("small", "needed", counterexample=POINT, reason="without it the claim is false")


@pytest.fixture(scope="module")
def claim() -> Claim:
    (entry,) = load_text(
        """
schema: 1
theorem: doc/bound
title: A bound
symbols: {x: positive, idle: positive}
assumptions: {small: x <= 2}
claims: {square: {says: 2*x >= x**2}}
""",
        "doc.yaml",
    ).entries
    return entry.claim


def test_a_needed_one_excludes_a_point_that_is_told(claim: Claim) -> None:
    assert why_assumed(claim, NEEDED) == [
        "Without it the claim is false.",
        "At x = 3 every other assumption is met, and there the left side is 6 and the right side is 9.",
        "Only this assumption excludes it.",
    ]


def test_what_contradicts_the_symbols_excludes_nothing(claim: Claim) -> None:
    assert len(why_assumed(claim, replace(NEEDED, violated=True))) == 2


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (replace(NEEDED, counterexample=None), ["Without it the claim is false."]),
        (replace(NEEDED, counterexample=NOWHERE), ["Without it the claim is false."]),
        (replace(NEEDED, status="unneeded", reason="the claim is true without it"),
         ["The claim is true without it.", "It can be left out."]),
        (replace(NEEDED, status="unknown", reason="not decided without it"), ["Not decided without it."]),
        (AssumptionVerdict("small", "unknown"), []),
    ],
)  # fmt: skip
def test_nothing_is_said_that_is_not_known(claim: Claim, part: AssumptionVerdict, words: list[str]) -> None:
    assert why_assumed(claim, part) == words
