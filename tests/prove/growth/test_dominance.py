"""Growth by leading terms: every value of the other symbols counts, and the cases in which terms vanish."""

import pytest

from tests.prove.scalars.helpers import judge

S = {
    "n": "dimension",
    "k": "dimension",
    "d": "dimension",
    "p": "dimension",
    "a": "positive",
    "b": "positive",
    "x": "real",
    "y": "real",
    "r": "interval(0, 1)",
    "q": "interval(-1, 1)",
    "F": "matrix(k, k)",
    "v": "normal(n)",
    "u": "normal(n)",
    "W": "normal(n, d)",
    "U": "uniform(n, d, 0, 1)",
}
GROW = "n -> oo"

TRUE = [
    ("n*log(n) <= O(n**1.1)", ()),
    ("log(factorial(n)) == Theta(n*log(n))", ()),
    ("sum(1/i, i, 1, n) - log(n) == Theta(1)", ()),
    ("sqrt(n + 1) - sqrt(n) == Theta(1/sqrt(n))", ()),
    ("binomial(2*n, n) == Theta(4**n/sqrt(n))", ()),
    ("factorial2(2*n - 1) == Theta(factorial(n)*2**n/sqrt(n))", ()),
    ("1 - tanh(n) <= O(exp(-2*n))", ()),
    ("n**2*(a - b)**2 + n == Theta(n**2)", ("a < b",)),
    ("a**n + b**n == Theta(b**n)", ("a < b",)),
    ("x*n**2 + y*n + 1 <= O(n**2)", ()),
    ("n**r <= O(n)", ()),
    ("n <= O(d)", ("d == 2*n",)),
    ("norm(F)**2*n <= O(n)", ()),
    ("(-2)**n <= O(2**n)", ()),
    ("q**n <= O(1)", ()),
]

FALSE = [
    ("n*log(n) <= O(n)", ()),
    ("log(factorial(n)) == Theta(n)", ()),
    ("sum(1/i, i, 1, n) <= O(1)", ()),
    ("sqrt(n + 1) - sqrt(n) == Theta(1)", ()),
    ("binomial(2*n, n) == Theta(4**n)", ()),
    ("factorial2(2*n - 1) <= O(factorial(n))", ()),
    ("1 - tanh(n) <= O(exp(-3*n))", ()),
    ("n**2*(a - b)**2 + n == Theta(n**2)", ()),
    ("n**2*(x - y + 1)**2 + n == Theta(n**2)", ()),
    ("a**n + b**n == Theta(a**n)", ("a < b",)),
    ("x*n**2 + y*n + 1 <= O(n)", ()),
    ("n**a <= O(n)", ()),
    ("n**p <= O(n**2)", ()),
    ("x*n == Theta(n)", ()),
    ("norm(F)**2*n == Theta(n)", ()),
    ("(-3)**n <= O(2**n)", ()),
]


@pytest.mark.parametrize(("says", "assume"), TRUE)
def test_true_orders(says, assume):
    found = judge(says, S, assume, grow=GROW)
    assert (found.truth, found.grade) == ("true", "proved"), found.reason


@pytest.mark.parametrize(("says", "assume"), FALSE)
def test_false_orders(says, assume):
    found = judge(says, S, assume, grow=GROW)
    assert (found.truth, found.grade) == ("false", "proved"), found.reason
    assert found.counterexample is not None


def test_a_substituted_symbol_grows_with_the_one_that_replaces_it():
    assert judge("n <= O(1)", S, ("d == n",), grow="d -> oo").truth == "false"
    assert judge("n <= O(d)", S, ("d == n",), grow="d -> oo").truth == "true"
    assert judge("limit(n/d, d, oo) == 0", S, ("d == n",)).truth == "unknown"


def test_a_case_that_stays_open_is_not_closed_by_the_generic_one():
    """At q = -1 the left side is 0 for every odd n."""
    assert judge("q**n + 1 == Theta(1)", S, grow=GROW).truth != "true"


def test_sizes_that_assumptions_bind_to_each_other():
    joint = "[n -> oo, d -> oo]"
    assert judge("n*d <= O(d**2)", S, ("n <= d",), grow=joint).truth != "false"
    assert judge("d**2 <= O(n*d)", S, ("n <= d",), grow=joint).truth == "false"


def test_a_bound_is_loose_at_generic_values():
    for says, tight in (("n**r <= O(n)", False), ("x*n <= O(n)", True), ("x*n <= O(n**2)", False)):
        found = judge(says, S, grow=GROW)
        assert found.truth == "true"
        assert found.tightness is not None
        assert found.tightness.tight is tight


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("E(abs(v.T @ u)) == Theta(sqrt(n))", "true"),
        ("E(abs(v.T @ u)) == Theta(n)", "false"),
        ("E(norm(v)**3) == Theta(n**(3/2))", "true"),
        ("E(norm(v)**3) == Theta(n**2)", "false"),
        ("E(norm(U)) == Theta(sqrt(n))", "true"),
        ("E(norm(U)) == Theta(n)", "false"),
        ("E(norm(v, 1)) == Theta(n)", "true"),
        ("E(norm(v, 1)) == Theta(sqrt(n))", "false"),
        ("E(norm(W, 2)) == Theta(sqrt(n))", "true"),
        ("E(norm(W, 2)) == Theta(n)", "false"),
    ],
)
def test_moments_up_to_constants(says, truth):
    assert judge(says, S, grow=GROW).truth == truth


def test_the_largest_singular_value_is_of_the_longer_side():
    joint = "[n -> oo, d -> oo]"
    assert judge("E(norm(W, 2)) == Theta(sqrt(n) + sqrt(d))", S, grow=joint).truth == "true"
    assert judge("E(norm(W, 2)) == Theta(sqrt(n*d))", S, grow=joint).truth == "false"


def test_a_sum_that_cancels_is_not_replaced_by_one_that_does_not():
    """E abs(v'u) is about 0.8 sqrt(n), so nothing cancels here, while sqrt(E (v'u)**2) = sqrt(n) would."""
    found = judge("E(abs(v.T @ u)) + x*sqrt(n) == Theta(sqrt(n))", S, ("x == -1",), grow=GROW)
    assert found.truth != "false"


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("n + d <= O(n*d)", "true"),
        ("n*d <= O(n + d)", "false"),
        ("a*n <= O(n)", "false"),
        ("a*n <= O(a*n + 1)", "true"),
        ("a + b == Theta(sqrt(a**2 + b**2))", "true"),
        ("sqrt(a*b) >= Omega(a + b)", "false"),
        ("a**2 <= O(a)", "false"),
        ("a <= O(a**2)", "false"),
        ("E(norm(W)) == Theta(sqrt(n*d))", "true"),
        ("E(norm(W)**2) == Theta(n)", "false"),
        ("n - 1 == Theta(n)", "false"),
        ("n + 1 == Theta(n)", "true"),
        ("a/(1 + a) >= Omega(1)", "false"),
        ("a/(1 + a) <= O(1)", "true"),
    ],
)
def test_one_constant_for_all_values(says, truth):
    assert judge(says, S).truth == truth


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("limit((a**n + b**n)**(1/n), n, oo) == max(a, b)", "true"),
        ("limit((a**n + b**n)**(1/n), n, oo) == a", "false"),
        ("limit(log(1 + exp(x*n))/n, n, oo) == relu(x)", "true"),
        ("limit(log(1 + exp(x*n))/n, n, oo) == x", "false"),
    ],
)
def test_limits_that_depend_on_which_symbol_is_larger(says, truth):
    assert judge(says, S).truth == truth


def test_no_case_is_claimed_of_an_invariant():
    """Signs of symbols make cases, which assume them; those of invariants are met at points."""
    symbols = {"n": "dimension", "v": "vector(3)", "w": "vector(3)"}
    found = judge("exp(n*inner(v, w)) <= O(1)", symbols, grow="n -> oo")
    assert found.truth == "false"
    assert "special case" not in found.reason
