"""Events as JSON and back."""

import json
from fractions import Fraction

import pytest

from verifier.codec import Unknown
from verifier.evidence import Counterexample, Finding, Sample, Tightness
from verifier.expr.nodes import Number
from verifier.judge.verdict import AssumptionVerdict
from verifier.plan.messages import Bought, Found, Stage
from verifier.run.recall import events_from_data, events_to_data, from_data, to_data

POINT = Counterexample(
    {"n": 2, "X": [[1, Fraction(1, 3)], (0.1, "a")]}, 0.1 + 0.2, None, "1/3", None, ("a", "b")
)
FINDING = Finding(
    "symbolic", "false", "proved", "because", counterexample=POINT, derivation=("one", "two"),
    tightness=Tightness(False, Fraction(3, 4), float("inf"), "x"), seconds=1e-17,
    samples=(Sample({"n": 2}, 1.0, float("-inf"), 2.0, None, 5),),
)  # fmt: skip
EVENTS = (Stage("first"), Found(0, FINDING), Stage("last"), Bought(AssumptionVerdict("a", "needed", gap="x")))


def test_equal_after_a_round_trip() -> None:
    data = json.loads(json.dumps(events_to_data(EVENTS)))
    assert events_from_data(data) == (Stage("last"), EVENTS[1], EVENTS[3])


def test_a_closed_form_comes_back_as_its_text() -> None:
    found = from_data(to_data(Finding("symbolic", "true", lhs=Number(Fraction(3, 2)))))
    assert found.lhs == "3/2"


@pytest.mark.parametrize("data", [{"$": "Path", "of": {}}, {"$": "Finding", "of": {"no": 1}}, {"a": 1}, [{}]])
def test_what_we_did_not_write_is_refused(data: object) -> None:
    with pytest.raises(Unknown):
        events_from_data([data])
    with pytest.raises(Unknown):
        to_data(object())
