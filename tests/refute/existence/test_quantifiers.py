"""sup and inf dropped where the statement stays the same."""

import pytest

from tests.refute.claims import claim_of, searched
from verifier.expr.text import to_text
from verifier.refute.existence.quantifiers import without_extremes


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("sup(norm(x, 1)/norm(x), x) <= sqrt(n)", "norm(x, 1)/norm(x) <= sqrt(n)"),
        ("2*sup(norm(x), x) + 1 <= a", "2*norm(x) + 1 <= a"),
        ("inf(norm(x), x) >= 0", "norm(x) >= 0"),
        ("a <= inf(exp(t), t)", "a <= exp(t)"),
        ("-inf(t, t) <= a", "-t <= a"),
        ("a <= b", "a <= b"),
    ],
)
def test_dropped(says: str, expected: str) -> None:
    found = without_extremes(claim_of(says).steps[0].fact)
    assert found is not None
    assert to_text(found) == expected


@pytest.mark.parametrize(
    "says",
    [
        "sup(norm(x), x) >= 1",  # it is enough that one x exists
        "inf(norm(x), x) <= 1",
        "sup(norm(x), x) <= norm(x)",  # the x outside is another one
        "sup(norm(x), x) == 1",
        "t*sup(norm(x), x) <= 1",  # t may be negative
    ],
)
def test_not_dropped(says: str) -> None:
    assert without_extremes(claim_of(says).steps[0].fact) is None


def test_a_supremum_is_judged() -> None:
    assert searched("sup(norm(x, 1)/norm(x), x) <= sqrt(n)")[1].verdict == "holds"
    assert searched("sup(norm(x, 1)/norm(x), x) <= 0.98*sqrt(n)")[1].verdict == "fails"
