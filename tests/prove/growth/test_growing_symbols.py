"""Fixed matrices whose sizes grow: their norms are no constants."""

import pytest

from tests.prove.scalars.helpers import judge

S = {
    "n": "dimension",
    "d": "dimension",
    "k": "dimension",
    "s": "positive",
    "x": "vector(d)",
    "X": "matrix(n, d)",
    "Z": "matrix(k, k)",
    "P": "psd(d)",
    "w": "normal(d)",
    "V": "normal(d, d, std=1/sqrt(d))",
    "G": "normal(n, d, std=s)",
}


@pytest.mark.parametrize(
    ("says", "grow", "expected"),
    [
        ("E(norm(X @ w)**2) <= O(1)", "d -> oo", "false"),
        ("E(norm(X @ V)**2) <= O(d)", "d -> oo", "false"),
        ("E(norm(X @ V)**2) <= O(norm(X)**2)", "d -> oo", "true"),
        ("E(norm(X @ V)**2) == Theta(norm(X)**2)", "d -> oo", "true"),
        ("E(norm(X @ V)**2) <= O(norm(X))", "d -> oo", "false"),
        ("E(norm(X @ w)**2) >= Omega(1)", "d -> oo", "false"),
        ("norm(X.T @ ones(n))**2 <= O(norm(X)**2)", "n -> oo", "false"),
        ("norm(X.T @ ones(n))**2 <= O(n*norm(X)**2)", "n -> oo", "true"),
        ("tr(P) <= O(d)", "d -> oo", "false"),
        ("norm(Z)**2 <= O(1)", "d -> oo", "true"),
        ("E(norm(X @ V)**2) <= O(1)", "k -> oo", "true"),
    ],
)
def test_one_constant_serves_all_values_of_a_matrix_that_grows(says, grow, expected):
    found = judge(says, S, grow=grow)
    assert found.truth == expected, found.reason


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("limit(E(norm(X @ V)**2)/d, d, oo) == 0", "unknown"),
        ("limit(E(norm(X @ V)**2)/norm(X)**2, d, oo) == 1", "true"),
        ("limit(E(norm(Z @ Z)**2)/d, d, oo) == 0", "true"),
    ],
)
def test_limits_of_invariants_need_a_matrix_that_stays(says, expected):
    assert judge(says, S).truth == expected


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("E(norm(G @ x)**2) == Theta(s**2*n*norm(x)**2)", "true"),
        ("E(norm(G @ x)) == Theta(s*sqrt(n)*norm(x))", "true"),
        ("E(norm(G @ x)) == Theta(s*n*norm(x))", "false"),
        ("E(norm(X @ w)**2) <= O(norm(X)**2)", "true"),
        ("E(norm(X @ w)**2) <= O(norm(X))", "false"),
        ("-norm(X)**2 >= Omega(norm(X)**2)", "unknown"),
    ],
)
def test_what_both_sides_have_is_divided_out(says, expected):
    assert judge(says, S).truth == expected
