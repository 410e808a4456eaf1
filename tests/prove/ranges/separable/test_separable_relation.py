"""Textbook inequalities between sums, for every length at once; each with a false sibling."""

import pytest

from tests.refute.claims import bound_of, claim_of
from verifier.prove.ranges.separable import prove_sums
from verifier.timer import worked

SYMBOLS = {
    "n": "dimension",
    "m": "dimension",
    "a": "positive",
    "p": "simplex(n)",
    "q": "simplex(n)",
    "x": "vector(n)",
    "y": "vector(n)",
    "S": "stochastic(n, m)",
    "A": "matrix(n, m)",
    "B": "matrix(n, m)",
}
ENTROPY = "sum(p[i]*log(p[i]), i, 1, n)"
DIVERGENCE = "sum(p[i]*log(p[i]/q[i]), i, 1, n)"
CUBES = "sum(abs(x[i])**3, i, 1, n)**(1/3) * sum(abs(y[i])**1.5, i, 1, n)**(2/3)"
MEAN = "sum(x[i], i, 1, n)/n"


def proves(says: str, **assumptions: str) -> bool:
    claim = claim_of(says, assumptions, SYMBOLS)
    bound = bound_of(claim)
    return prove_sums(claim, bound.small, bound.large, worked() + 2) is not None


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (f"-{ENTROPY} <= log(n)", f"-{ENTROPY} <= 0.99*log(n)"),
        (f"-{ENTROPY} >= 0", f"-{ENTROPY} >= 0.01"),
        ("-(p.T @ log(p)) <= log(n)", "-(p.T @ log(p)) <= log(n) - 1/100"),
        (f"{DIVERGENCE} >= 0", f"{DIVERGENCE} >= 1/100"),
        (f"{DIVERGENCE} >= norm(p - q, 1)**2/2", f"{DIVERGENCE} >= norm(p - q, 1)**2/1.9"),
        (
            f"{DIVERGENCE} <= sum((p[i] - q[i])**2/q[i], i, 1, n)",
            f"{DIVERGENCE} <= 0.49*sum((p[i] - q[i])**2/q[i], i, 1, n)",
        ),
        ("sum(sqrt(p[i]*q[i]), i, 1, n) <= 1", "sum(sqrt(p[i]*q[i]), i, 1, n) <= 0.99"),
        (
            "sum((sqrt(p[i]) - sqrt(q[i]))**2, i, 1, n) <= norm(p - q, 1)",
            "sum((sqrt(p[i]) - sqrt(q[i]))**2, i, 1, n) <= 0.99*norm(p - q, 1)",
        ),
        ("norm(p)**2 >= 1/n", "norm(p)**2 >= 1.01/n"),
        ("norm(p)**2 <= 1", "norm(p)**2 <= 0.99"),
        (f"log(sum(exp(x[i]), i, 1, n)) >= {MEAN} + log(n)", f"log(sum(exp(x[i]), i, 1, n)) >= {MEAN} + n/2"),
        ("p.T @ log(x) <= log(p.T @ x)", "p.T @ log(x) <= log(p.T @ x) - 1/100"),
        ("exp(p.T @ x) <= p.T @ exp(x)", "exp(p.T @ x) <= p.T @ exp(x) - 1/100"),
        (f"inner(x, y) <= {CUBES}", f"inner(x, y) <= 0.99*{CUBES}"),
        ("norm(x, 1)**2 <= n*norm(x)**2", "norm(x, 1)**2 <= 0.99*n*norm(x)**2"),
        (
            f"sum(softplus(x[i]), i, 1, n)/n >= log(2) + {MEAN}/2",
            f"sum(softplus(x[i]), i, 1, n)/n >= 0.7 + {MEAN}/2",
        ),
        (
            "sum(log(1 + x[i]**2), i, 1, n) <= n*log(1 + norm(x)**2/n)",
            "sum(log(1 + x[i]**2), i, 1, n) <= n*log(1 + norm(x)**2/(n + 1))",
        ),
        (
            "sum(x[i], i, 1, n)**2 <= norm(p, 1)*sum(x[i]**2/p[i], i, 1, n)",
            "sum(x[i], i, 1, n)**2 <= 0.99*sum(x[i]**2/p[i], i, 1, n)",
        ),
        ("(p.T @ x)**2 <= p.T @ x**2", "(p.T @ x)**2 <= p.T @ x**2 - 1/100"),
        (
            "inner(A, B) <= a*norm(A)**2/2 + norm(B)**2/(2*a)",
            "inner(A, B) <= a*norm(A)**2/2 + norm(B)**2/(3*a)",
        ),
        (
            "sum(S[1, j]*log(S[1, j]), j, 1, m) >= -log(m)",
            "sum(S[1, j]*log(S[1, j]), j, 1, m) >= -0.99*log(m)",
        ),
    ],
)
def test_a_true_inequality_is_proved_and_a_false_one_is_not(true: str, false: str) -> None:
    assert proves(true)
    assert not proves(false)


def test_what_an_assumption_says_of_every_entry_is_used() -> None:
    assert not proves(f"{MEAN}*sum(1/x[i], i, 1, n) >= n")
    assert proves(f"{MEAN}*sum(1/x[i], i, 1, n) >= n", positive="all(x[i] > 0, i, 1, n)")
    weighted = "prod(x[i]**p[i], i, 1, n) <= p.T @ x"
    assert proves(weighted, positive="all(x[i] > 0, i, 1, n)")
    assert not proves(weighted.replace("p.T", "0.99*p.T"), positive="all(x[i] > 0, i, 1, n)")
    assert proves("norm(x)**2 <= norm(x, 1)", small="all(abs(x[i]) <= 1, i, 1, n)")
    assert not proves("norm(x)**2 <= norm(x, 1)", small="all(abs(x[i]) <= 1.1, i, 1, n)")


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("exp(norm(x)**2/2)", "exp(norm(x)**2/3)"),
        ("exp(norm(x)**2/2) + norm(y)**2", "exp(norm(x, 1)/2)"),
    ],
)
def test_products_compare_as_their_logarithms_do(true: str, false: str) -> None:
    cosh = "prod((exp(x[i]) + exp(-x[i]))/2, i, 1, n)"
    assert proves(f"{cosh} <= {true}") == ("y" not in true)  # a sum has no logarithm
    assert not proves(f"{cosh} <= {false}")


def test_a_product_of_numbers_that_may_be_negative_has_no_logarithm() -> None:
    # (-1)*(-2) = 2, and log(x - 1) has a value at neither: that those it has are negative says nothing.
    small = "all(x[i] <= 1.5, i, 1, n)"
    assert proves("sum(log(x[i] - 1), i, 1, n) <= 0", small=small)
    assert not proves("log(prod(x[i] - 1, i, 1, n)) <= 0", small=small)
    assert not proves("prod(1 + x[i], i, 1, n) <= exp(sum(x[i], i, 1, n))")
    assert proves("prod(1 + x[i], i, 1, n) <= exp(sum(x[i], i, 1, n))", positive="all(x[i] >= 0, i, 1, n)")


def test_a_factor_that_vanishes_at_a_point_is_a_limit_of_positive_ones() -> None:
    assert proves("prod(1 - p[i], i, 1, n) <= exp(-1)")
    assert not proves("prod(1 - p[i], i, 1, n) <= exp(-1.01)")
    assert not proves("prod(relu(1 - x[i]), i, 1, n) <= exp(-sum(x[i], i, 1, n))")  # 0 on a half-line


def test_a_mean_is_no_bound_beyond_a_pole() -> None:
    # 1/sum(1/x) is decreasing in the sum on either side of 0, and not from one side to the other.
    assert not proves("-1/sum(1/x[i], i, 1, n) <= sqrt(n)")


def test_the_total_of_a_row_is_known_and_that_of_a_column_is_not() -> None:
    assert proves("sum(S[1, j]**2, j, 1, m) >= 1/m")
    assert not proves("sum(S[i, 1]**2, i, 1, n) >= 1/n")
    assert not proves("sum(S[1, j], j, 1, n) >= 1")


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (
            "sum(p[i]*tanh(A[i, j]), i, 1, n, j, 1, m) <= m",
            "sum(p[i]*tanh(A[i, j]), i, 1, n, j, 1, m) <= 25",
        ),
        (
            "sum(p[j]*cos(A[j, i]), i, 1, m, j, 1, n) <= m",
            "sum(p[j]*cos(A[j, i]), i, 1, m, j, 1, n) <= 1",
        ),
        (
            "sum(S[1, j]*tanh(A[i, j]), i, 1, n, j, 1, m) <= n",
            "sum(S[1, j]*tanh(A[i, j]), i, 1, n, j, 1, m) <= 2",
        ),
    ],
)
def test_a_total_counts_once_for_each_value_of_another_index(true: str, false: str) -> None:
    assert proves(true)
    assert not proves(false)
