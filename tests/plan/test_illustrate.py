"""What a finding is shown with bears on no verdict, and agrees with the counterexample."""

from dataclasses import replace
from fractions import Fraction

from verifier.evidence import Counterexample, Finding
from verifier.plan.illustrate import cost, illustrated
from verifier.read.specs.load import load_text

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


LIMIT = """\
theorem: shown/limits
symbols: {n: dimension}
claims:
  c: {says: "limit((n + 3)/(2*n), n, oo) == 1"}
"""


def test_a_limit_is_at_least_told() -> None:
    (claim,) = load_text(LIMIT, "limits.yaml").claims
    example = Counterexample({}, 0.5, 1.0, "1/2", "1")
    shown = illustrated(claim, claim.steps[0], (), replace(REFUTED, lhs=None, counterexample=example))
    assert shown.counterexample is not None
    assert shown.counterexample.arithmetic == (
        "left side = limit((n + 3)/(2*n), n, oo) = 1/2",
        "1/2 == 1 is false",
    )


LAW = """\
theorem: shown/laws
symbols: {z: "random(2, 1)", t: real, f: function()}
claims:
  centred: {says: "E(z[1, 1] * z[2, 1]) == E(z[1, 1]) * E(z[2, 1])"}
  even: {says: f(-t) == f(t)}
"""


def test_a_law_with_few_values_is_written_down() -> None:
    claim, _ = load_text(LAW, "laws.yaml").claims
    example = Counterexample({"z_centre": [[0], [1]], "z_step": [[1], [2]]}, 2.0, 0.0, "2", "0")
    shown = illustrated(claim, claim.steps[0], (), replace(REFUTED, lhs=None, counterexample=example))
    assert shown.counterexample is not None
    first, *_, last = shown.counterexample.arithmetic
    assert first == "z = z_centre +- z_step, each with probability 1/2"
    assert last == "2 == 0 is false"  # (1*3 + (-1)*(-1))/2 against 0*1


def test_a_function_of_a_family_is_written_down() -> None:
    _, claim = load_text(LAW, "laws.yaml").claims
    example = Counterexample({"f_slope": 1, "f_value": 0, "t": 1}, -1.0, 1.0, "-1", "1")
    shown = illustrated(claim, claim.steps[0], (), replace(REFUTED, lhs=None, counterexample=example))
    assert shown.counterexample is not None
    assert shown.counterexample.arithmetic[0].startswith("f(")
    assert shown.counterexample.arithmetic[-1] == "-1 == 1 is false"


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
