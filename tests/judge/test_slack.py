"""How many times better a bound could be."""

from fractions import Fraction

import pytest

from verifier.evidence import Tightness
from verifier.expr.nodes import Relation, Within
from verifier.judge.slack import slack
from verifier.read.specs.load import load_text


def fact(says: str) -> Relation | Within:
    symbols = "{a: positive, b: positive, n: dimension, v: vector(n)}"
    loaded = load_text(
        f"schema: 1\ntheorem: t/one\nsymbols: {symbols}\nclaims: {{c: {{says: '{says}'}}}}\n", "t"
    )
    return loaded.claims[0].steps[0].fact


@pytest.mark.parametrize(
    ("says", "gap", "expected"),
    [
        ("a <= 4*b", Fraction(3, 4), 4.0),
        ("a <= b", 0, 1.0),
        ("a <= b", 1, None),  # the left side is never positive
        ("a >= b", Fraction(1, 2), 1.5),
        ("a >= b", 1, 2.0),  # half of what it could be
        ("a >= b", 7, 8.0),
        ("a >= b", 10**400, None),  # beyond floats
        ("a > b", 0, 1.0),
        ("norm(v) >= -norm(v)", 0, None),
        ("a - b >= -2*(a + b)", Fraction(1, 2), None),
        ("-a <= -b/2", Fraction(1, 2), None),
        ("-a <= -(-b)", Fraction(1, 2), 2.0),
        ("a in [0, 2]", Fraction(1, 2), None),
    ],
)
def test_slack(says: str, gap: Fraction | int, expected: float | None) -> None:
    assert slack(fact(says), Tightness(False, gap_low=gap, gap_high=gap)) == expected


def test_nothing_known() -> None:
    assert slack(fact("a <= b"), None) is None
    assert slack(fact("a <= b"), Tightness(False)) is None
    assert slack(fact("a <= 4*b"), Tightness(False, gap_low=Fraction(3, 4))) == 4.0
