"""Bounds between means from bounds at every draw, and what does not follow from them."""

import pytest

from verifier.evidence import Finding
from verifier.plan.asking import Case
from verifier.plan.drawwise import drawwise
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/draws
symbols: {n: dimension, d: dimension, s: positive, x: vector(d), W: "normal(n, d, std=s)",
          u: "random(n, 1, mean=0)"}
let: {p: softmax((W @ x).T)}
claims:
  c: {says: "%s"}
"""


def asked(says: str) -> Finding | None:
    (claim,) = load_text(SPEC % says).claims
    case = Case(claim, claim.steps[0], Settings())
    drawwise(case, 5.0)
    return case.findings[0] if case.findings else None


def test_a_bound_at_every_draw_is_one_in_mean_and_tight_where_both_sides_meet() -> None:
    found = asked("E(norm(p)**2) >= 1/n")
    assert found is not None
    assert (found.truth, found.grade) == ("true", "proved")
    assert found.tightness is not None
    assert found.tightness.tight


@pytest.mark.parametrize(
    "says",
    ["E(norm(p)**2) <= 4", "3*E(norm(p)) <= 3*E(norm(p, 1))", "E(norm(relu(u))) <= E(norm(u))"],
)
def test_others_that_are_true(says: str) -> None:
    found = asked(says)
    assert found is not None
    assert found.truth == "true"
    assert found.tightness is None or not found.tightness.tight


@pytest.mark.parametrize(
    "says",
    [
        "E(norm(p)**2) >= 2/n",  # false
        "E(norm(p)**2) <= 1/n",  # false: a bound in the other direction
        "E(norm(W @ x)**2) <= n*s**2*norm(x)**2",  # true in mean, at no bounded set of draws
        "E(1/norm(W @ x)) >= 0",  # may have no value at a draw
        "norm(E(W))**2 <= E(norm(W)**2)",  # the mean is not outermost
        "E(norm(p)**2) == 1/n",
        "E(exp(norm(W)**2)) < oo",  # finite at every draw, and infinite in mean where s**2 >= 1/2
    ],
)
def test_what_does_not_follow_is_not_said(says: str) -> None:
    assert asked(says) is None
