"""What is true instead of a false statement: the half that is proved, and nothing where neither is."""

from fractions import Fraction

import pytest

from verifier.expr.nodes import Number, Relation, Symbol
from verifier.judge.verdict import Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run.verify import verify
from verifier.suggest.true_half import weaker

SPEC = """
theorem: toy/restate
symbols:
  n: dimension
  m: dimension
  x: real
  X: matrix(n, m)
  s: random(n, 1)
  W: normal(n, m)
assumptions:
  rows: all(norm(X[k]) == 1, k, 1, n)
claims:
  c: {{says: "{}", under: [{}]}}
"""


def judged(text: str, under: str = "") -> Verdict:
    (verdict,) = verify(
        load_text(SPEC.format(text, under), "restate.yaml"), Settings(jobs=1, trust="engines")
    ).verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "fails"
    return verdict


def instead(text: str, under: str = "") -> str | None:
    return judged(text, under).steps[0].instead


@pytest.mark.parametrize(
    ("claim", "half"),
    [
        ("sigmoid(x) == Theta(1)", "sigmoid(x) <= O(1)"),
        ("x**2 + 1 == Theta(1)", "x**2 + 1 >= Omega(1)"),
        ("exp(x) == Theta(1)", None),  # neither bounded nor bounded away from 0
        ("x**2 + 1 > 1", "x**2 + 1 >= 1"),
        ("x**3 + 1 > 1", None),
        ("norm(X)**2 > 0", None),
        ("norm(X) == 0", None),  # that a norm is not negative is no news
        (
            "E(norm(W @ W.T)) == n*m*(n + m + 1)",
            "E(norm(W @ W.T)**2) == n*m*(n + m + 1)",
        ),  # the square is meant
        ("norm(2*X @ X.T) == Theta(1)", "norm(2*X @ X.T) <= O(norm(X)**2)"),
    ],
)
def test_the_half_that_is_true(claim: str, half: str | None) -> None:
    assert instead(claim) == half


def test_an_equality_has_two_halves() -> None:
    x, one = Symbol("x"), Number(Fraction(1))
    assert list(weaker(Relation("==", x, one))) == [Relation("<=", x, one), Relation(">=", x, one)]
    assert list(weaker(Relation("<=", x, one))) == []


GELU = """
theorem: toy/ceiling
symbols: {{n: dimension, d: dimension, X: "matrix(n, d)", g: "matrix(n, d)"}}
claims:
  c: {{says: "norm(D(inner(g, {}(X)), X)) <= norm(g)"}}
"""


@pytest.mark.parametrize(
    ("function", "bound"),
    [("gelu", "norm(D(inner(g, gelu(X)), X)) <= 112891*norm(g)/100000"), ("exp", None)],
)
def test_a_bound_by_norms_in_the_place_of_a_false_one(function: str, bound: str | None) -> None:
    (verdict,) = verify(
        load_text(GELU.format(function), "restate.yaml"), Settings(jobs=1, trust="engines")
    ).verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "fails"
    assert verdict.steps[0].instead == bound


def test_an_order_that_a_point_has_is_the_correction() -> None:
    found = judged("norm(X) / sqrt(n) <= order(1e-1)", "rows").steps[0]
    assert found.corrected == "order(1e0)"
    assert found.instead is None


@pytest.mark.parametrize("claim", ["norm(X) <= order(1e-1)", "norm(X) == order(1)"])
def test_of_what_is_not_bounded_no_order_is_offered(claim: str) -> None:
    found = judged(claim).steps[0]
    assert found.corrected is None
    assert found.instead is None
