"""Assumptions that exclude each other, and ones that only look as if they did."""

import pytest

from verifier import load_text
from verifier.prove.ranges.contradictions import contradiction

SPEC = """
theorem: t/none
symbols: {{n: dimension, a: simplex(n), x: vector(n), W: "matrix(n, n)"}}
assumptions: {{first: "{}", second: "{}"}}
claims:
  c: {{says: "norm(W @ x) <= norm(x)", where: {{n: 3}}}}
"""


@pytest.mark.parametrize(
    ("first", "second", "is_empty"),
    [
        ("norm(x) == 1", "norm(x) <= 1/2", True),
        ("norm(x) == 1", "norm(x) <= 1", False),
        ("norm(x) < 1", "norm(x) >= 1", True),
        ("norm(x) <= 1", "norm(x) >= 1", False),
        ("norm(x) == 1", "norm(x, 1) <= 1/2", False),  # it is empty, but not by these numbers alone
        ("norm(W, 2) <= 1", "2 <= norm(W, 2)", True),
        ("norm(W, 2) <= 1", "norm(W) >= 2", False),
        ("norm(x) <= 3", "norm(x) < 0", True),
        ("norm(x) in [1, 2]", "norm(x) in [2, 3]", False),
        ("norm(x) in [1, 2]", "norm(x) in [5/2, 3]", True),
        ("all(a[k] <= 3/10, k, 1, n)", "norm(x) <= 3", True),
        ("all(a[k] <= 1/3, k, 1, n)", "norm(x) <= 3", False),
        ("all(a[k] <= 3/10, k, 1, 2)", "norm(x) <= 3", False),
        ("all(a[k] >= 2/5, k, 1, n)", "norm(x) <= 3", True),
        ("all(x[k] <= 3/10, k, 1, n)", "norm(x) <= 3", False),
    ],
)
def test_numbers_that_do_not_meet(first: str, second: str, is_empty: bool) -> None:
    (claim,) = load_text(SPEC.format(first, second), "none.yaml").claims
    assert (contradiction(claim) is not None) is is_empty
