"""Relations as bounds small <= large."""

import pytest

from tests.refute.claims import claim_of
from verifier.expr.text import to_text
from verifier.prove.rules.bound_form import bounds_of


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("a <= b", [("a", "b", "b", False)]),
        ("a < b", [("a", "b", "b", True)]),
        ("a >= b", [("b", "a", "b", False)]),
        ("a > b", [("b", "a", "b", True)]),
        ("a in [1, b]", [("1", "a", "1", False), ("a", "b", "b", False)]),
        ("a in [0, oo]", [("0", "a", "0", False)]),
        ("t in [-oo, oo]", []),
        ("a == b", []),
    ],
)
def test_bounds(says: str, expected: list[tuple[str, str, str, bool]]) -> None:
    found = bounds_of(claim_of(says).steps[0].fact)
    assert [(to_text(b.small), to_text(b.large), to_text(b.stated), b.strict) for b in found] == expected


@pytest.mark.parametrize(
    ("says", "zero"), [("a >= 0", True), ("a >= log(1)", True), ("a >= 1", False), ("a >= t - t", False)]
)
def test_a_constant_zero_is_known_however_it_is_written(says: str, zero: bool) -> None:
    (bound,) = bounds_of(claim_of(says).steps[0].fact)
    assert bound.is_zero == zero


def test_a_bound_restated() -> None:
    (upper,) = bounds_of(claim_of("a <= 2*b").steps[0].fact)
    (lower,) = bounds_of(claim_of("a >= 2*b").steps[0].fact)
    node = upper.small
    assert upper.restated(node).large == node
    assert lower.restated(node).small == node
    assert lower.restated(node).large == lower.large
