"""Counterexamples made smaller: still allowed, still false, never on weaker evidence."""

import pytest

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding
from verifier.exact.values.recheck import recheck
from verifier.read.specs.load import load_text
from verifier.refute.confirm import exact_point
from verifier.refute.smaller_point import smaller

SPEC = """
theorem: run/smaller
symbols:
  n: dimension
  d: dimension
  s: positive
  t: interval(-1/100, 1/100)
  x: vector(d)
  p: simplex(d)
  q: simplex(d)
  P: stochastic(n, n)
  X: matrix(n, d)
  W: normal(d, d, std=s)
claims:
  c: {says: "%s"}
"""


def found(says: str, point: dict[str, object]) -> tuple[Claim, Finding]:
    (claim,) = load_text(SPEC % says, "smaller.yaml").claims
    step = claim.steps[0]
    exact = exact_point(point)
    assert exact is not None
    checked = recheck(claim, step.fact, exact)
    assert checked.outcome == "false", checked
    finding = Finding("symbolic", "false", checked.grade, "", counterexample=checked.counterexample)
    return claim, smaller(claim, step, finding)


@pytest.mark.parametrize(
    ("says", "point", "sizes"),
    [
        ("norm(p)**2 <= 1/2", {"d": 3, "p": [["9/10"], ["1/20"], ["1/20"]]}, {"d": 1}),
        ("norm(p - q, 1) <= 1", {"d": 3, "p": [[1], [0], [0]], "q": [[0], ["2/3"], ["1/3"]]}, {"d": 2}),
        ("norm(x)**2 <= 7", {"d": 3, "x": [[3], [-2], [5]]}, {"d": 1}),
        ("E(norm(W @ x)**2) == s**2*norm(x)**2", {"d": 3, "s": 2, "x": [[1], [2], [3]]}, {"d": 2}),
        ("norm(X @ X.T) == norm(X)**2", {"n": 3, "d": 2, "X": [[1, 2], [3, 1], [0, 1]]}, {"n": 2, "d": 2}),
        (  # entries that differ little about a large mean
            "norm(X.T @ ones(n))**2*norm(X - ones(n, n) @ X/n)**2 <= 16*norm(X - ones(n, n) @ X/n)**4",
            {"n": 2, "d": 2, "X": [[-1, 5], [-1, 4]]},
            {"n": 2, "d": 1},
        ),
        (
            "norm(P, 2) <= 1",
            {"n": 3, "P": [["1/2", "1/2", 0], ["1/2", "1/2", 0], ["1/2", "1/2", 0]]},
            {"n": 2},
        ),
    ],
)
def test_fewer_dimensions(says: str, point: dict[str, object], sizes: dict[str, int]) -> None:
    claim, finding = found(says, point)
    assert finding.counterexample is not None
    exact = exact_point(finding.counterexample.values)
    assert exact is not None
    assert {name: exact[name] for name in sizes} == sizes
    assert recheck(claim, claim.steps[0].fact, exact).outcome == "false"


def test_a_proof_is_not_given_up_for_a_smaller_point() -> None:
    # At d = 1 and x = 1 the left side is exp(1), which is known by an interval alone.
    _, finding = found("exp(norm(x)) <= 1 + norm(x)**4", {"d": 1, "x": [[1]]})
    assert finding.grade == "certified"
    _, finding = found("norm(x)**2 <= 7", {"d": 2, "x": [[3], [4]]})
    assert finding.grade == "proved"


def test_decimals_are_the_fractions_that_they_stand_for() -> None:
    near = "2882303761517117/288230376151711744"
    _, finding = found("norm(x)**2 <= 1e-6", {"d": 1, "x": [[near]]})
    assert finding.counterexample is not None
    assert finding.counterexample.values == {"d": "1", "x": [["1"]]}
    _, finding = found("abs(t) <= 1e-3", {"t": near})
    assert finding.counterexample is not None
    assert finding.counterexample.values == {"t": "1/100"}


LAYERS = """
theorem: run/smaller-layers
symbols: {n: dimension, d: dimension, c: positive, X: "matrix(n, d)"}
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=1/sqrt(d))"}
  next: X + c*X @ W
claims:
  c: {says: "E(norm(after(X, L))**2) == (1 + c)**L*norm(X)**2"}
"""


def test_layers_by_their_closed_forms() -> None:
    (claim,) = load_text(LAYERS, "layers.yaml").claims
    values = {"n": 3, "d": 2, "L": 5, "c": 2, "X": [[1, 0], [0, 1], [1, 1]]}
    closed = "(1 + c**2)**L*norm(X)**2", "(1 + c)**L*norm(X)**2"
    example = Counterexample(values, 12500.0, 972.0, "12500", "972")
    wide = Finding("symbolic", "false", "proved", "", lhs=closed[0], rhs=closed[1], counterexample=example)
    small = smaller(claim, claim.steps[0], wide).counterexample
    assert small is not None
    assert {name: small.values[name] for name in ("n", "d", "L")} == {"n": "1", "d": "1", "L": "1"}


def test_closed_forms_say_nothing_of_points_where_a_layer_has_no_value() -> None:
    normed = LAYERS.replace("X + c*X @ W", "X + c*rmsnorm(X) @ W")
    says = "E(norm(after(X, L))**2) == norm(X)**2 + c*L*n*d"
    (claim,) = load_text(normed.replace("E(norm(after(X, L))**2) == (1 + c)**L*norm(X)**2", says)).claims
    values = {"n": 1, "d": 1, "L": 1, "c": 2, "X": [[1]]}
    closed = "norm(X)**2 + c**2*L*n*d", "norm(X)**2 + c*L*n*d"
    example = Counterexample(values, 5.0, 3.0, "5", "3")
    point = Finding("symbolic", "false", "proved", "", lhs=closed[0], rhs=closed[1], counterexample=example)
    small = smaller(claim, claim.steps[0], point).counterexample
    assert small is not None
    assert small.values["X"] not in ([[0]], [["0"]])


def test_probabilities_keep_their_sum_when_they_are_rounded() -> None:
    rows = [["999999/1000001", "2/1000001"], ["3/1000003", "1000000/1000003"]]
    claim, finding = found("norm(P)**2 <= 3/2", {"n": 2, "P": rows})
    assert finding.counterexample is not None
    exact = exact_point(finding.counterexample.values)
    assert exact is not None
    assert recheck(claim, claim.steps[0].fact, exact).outcome == "false"
    entries = [x for row in exact["P"] for x in row]  # type: ignore[union-attr]
    assert set(entries) <= {0, 1}


def test_the_place_of_an_entry_is_no_symbol() -> None:
    (claim,) = load_text(SPEC % "vec_r(X) == vec_r(X.T)", "smaller.yaml").claims
    values: dict[str, object] = {"n": 3, "d": 2, "X": [[1, 2], [3, 1], [0, 1]], "i": 2}
    finding = Finding("symbolic", "false", "proved", "", counterexample=Counterexample(values, 2.0, 3.0))
    less = smaller(claim, claim.steps[0], finding).counterexample
    assert less is not None
    assert [str(less.values[name]) for name in ("n", "d")] == ["2", "2"]
