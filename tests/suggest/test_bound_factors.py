"""Factors of bounds: the best one that can be proved, as simple as it gets."""

from fractions import Fraction

import pytest

from verifier.evidence import Finding
from verifier.plan.asking import Case
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.suggest.bound_factors import by_rules, largest, least, simplest


@pytest.mark.parametrize(
    "best", [Fraction(4), Fraction(5, 2), Fraction(31, 30), Fraction(700), Fraction(1, 1)]
)
def test_the_largest_factor(best: Fraction) -> None:
    found = largest(lambda factor: factor <= best, Fraction(51, 50), Fraction(1024))
    assert found == (best if best > Fraction(51, 50) else None)


@pytest.mark.parametrize("best", [Fraction(4), Fraction(5, 2), Fraction(9, 8), Fraction(64)])
def test_the_least_factor(best: Fraction) -> None:
    assert least(lambda factor: "true" if factor >= best else "false", Fraction(64)) == best


def test_no_least_factor_where_an_answer_is_missing() -> None:
    assert least(lambda factor: "true" if factor >= 8 else "unknown", Fraction(64)) is None


def test_the_simplest_fraction_between_two() -> None:
    assert simplest(Fraction(314, 100), Fraction(315, 100)) == Fraction(22, 7)
    assert simplest(Fraction(7, 3), Fraction(4)) == 3


GRADIENT = """
theorem: toy/gradient
symbols: {{n: dimension, d: dimension, X: "matrix(n, d)", W: "matrix(d, d)", G: "matrix(n, n)"}}
let: {{Q: X @ W}}
assumptions: {{rows: "all(norm(X[k]) == 1, k, 1, n)"}}
claims:
  c: {{says: "norm(D(inner(G, Q @ X.T), Q)) <= {}*norm(G)"}}
"""


@pytest.mark.parametrize(
    ("factor", "known", "heard"),
    [("sqrt(n)", "norm(G @ X)", ["true"]), ("1", "norm(G @ X)", []), ("sqrt(n)", None, [])],
)
def test_rules_speak_of_closed_forms(factor: str, known: str | None, heard: list[str]) -> None:
    (made,) = load_text(GRADIENT.format(factor), "factors.yaml").claims
    case = Case(made, made.steps[0], Settings(trust="engines"), shown=False)
    case.findings.append(Finding("symbolic", "unknown", lhs=known))
    by_rules(case, 5.0)
    assert [finding.truth for finding in case.findings[1:]] == heard
