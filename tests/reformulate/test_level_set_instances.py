"""Counterexamples among the solutions of an equation are told in the claim's own symbols."""

import pytest

from verifier.evidence import Budget, Finding
from verifier.prove.ranges.engine import examine
from verifier.read.specs.load import load_text
from verifier.reformulate.level_set_instances import by_level_sets

SPEC = """
theorem: toy/level-sets
symbols: {x: real, y: real, a: positive, b: positive}
assumptions: {e: "%s"}
claims:
  c: {says: "%s"}
"""


def asked(equation: str, says: str) -> Finding:
    (claim,) = load_text(SPEC % (equation, says), "level-sets.yaml").claims
    return by_level_sets(examine, claim, claim.steps[0], Budget(5.0), "rigorous")


@pytest.mark.parametrize(
    ("equation", "true", "false"),
    [
        ("x**2 + y**2 == 1", "x*y <= 1/2", "x*y <= 0.49"),
        ("a + b == 1", "a*b <= 1/4", "a*b <= 0.24"),
        ("a*b == 1", "a + b >= 2", "a + b >= 2.01"),
    ],
)
def test_both_ways(equation: str, true: str, false: str) -> None:
    shown = asked(equation, true)
    assert shown.truth == "true"
    assert shown.tightness is not None
    assert shown.tightness.tight is True
    broken = asked(equation, false)
    assert broken.truth == "false"
    assert broken.counterexample is not None
    assert broken.counterexample.values.keys() <= {"x", "y", "a", "b"}
    assert len(broken.counterexample.values) == 2
