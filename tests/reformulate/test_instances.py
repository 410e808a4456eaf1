"""Claims asked in another form: the exact engine on arbitrary functions and single layers."""

import textwrap

import pytest

from verifier.claim.model import Claim
from verifier.evidence import Budget, Finding
from verifier.plan.asking import heard, load_engine
from verifier.plan.settings import ENGINES, Engine
from verifier.prove.engine import examine
from verifier.prove.ranges.engine import examine as boxes
from verifier.read.specs.load import load_text
from verifier.reformulate.instances import answered
from verifier.refute.engine import examine as search

FUNCTIONS = """
theorem: test/functions
symbols:
  n: dimension
  d: dimension
  f: function(n, d)
  g: function()
  t: real
  X: matrix(n, d)
  F: matrix(d, d)
  W: normal(d, d)
let:
  Y: X @ W
  Z: X @ F
claims:
  c: {says: "%s"%s}
"""
LAYERS = """
theorem: test/layers
symbols:
  n: dimension
  d: dimension
  a: positive
  l: index(L)
  X: matrix(n, d)
layers:
  state: X
  depth: L
  symbols: {W: "normal(d, d, std=1/sqrt(d))"}
  next: X + a * (X @ W)
claims:
  c: {says: "%s"%s}
"""


def asked(spec: str, says: str, more: str = "") -> Finding:
    loaded = load_text(textwrap.dedent(spec % (says, more)))
    assert loaded.claims, loaded.entries
    claim: Claim = loaded.claims[0]
    return answered(examine, claim, claim.steps[0], Budget(8.0), "symbolic", samples=False)


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("D(f(Z), F).T == kron(X.T, eye(d)) @ D(f(Z), Z).T", "true"),
        ("D(f(Z), F).T == kron(X.T, eye(d)) @ D(f(Z), Z).T / 2", "false"),
        ("E(norm(D(f(Y), W))**2) <= norm(X)**2 * E(norm(D(f(Y), Y))**2)", "true"),
        ("E(norm(D(f(Y), W))**2) <= E(norm(D(f(Y), Y))**2)", "false"),
        ("E(f(Y)) == f(E(Y))", "false"),  # true of every affine function
        ("E(D(f(Y), W)) == D(f(zeros(n, d)), W)", "false"),
        ("D(D(g(t), t), t) == 0", "false"),
        ("g(2*t) == 2*g(t)", "false"),
        ("g(t) - g(0) <= t * sup(D(g(t), t), t)", "unknown"),
        ("t**2 >= 0", "true"),
    ],
)
def test_functions(says: str, truth: str) -> None:
    found = asked(FUNCTIONS, says)
    assert found.truth == truth, found
    assert found.truth != "unknown" or found.missing


def test_a_counterexample_shows_the_function() -> None:
    found = asked(FUNCTIONS, "g(-t) == g(t)")
    assert "g(Y) = inner(g_slope, Y) + g_value" in found.reason
    assert found.counterexample is not None
    assert {"g_slope", "t"} <= found.counterexample.values.keys()


@pytest.mark.parametrize(
    ("says", "more", "truth"),
    [
        ("E(norm(D(after(X, 2), W[1]))**2) == a**2 * d * (1 + a**2) * norm(X)**2", "", "true"),
        ("E(norm(D(after(X, 2), W[2]))**2) == a**2 * d * norm(X)**2", "", "false"),
        ("E(norm(D(after(X, L), W[l]))**2) == a**2 * d * (1 + a**2)**L * norm(X)**2", "", "false"),
        ("E(norm(D(after(X, L), W[l]))**2) == a**2 * d * norm(X)**2", ", where: {L: 1}", "true"),
        ("E(norm(D(after(X, L), W[1]))**2) == a**2 * d * norm(X)**2", ", where: {L: 2}", "false"),
        ("norm(D(after(X, 1), W[2])) == 0", "", "unknown"),
        ("norm(D(after(X, 9), W[2])) == 0", "", "unknown"),
    ],
)
def test_layers(says: str, more: str, truth: str) -> None:
    found = asked(LAYERS, says, more)
    assert found.truth == truth, found
    assert found.truth != "unknown" or found.missing


@pytest.mark.parametrize(
    ("says", "tight", "gap"),
    [
        ("norm(x - H @ x) <= norm(x)", True, 0),
        ("norm(x - H @ x) <= 1.006*norm(x)", True, 1 - 1 / 1.006),  # of squares 1.2%
        ("norm(x - H @ x) <= 3/2*norm(x)", False, 1 / 3),
        ("norm(x + H @ x) >= norm(x)/2", False, 1),
    ],
)
def test_a_gap_between_lengths_is_not_that_of_their_squares(says: str, tight: bool, gap: float) -> None:
    text = (
        "theorem: test/eigenvalues\nsymbols: {n: dimension, H: psd(n), x: vector(n)}\n"
        f'assumptions: {{a: "norm(H, 2) <= 1"}}\nclaims: {{c: {{says: "{says}"}}}}'
    )
    (claim,) = load_text(text).claims
    found = answered(boxes, claim, claim.steps[0], Budget(4.0, 0), "rigorous", False)
    assert found.truth == "true"
    assert found.tightness is not None
    assert found.tightness.tight is tight
    assert found.tightness.gap_high == pytest.approx(gap, abs=1e-6)


def test_a_better_side_is_not_told_in_symbols_that_the_claim_has_not() -> None:
    (claim,) = load_text(textwrap.dedent(FUNCTIONS % ("E(abs(g(t))) <= 1 + g(t)**2", ""))).claims
    found = answered(search, claim, claim.steps[0], Budget(4.0, 0), "search", False)
    assert found.truth == "true"
    assert found.tightness is not None
    assert (found.tightness.tight, found.tightness.better) == (False, None)


SEQUENCES = """
theorem: test/sequences
symbols:
  i: dimension
  x: real
  eps: positive
  Y: sequence()
  X: random(joint=Y)
assumptions:
  summable: "all(sum(P(abs(Y[j] - X) > eps), j, 0, oo) < oo, eps)"
  below: "all(x <= eps, eps)"
claims:
  c: {says: "%s"%s}
"""


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize(
    "says", ["P(limit(Y[i], i, oo) == X) == 1", "E(Y[i] * Y[i + 1]) >= 0", "sum(Y[j], j, 0, oo) < oo"]
)
def test_only_who_knows_theorems_is_asked_about_sequences(engine: Engine, says: str) -> None:
    (claim,) = load_text(SEQUENCES % (says, ", under: [summable]")).claims
    found = heard(engine, load_engine(engine), claim, claim.steps[0], Budget(1.0))
    known = engine.name == "symbolic" and says.startswith("P")
    assert found.truth == ("true" if known else "unknown")
    assert known or found.missing


@pytest.mark.parametrize(
    ("says", "truth"),
    [("E(Y[0]**2) >= E(Y[0])**2", "true"), ("E(X * Y[0]) == E(X) * E(Y[0])", "false")],
)
def test_members_are_entries_of_a_vector(says: str, truth: str) -> None:
    found = asked(SEQUENCES, says, ", under: []")
    assert found.truth == truth
    assert "Y = " in found.reason
    kept = asked(SEQUENCES, says, ", under: [summable]").truth
    assert kept == ("true" if truth == "true" else "unknown")


@pytest.mark.parametrize("under", ["summable", "below", "summable, below"])
def test_what_is_true_without_such_assumptions_is_true_with_them(under: str) -> None:
    assert asked(SEQUENCES, "(x + 1)**2 == x**2 + 2*x + 1", f", under: [{under}]").truth == "true"


def test_what_is_false_without_them_may_be_true_with_them() -> None:
    assert asked(SEQUENCES, "x <= 0", ", under: []").truth == "false"
    assert asked(SEQUENCES, "x <= 0", ", under: [below]").truth == "unknown"  # x <= eps for every eps > 0
    assert asked(SEQUENCES, "x**2 == x", ", under: [summable]").truth == "unknown"


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("sum(1/3**j, j, 1, oo) == 1/2", "true"),
        ("sum(1/3**j, j, 0, oo) == 1/2", "false"),
        ("prod(1 - 1/(j + 1)**2, j, 1, oo) == 1/2", "true"),
        ("sum(x**2, j, 1, oo) < oo", "false"),
    ],
)
def test_sums_without_end(says: str, truth: str) -> None:
    assert asked(SEQUENCES, says, ", under: []").truth == truth


def test_no_sum_without_end_is_finite_for_no_reason() -> None:
    assert asked(SEQUENCES, "sum(1/j, j, 1, oo) < oo", ", under: []").truth != "true"
    assert asked(SEQUENCES, "sum((-1)**j, j, 1, oo) < oo", ", under: []").truth != "true"
