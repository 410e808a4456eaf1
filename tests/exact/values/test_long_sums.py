"""Sums of many terms: the closed form is the sum of the terms."""

import pytest

from verifier import load_text
from verifier.evidence import Budget
from verifier.exact.values.long_sums import degree_in
from verifier.expr.nodes import Relation, Sum
from verifier.prove.ranges.engine import examine

SPEC = 'theorem: a/b\nsymbols: {{x: real, v: "vector(3)"}}\nclaims: {{c: {{says: "{}"}}}}\n'
N = 10**9


def judged(says: str) -> str:
    (claim,) = load_text(SPEC.format(says)).claims
    return examine(claim, claim.steps[0], Budget(seconds=5)).truth


@pytest.mark.parametrize(
    ("total", "value"),
    [
        (f"sum(1, i, 1, {N})", N),
        (f"sum(2, i, 5, {N})", 2 * (N - 4)),
        (f"sum(i, i, 1, {N})", N * (N + 1) // 2),
        (f"sum((i - 1)**3/4, i, 1, {N})", (N * (N - 1) // 2) ** 2 // 4),
        (f"sum(-i, i, {-N}, {N})", 0),
        ("sum(i*j + 1, i, 1, 10**6, j, 1, 10**6)", (10**6 * (10**6 + 1) // 2) ** 2 + 10**12),
        ("D(sum(i*x**2, i, 1, 10**6), x) - x*10**6*(10**6 + 1)", 0),
    ],
)
def test_a_sum_of_powers_is_worked_out(total: str, value: int) -> None:
    assert judged(f"{total} == {value}") == "true"
    assert judged(f"{total} == {value + value // 7 + 1}") == "false"


def test_short_and_long_sums_agree() -> None:
    for count in (99_999, 100_001):
        assert judged(f"sum(i**2, i, 1, {count}) == {count * (count + 1) * (2 * count + 1) // 6}") == "true"


@pytest.mark.parametrize(
    "total", [f"sum(cos(i), i, 1, {N})", f"sum(1/i, i, 1, {N})", f"sum(1, i, 1, {N}, i != 3)"]
)
def test_what_is_no_polynomial_is_left_open(total: str) -> None:
    assert judged(f"{total} == 7") == "unknown"


@pytest.mark.parametrize(
    ("body", "degree"),
    [
        ("x", 0),
        ("i*x + i**2*(i + 1)", 3),
        ("i/x", 1),
        ("x/i", None),
        ("v[i]", None),
        ("2**i", None),
        ("sum(j*i, j, 1, 3)", 1),
        ("sum(j, j, 1, i)", None),
    ],
)
def test_degrees(body: str, degree: int | None) -> None:
    (claim,) = load_text(SPEC.format(f"sum({body}, i, 1, 3) == 0")).claims
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    assert isinstance(fact.left, Sum)
    assert degree_in(fact.left.body, "i") == degree
