"""Extra conditions that save a false claim: true ones, and none for what cannot be saved."""

import pytest

from verifier.claim.load import load_text
from verifier.judge.verdict import Repair, Verdict
from verifier.run.settings import Settings
from verifier.run.verify import verify

SPEC = """
theorem: toy/mend
symbols:
  n: dimension
  m: dimension
  x: real
  s: positive
  W: normal(n, m, std=s)
claims:
  c: {{says: "{}"}}
"""


def repair(text: str) -> Repair | None:
    run = verify(load_text(SPEC.format(text), "mend.yaml"), Settings(jobs=1))
    (verdict,) = run.verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "fails"
    return verdict.repair


@pytest.mark.parametrize(
    ("claim", "condition"),
    [
        ("x**3 >= 0", "x >= 0"),
        ("E(norm(W @ W.T)**2) == n*m*(2*n + 1)*s**4", "n == m"),
        ("E(norm(W)**2) <= n*m", "s <= 1"),
    ],
)
def test_a_condition_that_saves_the_claim_is_found(claim: str, condition: str) -> None:
    found = repair(claim)
    assert found is not None
    assert found.condition == condition
    assert found.verdict in ("holds", "loose")


def test_what_no_simple_condition_saves_is_left_alone() -> None:
    assert repair("E(norm(W)**2) == 2*n*m*s**2") is None
