"""A bound of 0 is as tight on the left as it is on the right."""

import pytest

from verifier.judge.verdict import Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_text
from verifier.run.verify import verify

SPEC = """
theorem: toy/turn
symbols: {{n: dimension, x: real, v: vector(n)}}
claims:
  c: {{says: "{}"}}
"""


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("0 <= x**2", "holds"),
        ("0 <= x**2 + 1", "loose"),
        ("0 < exp(x)", "holds"),
        ("0 >= x**2", "fails"),
        ("0 <= norm(v)", "holds"),
        ("0 < norm(v)", "fails"),
    ],
)
def test_a_bound_of_zero_may_stand_on_the_left(says: str, verdict: str) -> None:
    (found,) = verify(load_text(SPEC.format(says), "turn.yaml"), Settings(jobs=1, trust="engines")).verdicts
    assert isinstance(found, Verdict)
    assert found.verdict == verdict
    example = found.steps[0].counterexample
    if example is not None:
        assert example.lhs == 0


def test_what_the_zero_could_be_is_no_right_side() -> None:
    (found,) = verify(
        load_text(SPEC.format("0 <= x**2 + 1"), "turn.yaml"), Settings(jobs=1, trust="engines")
    ).verdicts
    assert isinstance(found, Verdict)
    assert found.steps[0].tight is None
    assert found.reason.endswith("the 0 on the left could be 1")
