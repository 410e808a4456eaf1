"""What is offered in place of a wrong or a loose order is true at special values too."""

import pytest

from tests.prove.scalars.helpers import judge

S = {"n": "dimension", "d": "dimension", "r": "interval(0, 1)", "b": "positive", "s": "positive"}
S |= {"X": "matrix(2, 3)", "G": "normal(n, d, std=s)", "C": "normal(n, 3, row_corr=r)"}
JOINT = "[n -> oo, d -> oo]"


@pytest.mark.parametrize(
    ("says", "grow", "corrected"),
    [
        ("r*n + b*d == Theta(n + d)", JOINT, None),  # at r = 0 it is Theta(d)
        ("r*n + b*d <= O(d)", JOINT, "d + n"),
        ("b*n + b*d == Theta(d)", JOINT, "n + d"),
        ("E(norm(G)**2) <= O(n*d)", "", "d*n*s**2"),
    ],
)
def test_corrections_are_judged_before_they_are_offered(says, grow, corrected):
    found = judge(says, S, grow=grow)
    assert (found.truth, found.corrected) == ("false", corrected)


@pytest.mark.parametrize(
    ("says", "better"),
    [
        ("sum(r**j, j, 0, n) <= O(n)", None),  # O(1) is false at r = 1
        ("sum((r/2)**j, j, 0, n) <= O(n)", "O(1)"),
        ("r**n <= O(1)", "O(r**n)"),
        ("E(norm(C.T @ ones(n))**2) >= Omega(n)", None),  # Omega(n**2) is false at r = 0
    ],
)
def test_so_are_better_orders(says, better):
    found = judge(says, S, grow="n -> oo")
    assert (found.truth, found.tightness.tight, found.tightness.better) == ("true", False, better)
