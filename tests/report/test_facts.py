"""Sentences on a counterexample: a side without a value is not spoken of, and an order by its ratio."""

import pytest

from tests.report.examples import example_claims
from verifier.evidence import Counterexample
from verifier.judge.verdict import Run, StepVerdict, Verdict
from verifier.report.facts import in_one_line
from verifier.report.json import to_json
from verifier.report.verdicts import sentence
from verifier.report.view import point

GROWTH = example_claims()["growth"]
TRIED = [10, 100]
ZERO = Counterexample({"d": 1}, 0.0, None, ratios=(0.0,))


def verdict(found: Counterexample) -> Verdict:
    step = GROWTH.steps[0]
    told = StepVerdict(step.fact, step.text, step.position, "fails", "proved", "", counterexample=found)
    return Verdict(GROWTH, "fails", "proved", "", (told,))


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (ZERO, "at d = 1 the left side is 0 and the claimed rate √n is not"),
        (Counterexample({"d": 1}, None, 0.0), "at d = 1 the claimed rate √n is 0 and the left side is not"),
        (
            Counterexample({"n": TRIED}, None, None, ratios=(2.0, 20.0)),
            "the left side over the right side is 2 at n = 10 and 20 at n = 100",
        ),
        (
            Counterexample({"n": TRIED, "d": TRIED, "X": [[1]]}, None, None, ratios=(2.0, 20.0)),
            "the left side over the right side is 2 at n = d = 10 and 20 at n = d = 100",
        ),
        (
            Counterexample({"n": TRIED, "d": [4, 9]}, None, None, ratios=(2.0, 20.0)),
            "the left side over the right side is 2 at n = 10, d = 4 and 20 at n = 100, d = 9",
        ),
    ],
)  # fmt: skip
def test_an_order_is_refuted_by_a_ratio(found: Counterexample, words: str) -> None:
    assert sentence(verdict(found)) == f"False as stated: {words} (proved in exact arithmetic)."


def test_what_is_infinite_is_about_nothing() -> None:
    assert (
        in_one_line(Counterexample({}, float("inf"), 1.5, "oo", "3/2"))
        == "everywhere: left side oo, right side 3/2"
    )


def test_a_side_without_a_value_is_not_spoken_of() -> None:
    found = Counterexample({"d": 1}, 0.5, None)
    assert in_one_line(found) == "d = 1: left side about 0.5"
    (told,) = to_json(Run((verdict(found),)))["claims"]
    assert point(told["counterexample"]) == "d = 1: left side about 0.5"


def test_a_matrix_of_one_size_is_no_part_of_a_point_of_many() -> None:
    values = {"n": TRIED, "sigma": 2, "X": [[1]], "u": [[1], [0]]}
    (told,) = to_json(Run((verdict(Counterexample(values, None, None, ratios=(2.0, 20.0))),)))["claims"]
    assert told["counterexample"]["values"] == {"n": TRIED, "sigma": 2, "u": [[1], [0]], "ratio": [2.0, 20.0]}
    (whole,) = to_json(Run((verdict(Counterexample(values, 1.0, 0.5)),)))["claims"]
    assert whole["counterexample"]["values"] == values


def test_orders_of_magnitude_are_told_once() -> None:
    sides = "order(1e-2)", "order(1e-3)"
    spans = Counterexample(dict(zip(("lhs", "rhs"), sides, strict=True)), None, None, *sides)
    words = "everywhere: left side order(1e-2), right side order(1e-3)"
    assert in_one_line(spans) == words
    (told,) = to_json(Run((verdict(spans),)))["claims"]
    assert point(told["counterexample"]) == words
