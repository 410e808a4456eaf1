"""Counterexamples held against exact arithmetic: none is believed that the relation survives."""

import pytest

from verifier.evidence import Counterexample, Finding
from verifier.read.specs.load import load_text
from verifier.refute.confirm import against_the_original, doubted

SPEC = """
theorem: toy/confirm
symbols: {n: dimension, a: positive, x: vector(n), w: "normal(n, std=1/sqrt(n))"}
assumptions: {unit: norm(x) <= 2}
layers:
  state: x
  depth: L
  symbols: {W: "normal(n, n, std=a/sqrt(n*L))"}
  next: x + W @ x
claims:
  c: {says: "%s"}
"""


def judged(says: str, values: dict[str, object]) -> Finding:
    (claim,) = load_text(SPEC % says).claims
    said = Finding("symbolic", "false", "proved", "they differ", counterexample=Counterexample(values, 1, 2))
    return doubted(claim, claim.steps[0], said)


@pytest.mark.parametrize(
    ("says", "values"),
    [
        ("E(norm(w)**2) <= 1/2", {"n": 3}),
        ("norm(x)**2 <= 3", {"n": 2, "x": [[1], ["3/2"]]}),
        ("E(norm(after(x, L))**2) <= exp(a**2/2)*norm(x)**2", {"n": 1, "a": 1, "L": 1, "x": [[1]]}),
    ],
)
def test_a_point_that_breaks_the_relation_is_believed(says: str, values: dict[str, object]) -> None:
    found = judged(says, values)
    assert (found.truth, found.disagreement) == ("false", None)


@pytest.mark.parametrize(
    ("says", "values", "words"),
    [
        ("E(norm(w)**2) <= 1", {"n": 3}, "true at the same point"),
        # (1 + a**2/L)**L at L = 2 is 9/4; with the 2 as exponent and not below the root it would be 4.
        (
            "E(norm(after(x, L))**2) <= exp(a**2)*norm(x)**2",
            {"n": 1, "a": 1, "L": 2, "x": [[1]]},
            "true at the same point",
        ),
        ("norm(x)**2 <= 3", {"n": 1, "x": [[3]]}, "none of the claim's"),
        ("norm(x)**2 <= 3", {"n": 2, "x": [[2]]}, "none of the claim's"),
    ],
)
def test_one_that_does_not_is_a_disagreement(says: str, values: dict[str, object], words: str) -> None:
    found = judged(says, values)
    assert found.truth == "unknown"
    assert found.disagreement is not None
    assert words in found.disagreement


@pytest.mark.parametrize("values", [{}, {"n": "any"}, {"n": 2}, {"x": [["e_1"]]}])
def test_what_is_no_whole_point_is_left_alone(values: dict[str, object]) -> None:
    assert judged("norm(x)**2 <= 3", values).truth == "false"


def test_a_point_at_which_a_side_has_no_value_refutes_nothing() -> None:
    found = judged("norm(x)**2/norm(x) <= 1", {"n": 1, "x": [[0]]})
    assert (found.truth, found.disagreement) == ("unknown", None)
    assert "no value" in found.reason


def held(says: str, values: dict[str, object]) -> Finding:
    (claim,) = load_text(SPEC % says).claims
    said = Finding("search", "false", "proved", "they differ", counterexample=Counterexample(values, 1, 2))
    return against_the_original(claim, claim.steps[0], said)


@pytest.mark.parametrize(
    ("says", "values"),
    [
        ("E(exp(norm(w)**3)) <= 1", {"n": 1}),
        ("E(norm(softmax(w.T)))*a <= 1", {"n": 9, "a": 8}),
        ("D(P(w[1] <= a), a) > 0", {"n": 1, "a": 1}),
        ("norm(x)/norm(x) <= 1/2", {"n": 1, "x": [[0]]}),
    ],
)
def test_a_point_of_a_closed_form_is_believed_once_the_relation_is_evaluated(
    says: str, values: dict[str, object]
) -> None:
    assert held(says, values).truth == "unknown"


def test_and_then_it_is() -> None:
    found = held("E(norm(w)**2) <= 1/2", {"n": 3})
    assert (found.truth, found.grade) == ("false", "proved")
