"""Growth and limits that are proved, and beside each a false sibling, which is refuted and never proved."""

import pytest

from tests.proofs.examples import claims
from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.kernel.check import check
from verifier.proofs.propose import propose
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data, to_data

SYMBOLS = """\
theorem: toy/growth
symbols:
  n: dimension
  d: dimension
  k: dimension
  p: dimension
  a: positive
  c: real
  x: vector(k)
  y: vector(n)
  W: normal(n, d)
  X: normal(n, k)
assumptions:
  wide: d >= n
  square: d == n**2
  ball: a**2 + c**2 <= 1
claims:
  statement: {says: "{says}", as: [{growing}], under: [{under}]}
"""


def read(says: str, growing: str, under: str = "") -> Claim:
    arrows = ", ".join(f"{name} -> oo" for name in growing.split())
    text = SYMBOLS.replace("{says}", says).replace("{growing}", arrows).replace("{under}", under)
    if not growing:
        text = text.replace("as: [], ", "")
    (claim,) = claims(text).values()
    return claim


def is_proved(claim: Claim, truth: bool) -> bool:
    """Whether a proof is found, once it has been written, read again and checked."""
    finding = Finding("symbolic", "true" if truth else "false", "proved", "it is so")
    step = claim.steps[0]
    proof = from_data(to_data(propose(claim, step, finding)), claim)
    return check(context_of(claim), proof, goal(step, truth)).is_proof


TRUE_AND_FALSE = [
    ("E(norm(W)**4) == Theta(n**2)", "E(norm(W)**4) == Theta(n**3)", "n"),
    ("E(tr(matpow(W.T @ W, 2))) == Theta(n*d*(n + d))", "E(tr(matpow(W.T @ W, 2))) == Theta(n**2*d)", "n d"),
    ("E(norm((X @ X.T)**p)) <= O(n)", "E(norm(X @ X.T)**2) <= O(n)", "n"),
    ("E(norm(X @ X.T, 2)) <= O(n)", "E(norm(matpow(X @ X.T, 2))) <= O(n)", "n"),
    ("n*norm(x) <= O(n)", "n*norm(y) <= O(n)", "n"),
    ("c*n + n**2 >= Omega(n**2)", "c*n**2 + n >= Omega(n**2)", "n"),
    ("1/(n + a) - 1/n <= O(1/n**2)", "1/(n + a) - 2/n <= O(1/n**2)", "n"),
    ("1/sqrt(d) <= O(1)", "sqrt(d) <= O(1)", ""),
    ("E(norm(softmax(W))) <= O(sqrt(n))", "E(norm(softmax(W)))*n <= O(sqrt(n))", "n"),
    ("abs(a*c) <= O(a**2 + c**2)", "abs(a*c) <= O(c**2)", ""),
    ("log(1 + a) <= O(a)", "a**2 <= O(a)", ""),
    ("1 + a**2 >= Omega(a)", "1 + a >= Omega(a**2)", ""),
    ("limit(E(norm(W)**4)/n**2, n, oo) == d**2", "limit(E(norm(W)**4)/n**2, n, oo) == d", ""),
    ("limit((1 + c/n)**n, n, oo) == exp(c)", "limit((1 + c/n)**n, n, oo) == 1 + c", ""),
    ("limit(factorial(n)/factorial(n - 2)/n**2, n, oo) == 1",
     "limit(factorial(n)/factorial(n - 2)/n, n, oo) == 1", ""),
]  # fmt: skip


@pytest.mark.parametrize(("true", "false", "growing"), TRUE_AND_FALSE)
def test_what_is_true_is_proved_and_what_is_false_is_refuted(true: str, false: str, growing: str) -> None:
    assert is_proved(read(true, growing), True)
    assert not is_proved(read(true, growing), False)
    assert not is_proved(read(false, growing), True)
    assert is_proved(read(false, growing), False)


def test_a_family_keeps_to_the_assumptions() -> None:
    """n*d <= O(d**2) is true where d >= n, and false otherwise."""
    says = "n*d <= O(d**2)"
    assert is_proved(read(says, "n d"), False)
    assert not is_proved(read(says, "n d", "wide"), False)


def test_the_largest_value_grows_like_its_bound() -> None:
    assert is_proved(read("sup(norm(softmax(x.T)), x) + n <= O(n)", "n"), True)
    assert not is_proved(read("sup(norm(softmax(x.T)), x) + n <= O(sqrt(n))", "n"), True)


BY_BOUNDS = [
    ("n**2 <= O(n*d)", "d**2 <= O(n*d)", "n d", "wide"),
    ("n*log(n) <= O(sqrt(d)*n)", "n*d <= O(n**2*log(n))", "n d", "square"),
    ("log(n*d) == Theta(log(n))", "log(n*d) == Theta(log(n)**2)", "n d", "square"),
    ("sum(j**a, j, 1, n) == Theta(n**(a + 1))", "sum(j**a, j, 1, n) == Theta(n**a)", "n", ""),
    ("sum(1/sqrt(j), j, 1, n) == Theta(sqrt(n))", "sum(1/sqrt(j), j, 1, n) <= O(log(n))", "n", ""),
    ("sum(1/j, j, 1, n) <= O(log(n) + 1)", "sum(1/j, j, 1, n) <= O(1)", "", ""),
    ("c**2*sum((1 + c**2)**j, j, 0, n) <= O((1 + c**2)**n)", "sum((1 + c**2)**j, j, 0, n) <= O(1)", "n", ""),
    ("a*c <= O(1)", "1/a <= O(1)", "", "ball"),
    ("E(norm(W @ W.T/d - eye(n))**2) <= O(n)", "E(norm(W @ W.T/d - eye(n))**2) <= O(1)", "n d", "wide"),
]


@pytest.mark.parametrize(("true", "false", "growing", "under"), BY_BOUNDS, ids=lambda says: says[:40])
def test_bounds_at_all_values_are_bounds_of_growth(true: str, false: str, growing: str, under: str) -> None:
    assert is_proved(read(true, growing, under), True)
    assert not is_proved(read(false, growing, under), True)
