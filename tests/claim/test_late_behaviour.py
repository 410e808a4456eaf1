"""Sizes that were searched say little where a number or a wave turns something at another size."""

import pytest

from tests.refute.claims import claim_of, searched
from verifier.claim.late_behaviour import hidden, turning

SIZES = {"n": {1, 2, 3, 4, 8, 16, 32, 64}}


@pytest.mark.parametrize(
    "says",
    [
        "(n - 30)**2*norm(x)**2 >= norm(x)**2/100",
        "sin(n)**2 >= 1e-6",
        "n - 2*3*5 <= n**2",
        "2**n*norm(x) <= 1e30*norm(x)",
        "2**n*norm(x) <= 1000**5*norm(x)",
        "log(1 + log(n))*norm(x) <= 3*norm(x)",
    ],
)
def test_what_is_hidden(says: str) -> None:
    assert hidden(claim_of(says).steps[0].fact, SIZES) is not None


@pytest.mark.parametrize(
    "says", ["norm(x, 1) <= 100*n*norm(x, oo)", "(n - 1)**30*norm(x) >= 0", "sum(x[i], i, 1, n) + 50 <= n"]
)
def test_factors_exponents_and_lengths_hide_nothing(says: str) -> None:
    assert hidden(claim_of(says).steps[0].fact, SIZES) is None


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("(n - 30)**2*norm(x)**2 >= norm(x)**2/100", "inconclusive"),  # false at n = 30
        ("norm(x, 1) <= (n + 100)*norm(x, oo)", "holds"),  # tight as n grows: not loose
        ("norm(x, 1) <= 100*n*norm(x, oo)", "loose"),
    ],
)
def test_a_gap_at_the_sizes_searched_is_not_one_at_all_sizes(says: str, expected: str) -> None:
    finding, verdict = searched(says)
    assert verdict.verdict == expected, finding


@pytest.mark.parametrize(
    "says",
    [
        "sum(x[i]**2, i, 30, n) == 0",
        "sum(x[i]**2, i, 1, n, i != 30) == norm(x)**2",
        "norm(x)*binomial(n, 30) == 0",
        "norm(x)*prod(n - i, i, 1, 30) == 0",
        "norm(x)*max(n, 30) == 30*norm(x)",
        "norm(x)*sin(pi*n*(n - 1)/2) == 0",
    ],
)
def test_where_an_equality_turns(says: str) -> None:
    """True at small sizes, and false at some larger one."""
    fact = claim_of(says).steps[0].fact
    assert turning(fact, {"n": {1, 2, 3, 4, 8}}) is not None
    assert hidden(fact, {"n": {1, 2, 3, 4, 8}}) is not None


@pytest.mark.parametrize(
    "says",
    [
        "sum(x[i]**2, i, 1, n) == norm(x)**2",
        "sum(x[i]**2, i, 2, n) == norm(x)**2 - x[1]**2",
        "norm(x)*(n + 30) == n*norm(x) + 30*norm(x)",
        "norm(x)*binomial(n, 2) == norm(x)*n*(n - 1)/2",
        "norm(x)*(n - 1)**30 == 0",
    ],
)
def test_where_it_does_not(says: str) -> None:
    assert turning(claim_of(says).steps[0].fact, {"n": {1, 2, 3, 4, 8}}) is None
