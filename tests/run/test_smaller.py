"""Counterexamples made smaller: still allowed, still false, never on weaker evidence."""

import pytest

from verifier.claim.load import load_text
from verifier.claim.model import Claim
from verifier.evidence import Finding
from verifier.rigorous.recheck import recheck
from verifier.run.confirm import exact_point
from verifier.run.smaller import smaller

SPEC = """
theorem: run/smaller
symbols:
  n: dimension
  d: dimension
  s: positive
  x: vector(d)
  p: simplex(d)
  P: stochastic(n, n)
  X: matrix(n, d)
  W: normal(d, d, std=s)
claims:
  c: {says: "%s"}
"""


def found(says: str, point: dict[str, object]) -> tuple[Claim, Finding]:
    (claim,) = load_text(SPEC % says, "smaller.yaml").claims
    step = claim.steps[0]
    exact = exact_point(point)
    assert exact is not None
    checked = recheck(claim, step.fact, exact)
    assert checked.outcome == "false", checked
    finding = Finding("symbolic", "false", checked.grade, "", counterexample=checked.counterexample)
    return claim, smaller(claim, step, finding)


@pytest.mark.parametrize(
    ("says", "point", "sizes"),
    [
        ("norm(p)**2 <= 1/2", {"d": 3, "p": [["9/10"], ["1/20"], ["1/20"]]}, {"d": 1}),
        ("norm(x)**2 <= 7", {"d": 3, "x": [[3], [-2], [5]]}, {"d": 1}),
        ("E(norm(W @ x)**2) == s**2*norm(x)**2", {"d": 3, "s": 2, "x": [[1], [2], [3]]}, {"d": 2}),
        ("norm(X @ X.T) == norm(X)**2", {"n": 3, "d": 2, "X": [[1, 2], [3, 1], [0, 1]]}, {"n": 2, "d": 2}),
        (
            "norm(P, 2) <= 1",
            {"n": 3, "P": [["1/2", "1/2", 0], ["1/2", "1/2", 0], ["1/2", "1/2", 0]]},
            {"n": 2},
        ),
    ],
)
def test_fewer_dimensions(says: str, point: dict[str, object], sizes: dict[str, int]) -> None:
    claim, finding = found(says, point)
    assert finding.counterexample is not None
    exact = exact_point(finding.counterexample.values)
    assert exact is not None
    assert {name: exact[name] for name in sizes} == sizes
    assert recheck(claim, claim.steps[0].fact, exact).outcome == "false"


def test_a_proof_is_not_given_up_for_a_smaller_point() -> None:
    # At d = 1 and x = 1 the left side is exp(1), which is known by an interval alone.
    _, finding = found("exp(norm(x)) <= 1 + norm(x)**4", {"d": 1, "x": [[1]]})
    assert finding.grade == "certified"
    _, finding = found("norm(x)**2 <= 7", {"d": 2, "x": [[3], [4]]})
    assert finding.grade == "proved"
