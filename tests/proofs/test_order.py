"""Inequalities that are proved from signs, known inequalities and textbooks; beside each a false one."""

import pytest

from tests.proofs.examples import claims
from verifier.evidence import Finding
from verifier.kernel.check import check
from verifier.proofs.propose import propose
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data, to_data

FOUND = Finding("rigorous", "true", "proved", "it is so")
SYMBOLS = """\
theorem: toy/order
symbols:
  n: dimension
  m: dimension
  a: positive
  b: positive
  c: positive
  x: real
  y: real
  s: interval(0, 1)
  t: interval(0, 1)
  i: index(n)
  u: vector(n)
  v: vector(n)
  A: matrix(n, m)
  B: matrix(m, n)
  h: normal()
  g: normal(n)
assumptions:
  ordered: x <= y
  sizes: a <= b
  short: norm(u) <= 1
  whole: x + y == 1
  circle: x**2 + y**2 == 1
let: {w: u - v}
claims:
  statement: {says: "{says}", under: [{under}]}
"""


def rules_of(says: str, under: str = "") -> set[str]:
    """The rules of the proof that is found, once it has been written, read again and checked."""
    (claim,) = claims(SYMBOLS.replace("{says}", says).replace("{under}", under)).values()
    proof = from_data(to_data(propose(claim, claim.steps[0], FOUND)), claim)
    assert check(context_of(claim), proof, goal(claim.steps[0], True)).is_proof != ("trust" in proof.rules)
    return set(proof.rules)


TRUE_AND_FALSE = [
    ("2*x**2 - 3*x*y + 2*y**2 >= 0", "2*x**2 - 5*x*y + 2*y**2 >= 0", ""),
    ("5*x**2 - 4*x*y + y**2 - 2*x + 2 > 0", "5*x**2 - 4*x*y + y**2 - 2*x + 1 > 0", ""),
    ("3*x + 4*y <= 5", "3*x + 4*y <= 4.9", "circle"),
    ("x*y >= -1/2", "x*y >= -2/5", "circle"),
    ("x*y <= (x**2 + y**2)/2", "x*y <= (x**2 + y**2)/3", ""),
    ("(x - y)**4 + 1 > 0", "(x - y)**4 - 1 > 0", ""),
    ("x**4 + y**4 >= x**3*y + x*y**3", "x**4 + y**4 >= x**3*y + 2*x*y**3", ""),
    ("a/(b + c) + b/(a + c) + c/(a + b) >= 3/2", "a/(b + c) + b/(a + c) + c/(a + b) >= 8/5", ""),
    ("a + 1/a >= 2", "a + 1/a > 2", ""),
    ("t**2*s - t*s**2 <= 1/4", "t**2*s - t*s**2 <= 6/25", ""),
    ("(x + y)*(a + b) <= 2*(x*a + y*b)", "(x + y)*(a + b) <= x*a + y*b", "ordered, sizes"),
    ("norm(w)**2 <= 2*norm(u)**2 + 2*norm(v)**2", "norm(w)**2 <= norm(u)**2 + norm(v)**2", ""),
    ("norm(A @ B @ u) <= norm(A)*norm(B, 2)*norm(u)", "norm(A @ B) <= norm(A, 2)*norm(B, 2)", ""),
    ("inner(u, v) <= norm(v)", "inner(u, v) <= norm(v)/2", "short"),
    ("abs(u[i]) <= norm(u, 1)", "norm(u, 1) <= abs(u[i])", ""),
    ("sqrt(x**2 + y**2) <= abs(x) + abs(y)", "sqrt(x**2 + y**2) <= abs(x) + abs(y)/2", ""),
    ("tanh(x) in [-1, 1]", "tanh(x) in [-1, 1/2]", ""),
    ("E(tanh(h))**2 <= E(tanh(h)**2)", "E(tanh(h)**2) <= E(tanh(h))**2", ""),
    ("log(a) <= a", "log(a) <= a - 2", ""),
    ("n**2 >= n", "n**2 > n", ""),
    ("x*y <= 1/4", "x*y <= 1/5", "whole"),
    ("a*tanh(x) in [-a, a]", "a*tanh(x) in [-a, a/2]", ""),
    ("E(norm(tanh(g))**2) <= n", "E(norm(tanh(g))**2) <= n/8", ""),
    ("exp(-(x - y)**2) <= 1", "exp((x - y)**2) <= 1", ""),
    ("sup(x*a - exp(x), x) == a*log(a) - a", "sup(x*a - exp(x), x) == a*log(a)", ""),
    ("inf(x**2 - 2*x*y, x) == -y**2", "inf(x**2 - 2*x*y, x) == -2*y**2", ""),
    ("sup(norm(softmax(u.T)), u) <= 1", "sup(norm(softmax(u.T)), u) <= 9/10", ""),
    ("sum(exp(u[k]), k, 1, n) >= n*exp(sum(u[k], k, 1, n)/n)", "sum(exp(u[k]), k, 1, n) >= n", ""),
    ("E(softplus(h + x)) >= softplus(x)", "E(softplus(h + x)) <= softplus(x)", ""),
    ("E(norm(g + u)) >= norm(u)", "E(norm(g + u)) <= norm(u)", ""),
    ("a*log(a) >= a - 1", "a*log(a) >= a", ""),
    ("log(n + 1) + a >= 0", "log(n) + x >= 0", ""),
    ("(x - pi)**2 + (y - 3)**2 + 1 > 1/2", "(x - pi)**2 + (y - 3)**2 > 0", ""),
]


@pytest.mark.parametrize(("true", "false", "under"), TRUE_AND_FALSE, ids=lambda text: text[:40])
def test_truths_are_proved_and_falsehoods_are_not(true: str, false: str, under: str) -> None:
    assert "trust" not in rules_of(true, under)
    assert rules_of(false, under) == {"trust"}


def test_a_quotient_is_not_multiplied_out_by_what_may_be_negative() -> None:
    assert rules_of("x + 1/x >= 2") == {"trust"}
    assert "divide" in rules_of("a + 1/a >= 2")


def test_an_assumption_is_used_only_where_it_is_in_force() -> None:
    says = "inner(u, v) <= norm(v)"
    assert "assumption" in rules_of(says, "short")
    assert rules_of(says) == {"trust"}


@pytest.mark.parametrize(
    ("says", "rule"),
    [
        ("a < a + b", "sign"),
        ("s <= 1", "declared"),
        ("2*x*y <= x**2 + y**2", "combine"),
        ("a/(1 + a) <= 1", "divide"),
        ("t**2*s - t*s**2 <= 1/4", "multiply"),
        ("exp(norm(A @ B)) <= exp(norm(A)*norm(B))", "monotone"),
        ("sqrt(x**2 + y**2) <= abs(x) + abs(y)", "squares"),
        ("tanh(x) in [-2, 1]", "within"),
    ],
)
def test_each_way_is_taken(says: str, rule: str) -> None:
    assert rule in rules_of(says)
