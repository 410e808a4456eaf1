"""Lengths of Gaussian vectors as functions of their size: limits and rates, with false siblings."""

import pytest

from tests.prove.scalars.helpers import judge

S = {
    "d": "dimension",
    "k": "dimension",
    "s": "positive",
    "w": "normal(d, std=s)",
    "W": "normal(k, d)",
    "g": "normal(2)",
    "v": "normal(d)",
}


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("limit(E(norm(w))/sqrt(d), d, oo) == s", "true"),
        ("limit(E(norm(w))/sqrt(d), d, oo) == s/2", "false"),
        ("limit(Var(norm(w)), d, oo) == s**2/2", "true"),
        ("limit(Var(norm(w)), d, oo) == s**2", "false"),
        ("limit(E(norm(W)**3)/d**(3/2), d, oo) == k**(3/2)", "true"),
        ("limit(E(norm(W)**3)/d**(3/2), d, oo) == k", "false"),
        ("E(norm(g)) == sqrt(pi/2)", "true"),
        ("E(norm(g)) == sqrt(2)", "false"),
        ("E(norm(g)**3) == 3*sqrt(pi/2)", "true"),
        ("E(norm(g)**3) == 2*sqrt(pi/2)", "false"),
        ("Var(norm(g)) == 2 - pi/2", "true"),
        ("Var(norm(g)) == 1 - pi/4", "false"),
        ("E(norm(w - 2*v)) == sqrt(s**2 + 4)*E(norm(v))", "true"),
        ("E(norm(w - 2*v)) == (s + 2)*E(norm(v))", "false"),
        ("E(norm(w/3)) == s/3*E(norm(v))", "true"),
    ],
)
def test_limits(says, truth):
    assert judge(says, S).truth == truth


@pytest.mark.parametrize(("order", "truth"), [("1/sqrt(d)", "true"), ("1", "false"), ("1/d", "false")])
def test_how_far_a_mean_length_is_from_its_root_mean_square(order, truth):
    assert judge(f"s*sqrt(d) - E(norm(w)) == Theta({order})", S, grow="d -> oo").truth == truth
