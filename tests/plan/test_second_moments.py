"""Means of norms, refuted by the means of their squares; what is true is left alone."""

import pytest

from verifier.judge.verdict import Verdict
from verifier.plan.asking import Case
from verifier.plan.second_moments import by_second_moments
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run.verify import verify

SPEC = """
theorem: toy/moments
symbols:
  n: dimension
  m: dimension
  s: positive
  r: real
  A: normal(n, m, std=s)
  B: normal(m, n, std=1)
claims:
  c: {{says: "{}"}}
"""


@pytest.mark.parametrize(
    "claim", ["E(norm(A @ B)) == n*m*s**2", "E(norm(A @ B)) == 0", "E(norm(A @ B)) >= n**2*m*s"]
)
def test_what_the_square_refutes_is_refuted_exactly(claim: str) -> None:
    (verdict,) = verify(
        load_text(SPEC.format(claim), "moments.yaml"), Settings(jobs=1, trust="engines")
    ).verdicts
    assert isinstance(verdict, Verdict)
    assert verdict.verdict == "fails"
    assert verdict.evidence in ("proved", "certified")


@pytest.mark.parametrize(
    "claim",
    [
        "E(norm(A @ B)) <= sqrt(m)*n*s",
        "E(norm(A @ B)) >= 0",
        "E(norm(A @ B)) >= -2*s",  # the square of the right side is large, the right side is not
        "E(norm(A @ B)) <= r",
    ],
)
def test_what_it_does_not_refute_is_left_alone(claim: str) -> None:
    (made,) = load_text(SPEC.format(claim), "moments.yaml").claims
    case = Case(made, made.steps[0], Settings(trust="engines"), shown=False)
    by_second_moments(case, 5.0)
    assert case.findings == []


def test_the_point_says_what_is_known_of_the_left_side() -> None:
    (made,) = load_text(SPEC.format("E(norm(A)) == 2*n*m*s"), "moments.yaml").claims
    case = Case(made, made.steps[0], Settings(trust="engines"), shown=False)
    by_second_moments(case, 5.0)
    example = case.findings[0].counterexample
    assert example is not None
    assert example.lhs is None
    assert str(example.lhs_exact).startswith("at most ")
    assert example.rhs_exact == str(2 * example.values["n"] * example.values["m"] * example.values["s"])
