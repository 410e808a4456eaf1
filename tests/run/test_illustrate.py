"""What a finding is shown with bears on no verdict, and agrees with the counterexample."""

from dataclasses import replace
from fractions import Fraction

from verifier.claim.load import load_text
from verifier.evidence import Counterexample, Finding
from verifier.run.illustrate import cost, illustrated

SPEC = """\
schema: 1
theorem: shown/lines
symbols:
  n: dimension
  d: dimension
  X: matrix(n, d)
  W: normal(d, d, std=1)
let:
  A: softmax(X @ X.T)
assumptions: {uniform: "A == ones(n, n) / n"}
claims:
  moment: {says: E(norm(X @ W)**2) == norm(X)**2, under: []}
  average: {says: E(norm(A @ X @ W)**2) == norm(X)**2}
"""
MOMENT, AVERAGE = load_text(SPEC, "shown.yaml").claims
POINT = Counterexample({"n": 1, "d": 2, "X": [[1, 2]]}, 10.0, 5.0, "10", "5")
REFUTED = Finding(
    "symbolic", "false", "proved", "the closed forms differ", counterexample=POINT, lhs="d*norm(X)**2"
)


def test_the_closed_form_is_worked_out() -> None:
    shown = illustrated(MOMENT, MOMENT.steps[0], (), REFUTED)
    assert shown.counterexample is not None
    assert shown.counterexample.arithmetic == (
        "norm(X)**2 = 1**2 + 2**2 = 5",
        "left side = d*norm(X)**2 = 2*5 = 10",
        "right side = norm(X)**2 = 5",
        "10 == 5 is false",
    )
    assert replace(shown, counterexample=POINT, curves=()) == REFUTED


def test_arithmetic_that_says_something_else_is_not_shown() -> None:
    other = replace(REFUTED, counterexample=replace(POINT, lhs_exact="11"))
    shown = illustrated(MOMENT, MOMENT.steps[0], (), other)
    assert shown == other


def test_a_closed_form_may_come_from_another_engine() -> None:
    bare = replace(REFUTED, engine="search", lhs=None)
    known = Finding("symbolic", "unknown", lhs="d*norm(X)**2")
    shown = illustrated(MOMENT, MOMENT.steps[0], (known,), bare)
    assert shown.counterexample is not None
    assert "left side = d*norm(X)**2 = 2*5 = 10" in shown.counterexample.arithmetic


def test_findings_without_a_point_stay_as_they_are() -> None:
    quiet = Finding("numeric", "unknown", reason="no word")
    assert illustrated(MOMENT, MOMENT.steps[0], (), quiet) == quiet
    sizes = replace(POINT, values={"n": [10, 100], "ratio": [Fraction(1, 2), 3]})
    growing = replace(REFUTED, counterexample=sizes)
    assert illustrated(MOMENT, MOMENT.steps[0], (), growing) == growing


def test_what_an_assumed_value_costs_as_a_size_grows() -> None:
    (curve,) = cost(AVERAGE, AVERAGE.steps[0], AVERAGE.assumptions[0], seed=0, seconds=20.0)
    assert (curve.about, curve.along) == ("cost", "n")
    assert len(curve.at) >= 3
    ((label, ratios),) = curve.lines.items()
    assert label == "left side without the assumption / with it"
    assert ratios[-1] is not None
    assert ratios[-1] > 1  # with equal weights the rows cancel, with their own they do not
    assert cost(MOMENT, MOMENT.steps[0], replace(AVERAGE.assumptions[0], fact=MOMENT.steps[0].fact), 0) == ()
