"""Sums, products and powers of any length; quadratic forms with symbols in them; averages; logarithms. What
is true is proved, and beside each stands a false one."""

import pytest

from tests.proofs.examples import claims
from verifier.evidence import Finding
from verifier.kernel.check import TRUST, check
from verifier.proofs.propose import propose
from verifier.proofs.statement import context_of, goal
from verifier.proofs.text import from_data, to_data

FOUND = Finding("rigorous", "true", "proved", "it is so")
SYMBOLS = """\
theorem: toy/sums
symbols:
  n: dimension
  a: positive
  b: positive
  eta: interval(0, 1)
  s: interval(0, 1)
  t: real
  u: real
  v: real
  x: vector(n)
  y: vector(n)
  z: vector(n)
  p: simplex(n)
  q: simplex(n)
  A: matrix(n, n)
  B: matrix(n, n)
assumptions:
  large: n >= 5
  second: p[2] == 1/2
claims:
  statement: {says: "{says}", under: [{under}]{as}}
"""


def rules_of(says: str, under: str = "", grows: bool = False) -> set[str]:
    """The rules of the proof that is found, once it has been written, read again and checked."""
    text = SYMBOLS.replace("{says}", says).replace("{under}", under)
    (claim,) = claims(text.replace("{as}", ', as: "n -> oo"' if grows else "")).values()
    proof = from_data(to_data(propose(claim, claim.steps[0], FOUND)), claim)
    assert check(context_of(claim), proof, goal(claim.steps[0], True)).is_proof != (TRUST in proof.rules)
    return set(proof.rules)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("sum(1/i, i, 1, n) <= 1 + log(n)", "sum(1/i, i, 1, n) <= log(n + 1)"),
        ("sum(1/i, i, 1, n) >= log(n)", "sum(1/i, i, 1, n) >= log(n) + 1"),
        ("sum(1/sqrt(i), i, 1, n) <= 2*sqrt(n)", "sum(1/sqrt(i), i, 1, n) <= 2*sqrt(n) - 1.01"),
        ("sum(1/sqrt(i), i, 1, n) >= 2*sqrt(n + 1) - 2", "sum(1/sqrt(i), i, 1, n) >= 2*sqrt(n + 1) - 1"),
        ("sum(1/i**2, i, 1, n) <= 2 - 1/n", "sum(1/i**2, i, 1, n) < 2 - 1/n"),
        ("sum(1/i**2, i, 1, n) <= 2", "sum(1/i**2, i, 1, n) <= 3/2"),
        ("sum(1/2**i, i, 1, n) <= 1", "sum(1/2**i, i, 1, n) <= 3/4"),
        (
            "sum(i*factorial(i), i, 1, n) == factorial(n + 1) - 1",
            "sum(factorial(i), i, 1, n) == factorial(n)",
        ),
        ("sum(1/(i*(i + 1)), i, 1, n) == n/(n + 1)", "sum(1/(i*(i + 1)), i, 1, n) == 1/(n + 1)"),
        ("prod(1 + 1/i, i, 1, n) == n + 1", "prod(1 + 1/i, i, 1, n) == n"),
        ("factorial(n) <= n**n", "factorial(n) <= (n - 1)**n"),
        ("factorial(n) >= 2**(n - 1)", "factorial(n) >= 2**n"),
        ("2**n >= n + 1", "2**n > n + 1"),
        ("2**n >= n**2/2", "2**n >= n**2"),
        ("(1 + a)**n >= 1 + n*a", "(1 - 3*a)**n >= 1 - 3*n*a"),
        ("sum(eta**i, i, 0, n) <= 1/(1 - eta)", "sum(eta**i, i, 0, n) <= 1/(1 - eta) - 1/100"),
        ("sum(eta*(1 - eta)**i, i, 0, n) <= 1", "sum(eta*(1 - eta)**i, i, 0, n) <= 9/10"),
        ("sum(a/sqrt(i), i, 1, n) <= 2*a*sqrt(n)", "sum(t/sqrt(i), i, 1, n) <= 2*t*sqrt(n)"),
    ],
)
def test_from_one_size_to_the_next(true: str, false: str) -> None:
    assert "trust" not in rules_of(true)
    assert TRUST in rules_of(false)


@pytest.mark.parametrize("under", ["large", "second"])
def test_not_where_sizes_are_excluded(under: str) -> None:
    assert "induction" not in rules_of("2**n >= n + 1", under)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "norm(x + y)**2 <= (1 + a)*norm(x)**2 + (1 + 1/a)*norm(y)**2",
            "norm(x + y)**2 <= (1 + a)*norm(x)**2 + (1 + 1/(2*a))*norm(y)**2",
        ),
        (
            "inner(x, y) <= a*norm(x)**2/2 + norm(y)**2/(2*a)",
            "inner(x, y) <= a*norm(x)**2/2 + norm(y)**2/(3*a)",
        ),
        (
            "tr(A.T @ B) <= a*norm(A)**2/2 + norm(B)**2/(2*a)",
            "tr(A.T @ B) <= t*norm(A)**2/2 + norm(B)**2/(2*t)",
        ),
        ("u*v <= a*u**2/2 + v**2/(2*a)", "u*v <= t*u**2/2 + v**2/(2*t)"),
        ("(u + v)**2/(a + b) <= u**2/a + v**2/b", "(u + v)**2/(a - b) <= u**2/a - v**2/b"),
        (
            "norm(s*x + (1 - s)*y)**2 <= s*norm(x)**2 + (1 - s)*norm(y)**2",
            "norm(t*x + (1 - t)*y)**2 <= t*norm(x)**2 + (1 - t)*norm(y)**2",
        ),
        (
            "norm(x + y + z)**2 <= (1 + a)*norm(x + y)**2 + (1 + 1/a)*norm(z)**2",
            "norm(x + y + z)**2 <= 2*norm(x)**2 + 2*norm(y)**2 + 3*norm(z)**2",
        ),
    ],
)
def test_squares_with_symbols_in_them(true: str, false: str) -> None:
    assert TRUST not in rules_of(true)
    assert TRUST in rules_of(false)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("sum(p[i]**2, i, 1, n) >= 1/n", "sum(p[i]**2, i, 1, n) >= 2/(n + 1)"),
        ("sum(p[i]**2, i, 1, n) <= 1", "sum(x[i]**2, i, 1, n) <= 1"),
        (
            "sum(p[i]*x[i], i, 1, n)**2 <= sum(p[i]*x[i]**2, i, 1, n)",
            "sum(q[i]*x[i], i, 1, n)**2 <= sum(p[i]*x[i]**2, i, 1, n)",
        ),
        (
            "sum(x[i], i, 1, n)**2 <= n*sum(x[i]**2, i, 1, n)",
            "sum(x[i], i, 1, n)**2 <= sum(x[i]**2, i, 1, n)",
        ),
        ("sum(p[i]*log(1/p[i]), i, 1, n) <= log(n)", "sum(p[i]*log(1/p[i]), i, 1, n) == log(n)"),
        ("sum(p[i]*log(p[i]/q[i]), i, 1, n) >= 0", "sum(p[i]*log(p[i]/q[i]), i, 1, n) == 0"),
        (
            "exp(sum(p[i]*x[i], i, 1, n)) <= sum(p[i]*exp(x[i]), i, 1, n)",
            "exp(sum(p[i]*x[i], i, 1, n)) == sum(p[i]*exp(x[i]), i, 1, n)",
        ),
        ("norm(p, 1) == 1", "norm(x, 1) == 1"),
    ],
)
def test_averages(true: str, false: str) -> None:
    assert TRUST not in rules_of(true)
    assert TRUST in rules_of(false)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("log(1 + exp(t)) >= t", "log(1 + exp(t)) <= t"),
        ("log(exp(t) + exp(u)) >= t", "log(exp(t) + exp(u)) >= t + u"),
        ("softplus(t) <= relu(t) + log(2)", "softplus(t) <= relu(t) + 1/2"),
    ],
)
def test_logarithms(true: str, false: str) -> None:
    assert TRUST not in rules_of(true)
    assert TRUST in rules_of(false)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("sum(1/i, i, 1, n) == Theta(log(n))", "sum(1/i, i, 1, n) <= O(1)"),
        ("sum(1/sqrt(i), i, 1, n) == Theta(sqrt(n))", "sum(1/sqrt(i), i, 1, n) <= O(log(n))"),
        ("sum(1/i**2, i, 1, n) <= O(1)", "sum(1/i**2, i, 1, n) >= Omega(log(n))"),
    ],
)
def test_sums_grow_as_integrals(true: str, false: str) -> None:
    assert TRUST not in rules_of(true, grows=True)
    assert TRUST in rules_of(false, grows=True)
