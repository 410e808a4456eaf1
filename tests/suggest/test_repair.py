"""Extra conditions that save a false claim: true ones, and none for what cannot be saved."""

import pytest

from verifier.judge.verdict import Repair, Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run.verify import verify

SPEC = """
theorem: toy/mend
symbols:
  n: dimension
  m: dimension
  i: index(n)
  k: index(n)
  j: index(m)
  l: index(m)
  x: real
  s: positive
  t: positive
  v: vector(n)
  u: interval(0, oo)
  w: interval(0, oo)
  X: matrix(n, m)
  W: normal(n, m, std=s)
assumptions:
  large: s >= 2
claims:
  c: {{says: "{}", under: [{}]}}
"""


def repair(text: str, under: str = "") -> Repair | None:
    run = verify(
        load_text(SPEC.format(text, under), "mend.yaml"), Settings(jobs=1, seconds=30, trust="engines")
    )
    (verdict,) = run.verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "fails"
    return verdict.repair


@pytest.mark.parametrize(
    ("claim", "condition"),
    [
        ("x**3 >= 0", "x >= 0"),
        ("E(norm(W @ W.T)**2) == n*m*(2*n + 1)*s**4", "n == m"),
        ("norm(X)**2 > 0", "norm(X) > 0"),
        ("norm(X.T @ ones(n))**2 > 0", "norm(X.T @ ones(n)) > 0"),  # norm(X) > 0 is not enough
        ("norm(X @ ones(m))**2 > 0", "norm(X @ ones(m)) > 0"),
        ("X[i, j]*X[k, j] == X[i, j]**2", "i == k"),
        ("X[i, j]*X[k, l] == X[i, j]**2", "i == k and j == l"),  # neither is enough alone
        ("sigmoid(x) == Theta(1)", "x >= 0"),
        ("s*u <= t**2*u", "s <= t**2"),  # s <= t is not enough
        ("s*norm(X)**2 <= norm(v)**2*norm(X)**2", "s <= norm(v)**2"),
        ("s*w <= s*u", "u >= w"),  # and not that w is 0
    ],
)
def test_a_condition_that_saves_the_claim_is_found(claim: str, condition: str) -> None:
    found = repair(claim)
    assert found is not None
    assert found.condition == condition
    assert found.verdict in ("holds", "loose")


@pytest.mark.parametrize(("factor", "threshold"), [("1", "1"), ("9", "3"), ("9/4", "3/2")])
def test_the_threshold_is_the_largest(factor: str, threshold: str) -> None:
    found = repair(f"E(norm(W)**2) <= {factor}*n*m")
    assert found is not None
    assert found.condition == f"s <= {threshold}"


@pytest.mark.parametrize(
    "claim", ["E(norm(W)**2) == 2*n*m*s**2", "X[i, j]*X[k, j] == 2*X[i, j]**2 + 1", "norm(X) < 0"]
)
def test_what_no_simple_condition_saves_is_left_alone(claim: str) -> None:
    assert repair(claim) is None


def test_a_condition_that_nothing_satisfies_saves_nothing() -> None:
    found = repair("E(norm(W)**2) <= n*m", "large")
    assert found is None
