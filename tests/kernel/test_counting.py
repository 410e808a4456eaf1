"""Factorials, double factorials and binomial coefficients of symbols: each truth has a false sibling."""

import pytest

from tests.kernel.test_contract import judged

TRUE_AND_FALSE = [
    (
        "factorial(2*n) == factorial2(2*n)*factorial2(2*n - 1)",
        "factorial(2*n) == factorial2(2*n)*factorial2(2*n + 1)",
    ),
    (
        "factorial2(2*n + 1) == (2*n + 1)*factorial2(2*n - 1)",
        "factorial2(2*n + 1) == 2*n*factorial2(2*n - 1)",
    ),
    ("factorial2(2*n) == 2**n*factorial(n)", "factorial2(2*n + 2) == 2**n*factorial(n)"),
    ("binomial(n + m, n) == binomial(n + m, m)", "binomial(n + 2*m, n) == binomial(n + 2*m, m)"),
    ("binomial(n + 1, n) == n + 1", "binomial(n + 1, n) == n"),
    ("binomial(n, 2) == n*(n - 1)/2", "binomial(n, 2) == n**2/2"),
    # Where (n - m)! has a value, n is not below m.
    (
        "binomial(n, m)*factorial(n - m) == factorial(n)/factorial(m)",
        "binomial(n, m)*factorial(n - m) == factorial(n)/factorial2(m)",
    ),
    (
        "factorial(n - m + 2) == factorial(n - m)*(n - m + 2)*(n - m + 1)",
        "factorial(n - m + 2) == factorial(n - m)*(n - m + 2)*(n - m)",
    ),
    ("sum(binomial(n, i), i, 0, n) == 2**n", "sum(binomial(n, i), i, 1, n) == 2**n"),
    ("sum(binomial(n, i)*m**i, i, 0, n) == (1 + m)**n", "sum(binomial(n, i)*m**i, i, 0, n) == m**n"),
    ("sum(binomial(n, i)*(-1)**i, i, 0, n) == 0", "sum(binomial(n, i)**2, i, 0, n) == 4**n"),
]


@pytest.mark.parametrize(("true", "false"), TRUE_AND_FALSE, ids=lambda says: says[:50])
def test_equations(true: str, false: str) -> None:
    assert judged(true) == "accepted"
    assert judged(false) == "differs"


@pytest.mark.parametrize(
    "says",
    [
        # For n < m the left side is 0, and the right side need not be.
        "binomial(n, m) == binomial(n, n - m)*factorial(n)/factorial(n)",
        # (n - m + 1)! has a value for n = m - 1, where (n - m)! has none.
        "binomial(n, m)*factorial(n - m + 1) == (n - m + 1)*factorial(n)/factorial(m) + 1",
        "factorial(a + 1)*b == factorial(a)*b",
        "factorial2(a + 1) == factorial(a + 1)/factorial2(a)",
    ],
)
def test_what_need_not_have_a_value_is_not_written_by_factorials(says: str) -> None:
    assert judged(says) == "differs"
