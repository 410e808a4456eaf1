"""Rows of bounded norm, and averages of them."""

import pytest

from verifier.prove.rules.bound_form import bounds_of
from verifier.prove.rules.certify import prove
from verifier.read.specs.load import load_text
from verifier.timer import worked

SPEC = """
theorem: search/rows
symbols:
  n: dimension
  m: dimension
  d: dimension
  c: positive
  X: matrix(n, d)
  A: matrix(m, n)
  P: stochastic(m, n)
  Q: stochastic(n, n)
  W: normal(n, d)
assumptions: {{rows: "all({row}, i, 1, {count})"}}
claims:
  c: {{says: "{says}"}}
"""


def is_proved(says: str, row: str = "norm(X[i]) <= c", count: str = "n") -> bool:
    (claim,) = load_text(SPEC.format(says=says, row=row, count=count), "rows.yaml").claims
    (bound,) = bounds_of(claim.steps[0].fact)
    return prove(claim, bound, worked() + 5) is not None


@pytest.mark.parametrize(
    "says",
    [
        "norm(X) <= sqrt(n)*c",
        "norm(P @ X) <= sqrt(m)*c",
        "norm(P @ Q @ X)**2 <= m*c**2",
        "norm(ones(m, n)/n @ X) <= sqrt(m)*c",
        "norm(softmax(A) @ X, 2) <= sqrt(m)*c",
        "E(norm(softmax(W @ X.T) @ X)**2) <= n*c**2",
    ],
)
def test_averages(says: str) -> None:
    assert is_proved(says)
    assert is_proved(says, "norm(X[i])**2 == c**2")


@pytest.mark.parametrize(
    ("says", "row", "count"),
    [
        ("norm(P @ X) <= c", "norm(X[i]) <= c", "n"),  # each row, and not all together
        ("norm(A @ X) <= sqrt(m)*c", "norm(X[i]) <= c", "n"),  # weights that are no probabilities
        ("norm(P @ X) <= sqrt(m)*c", "norm(X[i]) >= c", "n"),
        ("norm(P @ X) <= sqrt(m)*c", "norm(Q[i]) <= c", "n"),  # another matrix
        ("norm(ones(m, n)/m @ X) <= sqrt(m)*c", "norm(X[i]) <= c", "n"),
    ],
)
def test_what_does_not_follow(says: str, row: str, count: str) -> None:
    assert not is_proved(says, row, count)
