"""Sizes up to constants, powers that are symbols, and the exact domination of monomials."""

from fractions import Fraction

import pytest

from tests.prove.scalars.helpers import judge
from verifier.prove.growth.polynomial_orders import dominated, escaping_path

GAUSS = {
    "N": "dimension", "d": "dimension", "k": "dimension", "p": "dimension", "s": "positive",
    "X": "normal(N, d, std=s)", "Q": "normal(d, k, std=1)", "K": "normal(d, k, std=1)",
    "B": "rademacher(N, d)", "C": "matrix(N, d)",
}  # fmt: skip
LETS = "let:\n  S: X @ Q @ K.T @ X.T"
N, ALL = "N -> oo", "[N -> oo, d -> oo, k -> oo]"

POWERS = [
    ("E(norm(S**p)) <= O(N)", N, "true", True),
    ("E(norm(S**p)) <= O(N**2)", N, "true", False),
    ("E(norm(S**p)) <= O(sqrt(N))", N, "false", None),
    ("E(norm(S**p)) == Theta(N)", N, "true", None),
    ("E(norm(S**p)) == Theta(N**p)", N, "false", None),
    ("E(norm(S**p)**2) == Theta(N**2 * d**(2*p) * k**p)", ALL, "true", None),
    ("E(norm(S**p)**2) == Theta(N**2 * d**(2*p) * k**(p + 1))", ALL, "false", None),
    ("E(norm(S**p)**2) <= O(N**2 * d**p * k**p)", ALL, "false", None),
    ("E(norm((S / sqrt(N))**p)) <= O(N)", N, "true", None),
    ("E(norm(D(S**p, Q))) <= O(N)", N, "true", True),
    ("E(norm(D(S**p, Q))) <= O(1)", N, "false", None),
    ("E(norm(D(S**p, Q))**2) == Theta(N**2 * d**(2*p) * k**p)", ALL, "true", None),
    ("E(norm(D(S**p, Q))**2) == Theta(N**2 * d**(2*p + 1) * k**p)", ALL, "false", None),
    ("E(S[1, 2]**(2*p)) == Theta(d**(2*p) * k**p)", "[d -> oo, k -> oo]", "true", None),
    ("E(S[1, 2]**(2*p)) == Theta(d**p * k**p)", "[d -> oo, k -> oo]", "false", None),
    ("E(norm(matpow(S, p))) <= O(N)", N, "false", None),
    ("E(norm((X @ C.T)**p)) <= O(N)", N, "unknown", None),
]


@pytest.mark.parametrize(("says", "grow", "truth", "tight"), POWERS)
def test_powers_that_are_symbols(says, grow, truth, tight):
    found = judge(says, GAUSS, rest=LETS, grow=grow)
    assert found.truth == truth, found.reason
    if tight is not None:
        assert found.tightness.tight is tight


MATRIX_POWERS = [(2, "N**4"), (3, "N**6"), (4, "N**8")]


@pytest.mark.parametrize(("power", "order"), MATRIX_POWERS)
def test_matrix_powers_from_their_leading_terms(power, order):
    left = f"E(norm(matpow(S, {power}))**2)"
    assert judge(f"{left} == Theta({order})", GAUSS, rest=LETS, grow=N).truth == "true"
    wrong = judge(f"{left} <= O({order} / N)", GAUSS, rest=LETS, grow=N)
    assert (wrong.truth, wrong.corrected) == ("false", order)
    ratios = wrong.counterexample.ratios
    assert ratios[-1] > 10 * ratios[0]


def test_sizes_may_grow_together_or_be_related():
    symbols = {"N": "dimension", "d": "dimension", "X": "normal(N, d, std=1/sqrt(d))"}
    left = "E(norm(X @ X.T)**2)"
    assert judge(f"{left} == Theta(N + N**2 / d)", symbols, grow="[N -> oo, d -> oo]").truth == "true"
    assert judge(f"{left} == Theta(N)", symbols, grow="[N -> oo, d -> oo]").truth == "false"
    assert judge(f"{left} == Theta(N)", symbols, ("d == N",), grow=N).truth == "true"
    assert judge(f"{left} == Theta(N**2)", symbols, ("d == N",), grow=N).truth == "false"


def test_a_mean_of_monomials_dominates_and_a_path_escapes_exactly_where_none_does():
    ends = [(4, 0, 0), (0, 4, 0), (0, 0, 4)]
    assert dominated([(1, 1, 2)], ends)
    assert not dominated([(2, 2, 1)], ends)
    path = escaping_path([(2, 2, 1)], ends)
    assert path is not None
    top = sum(a * b for a, b in zip((2, 2, 1), path, strict=True))
    assert all(top > sum(a * b for a, b in zip(end, path, strict=True)) for end in ends)
    assert dominated([(Fraction(7, 3), Fraction(5, 3))], [(4, 0), (0, 4)])
    assert escaping_path([(7, 1)], [(8, 0), (0, 100)]) is None
