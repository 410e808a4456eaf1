"""Growth: leading orders, joint growth, loose bounds, norms through their squares."""

import pytest

from tests.prove.scalars.helpers import judge, truth

S = {"N": "dimension", "d": "dimension", "s": "positive", "x": "real"}
N, JOINT = "N -> oo", "[N -> oo, d -> oo]"

TRUE = [
    ("3*N**2*s + N <= O(N**2)", N),
    ("N*(N - 1) == Theta(N**2)", N),
    ("N*(N - 1) >= Omega(N**2)", N),
    ("sqrt(N**2 + d) == Theta(N)", N),
    ("d*N <= O(N)", N),
    ("x**2*N + 1 <= O(N)", N),
    ("(1 + s/N)**N == Theta(1)", N),
    ("2**N <= O(factorial(N))", N),
    ("sum(k, k, 1, N) == Theta(N**2)", N),
    ("binomial(N, 2) == Theta(N**2)", N),
    ("N**2*d*(d - 1)*s + 3*N*d == Theta(N**2*d**2)", JOINT),
    ("N*d <= O(N**2 + d**2)", JOINT),
    ("N*d*(N + d + 1) == Theta(N**2*d + N*d**2)", JOINT),
]

FALSE = [
    ("3*N**2*s + N <= O(N)", N),
    ("N*(N - 1) == Theta(N**3)", N),
    ("N*(N - 1) >= Omega(N**3)", N),
    ("sqrt(N**3 + d) == Theta(N)", N),
    ("d*N <= O(1)", N),
    ("x**2*N + 1 == Theta(N)", N),
    ("(1 + s)**N <= O(N**5)", N),
    ("factorial(N) <= O(2**N)", N),
    ("N*log(N) <= O(N)", N),
    ("sum(k, k, 1, N) == Theta(N)", N),
    ("N**2*d <= O(N**2)", JOINT),
    ("N*d <= O(N + d)", JOINT),
    ("N**2 + d**2 == Theta(N*d)", JOINT),
]


@pytest.mark.parametrize(("says", "grow"), TRUE)
def test_true_orders(says, grow):
    found = judge(says, S, grow=grow)
    assert (found.truth, found.grade) == ("true", "proved"), found.reason


@pytest.mark.parametrize(("says", "grow"), FALSE)
def test_wrong_orders_are_refuted_along_growing_sizes(says, grow):
    found = judge(says, S, grow=grow)
    assert (found.truth, found.grade) == ("false", "proved"), found.reason
    values = found.counterexample.values
    ratios = found.counterexample.ratios
    assert len(values["N"]) == len(ratios) >= 3
    assert ratios[-1] > 3 * ratios[0] or ratios[-1] < ratios[0] / 3


def test_the_ratio_may_fail_where_a_parameter_is_zero_only():
    found = judge("x**2*N + 1 == Theta(N)", S, grow=N)
    assert found.counterexample.values["x"] == 0
    assert truth("x**2*N + 1 == Theta(N)", S, "x != 0", grow=N) != "false"


def test_a_bound_that_is_not_sharp_is_loose_and_says_by_what():
    found = judge("3*N**2*s + N <= O(N**3)", S, grow=N)
    assert (found.truth, found.tightness.tight, found.tightness.better) == ("true", False, "O(N**2)")
    assert judge("3*N**2*s + N <= O(N**2)", S, grow=N).tightness.tight is True
    assert judge("1/sqrt(N) <= O(1)", S, grow=N).tightness.better == "O(1/sqrt(N))"


GAUSS = {
    "N": "dimension",
    "d": "dimension",
    "X": "normal(N, d, std=1)",
    "B": "rademacher(d, N)",
    "U": "iid(N, d, mean=0, var=1)",
}


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("E(norm(X)) == Theta(sqrt(N))", "true"),
        ("E(norm(X)) == Theta(N)", "false"),
        ("E(norm(X @ B)) == Theta(N)", "true"),
        ("E(norm(X @ B)) <= O(sqrt(N))", "false"),
        ("E(norm(matpow(X @ B, 2))) <= O(N)", "false"),
        ("E(norm(matpow(X @ B, 2))) == Theta(N**(3/2))", "true"),
        ("E(norm((X @ X.T)**2)) <= O(N)", "true"),
        ("E(norm(matpow(X @ X.T, 2))) <= O(N)", "false"),
        ("E(norm(matpow(X @ X.T, 2))) == Theta(N**2)", "true"),
        ("E(norm(X, 2)) == Theta(sqrt(N))", "true"),
        ("E(norm(X, 2)) == Theta(N)", "false"),
        ("E(norm(X @ X.T, 2)) <= O(N)", "true"),
        ("E(norm(X @ X.T, 2)) == Theta(N)", "unknown"),
        ("E(norm(X @ X.T)/N) == Theta(1)", "true"),
        ("3*E(norm(X)) + E(norm(X @ B)) == Theta(N)", "true"),
        ("sqrt(N)*E(norm(X))/d == Theta(N)", "true"),
        ("E(norm(X @ B)) - E(norm(X @ B)) == Theta(N)", "unknown"),
        ("N/E(norm(X)) <= O(sqrt(N))", "true"),
        ("N/E(norm(X)) <= O(1)", "false"),
        ("E(norm(U)) <= O(sqrt(N))", "true"),
        ("E(norm(U)) == Theta(sqrt(N))", "unknown"),
        ("E(norm(U)) <= O(1)", "unknown"),
    ],
)
def test_expected_norms_through_their_squares(says, expected):
    """For a law of which two moments are known, the root of the square is an upper bound only."""
    found = judge(says, GAUSS, grow=N)
    assert found.truth == expected, found.reason


@pytest.mark.parametrize(
    ("says", "truth", "tight"),
    [
        ("E(norm(g, oo)) == Theta(sqrt(log(n)))", "true", None),
        ("E(norm(g, oo)) == Theta(log(n))", "false", None),
        ("E(norm(g, oo)**2) == Theta(log(n))", "true", None),
        ("E(norm(g, oo)) <= O(sqrt(n))", "true", False),
        ("E(norm(g, oo)) <= O(1)", "false", None),
    ],
)
def test_the_largest_of_many_gaussians(says, truth, tight):
    found = judge(says, {"n": "dimension", "g": "normal(n, std=2)"}, grow="n -> oo")
    assert found.truth == truth, found.reason
    if tight is not None:
        assert found.tightness.tight is tight


@pytest.mark.parametrize(
    ("says", "assume", "truth"),
    [
        ("E((u.T @ A @ u)**2) == Theta(n**2)", (), "false"),
        ("E(norm(A @ u)**2) >= Omega(1)", (), "false"),
        ("E(norm(A @ u + u)**2) >= Omega(1)", (), "unknown"),  # A may be minus the identity
        ("E(norm(x)**2 * norm(u)**2) == Theta(n)", (), "false"),
        ("E(norm(x)**2 * norm(u)**2) == Theta(n)", ("norm(x) == 1",), "true"),
        ("E(norm(x)**2 * norm(u)**2) <= O(n)", (), "true"),
    ],
)
def test_fixed_matrices_may_be_zero(says, assume, truth):
    symbols = {"n": "dimension", "A": "matrix(n, n)", "u": "normal(n)", "x": "vector(3)"}
    found = judge(says, symbols, assume, grow="n -> oo")
    assert found.truth == truth, found.reason


MOVED = {"d": "dimension", "n": "dimension", "t": "positive", "z": "vector(d)", "x": "vector(n)"}


@pytest.mark.parametrize(
    "says",
    [
        "norm(exp(t*z)) <= O(1)",
        "norm(relu(t*z)) <= O(1)",
        "norm(gelu(t*z)) <= O(sqrt(t))",
        "sum(exp(t*z[i]), i, 1, d) <= O(1)",
        "norm(softplus(t*z)) == Theta(1)",
    ],
)
def test_what_holds_the_growing_symbol_is_no_constant(says):
    """All of them are false, for a z with positive entries."""
    assert truth(says, MOVED, grow="t -> oo") != "true"


@pytest.mark.parametrize("says", ["norm(x)**2 <= O(n)", "norm(x)**4 <= O(n**7)", "inner(x, x) == Theta(n)"])
def test_nor_is_what_is_as_long_as_the_growing_size(says):
    assert truth(says, MOVED, grow="n -> oo") != "true"


def test_it_may_stand_on_both_sides():
    assert truth("n*norm(x)**2/(n + 1) <= O(norm(x)**2)", MOVED, grow="n -> oo") == "true"
    assert truth("n*norm(x)**2/(n + 1) <= O(norm(x)**2/n)", MOVED, grow="n -> oo") != "true"


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("d*N*(1 + s**2)**N == Theta(d*N*(1 + s**2)**N + (1 + s**2)**N)", "true"),
        ("d*(1 + s**2)**N <= O(N*(1 + s**2)**N)", "false"),
        ("x**N*d <= O(x**N*d*N)", "true"),
    ],
)
def test_a_common_power_is_divided_out(says, expected):
    assert judge(says, S, grow=JOINT).truth == expected


@pytest.mark.parametrize(
    ("says", "expected", "tight"),
    [
        ("N - d <= O(N + d)", "true", True),
        ("(N - d)**2 <= O(N**2 + d**2)", "true", True),
        (
            "(N - d)**2 <= O(N**3 + d**3)",
            "true",
            False,
        ),  # N*d is below a mean of the cubes, and below neither
        ("(N - d)**2 <= O(N*d)", "false", None),
        ("x*N - d <= O(N + d)", "true", True),
        ("x*N - d <= O(d)", "false", None),
        ("N - d == Theta(N + d)", "false", None),
    ],
)
def test_differences_are_bounded_by_sums(says, expected, tight):
    found = judge(says, S, grow=JOINT)
    assert (found.truth, found.tightness and found.tightness.tight) == (expected, tight)


def test_looseness_over_all_values_is_seen_between_monomials():
    assert judge("N*d <= O(N**3 + d**3)", S).tightness.tight is False
    assert judge("N*d <= O(N**2 + d**2)", S).tightness.tight is True


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("acos(1/N) <= O((x - 1)**2)", "false"),
        ("acos(1/N) <= O(x**2 + 1)", "true"),
        ("x**2*acos(1/N) <= O(x**2)", "true"),
    ],
)
def test_a_right_side_that_vanishes_somewhere(says, expected):
    assert truth(says, S, grow=N) == expected


def test_a_product_with_a_factor_that_is_nothing():
    """prod(1 + x/k, k, 1, N) ~ N**x/gamma(x + 1), and is 0 for x = -1."""
    assert truth("prod(1 + x/k, k, 1, N) == Theta(N**x)", S, grow=N) != "true"
    assert truth("prod(1 + s/k, k, 1, N) == Theta(N**s)", S, grow=N) == "true"
