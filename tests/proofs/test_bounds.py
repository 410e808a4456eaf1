"""Bounds by a few steps from textbooks; beside each a false one, which a lie does not make true."""

import pytest

from tests.proofs.examples import claims
from verifier.evidence import Finding
from verifier.kernel.check import check
from verifier.proofs.propose import propose
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data, to_data

FOUND = Finding("rigorous", "true", "proved", "it is so")
SYMBOLS = """\
theorem: toy/bounds
symbols:
  n: dimension
  d: dimension
  s: positive
  i: index(n)
  p: simplex(n)
  v: vector(n)
  X: matrix(n, d)
  Y: matrix(n, d)
  W: matrix(d, d)
  G: matrix(n, d)
  S: stochastic(n, n)
  h: normal()
  x: normal(d, std=s)
let: {U: X @ W, f: "inner(G, tanh(U))"}
assumptions:
  rows: all(norm(X[k]) <= 1, k, 1, n)
  short: norm(W, 2) <= 1
  small: all(p[k] <= 1/100, k, 1, n)
claims:
  statement: {says: "{says}", under: [{under}], as: [{along}]}
"""
TRUE_AND_FALSE = [
    ("norm(D(f, X)) <= norm(D(f, U))*norm(D(U, X))", "norm(D(f, X)) <= norm(D(f, U))", ""),
    ("norm(D(f, X)) <= norm(G)", "norm(D(f, X)) <= norm(G)/2", "short"),
    ("norm(S @ X)**2 <= n", "norm(S @ X)**2 <= 1", "rows"),
    ("p[i]**2 <= 1/1000", "p[i] <= 1/1000", "small"),
    ("P(abs(h) > s) <= E(h**2)/s**2", "P(abs(h) < s) <= E(h**2)/s**2", ""),
    ("E(norm(x)) >= s*sqrt(d - 1)", "E(norm(x)) >= s*sqrt(d)", ""),
    ("norm(S @ X - S @ Y) <= sqrt(n)*norm(X - Y)", "norm(S @ X - S @ Y) <= norm(X - Y)/n", ""),
]


def rules_of(says: str, under: str, along: str = "") -> set[str]:
    text = SYMBOLS.replace("{says}", says).replace("{under}", under)
    text = text.replace("{along}", along) if along else text.replace(", as: [{along}]", "")
    (claim,) = claims(text).values()
    proof = from_data(to_data(propose(claim, claim.steps[0], FOUND)), claim)
    assert check(context_of(claim), proof, goal(claim.steps[0], True)).is_proof != ("trust" in proof.rules)
    return set(proof.rules)


@pytest.mark.parametrize(("true", "false", "under"), TRUE_AND_FALSE, ids=lambda text: text[:40])
def test_bounds(true: str, false: str, under: str) -> None:
    assert "trust" not in rules_of(true, under)
    assert rules_of(false, under) == {"trust"}


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("(2 + sin(n))*n == Theta(n)", "(1 + sin(n))*n == Theta(n)"),
        ("norm(S)**2 == Theta(n*norm(S)**2/n)", "norm(S)**2 == Theta(n)"),
    ],
)
def test_growth_from_both_sides(true: str, false: str) -> None:
    assert "trust" not in rules_of(true, "", "n -> oo")
    assert rules_of(false, "", "n -> oo") == {"trust"}


def test_a_limit_is_squeezed() -> None:
    assert "squeezed" in rules_of("limit(sup(norm(softmax(X)), X)/n, n, oo) == 0", "")
    assert rules_of("limit(sup(norm(softmax(X)), X), n, oo) == 0", "") == {"trust"}
