"""The engine's edge: what it refuses, what it routes, and that it never raises."""

import pytest

from tests.prove.scalars.helpers import claim, judge
from verifier.evidence import Budget
from verifier.prove.scalar_engine import examine

S = {"n": "dimension", "p": "dimension", "x": "real", "A": "matrix(n, n)", "W": "normal(n, n, std=1)"}


@pytest.mark.parametrize(
    "says",
    [
        "A == A.T",
        "norm(A, 2) <= norm(A)",
        "tr(W) == 0",
        "E(norm(softmax(W))) == 1",
        "sup(tr(A), A) == 1",
        "E(norm(W)) == n",
        "limit(sin(x), x, oo) == 0",
        "factorial(x) == 1",
        "sum(1/i, i, 1, n) == log(n)",
    ],
)
def test_what_is_not_decided_is_unknown_and_says_what_is_missing(says):
    found = judge(says, S)
    assert found.truth in ("unknown", "false")
    assert found.truth == "false" or found.missing


def test_a_claim_for_every_power_falls_at_one():
    found = judge("E(norm(matpow(W, p))**2) == n**2", S)
    assert found.truth == "false"
    assert found.counterexample.values["p"] == 2
    assert judge("x**p == x", S).truth == "false"


def test_a_claim_for_every_power_is_not_proved_by_a_few():
    assert judge("E(norm(matpow(W, p))**2) <= O(n**(p + 1))", S, grow="n -> oo").truth == "unknown"
    assert judge("E(norm(W**p)**2) <= O(n**2)", S, grow="n -> oo").truth == "true"  # for each p alike


def test_orders_of_magnitude_of_closed_forms():
    symbols = {"W": "normal(10, 10, std=1)"}
    assert judge("E(norm(W)**2) == order(1e2)", symbols).truth == "true"
    assert judge("E(norm(W)**2) == order(1e3)", symbols).truth == "false"


def test_no_time_is_no_answer():
    made = claim("sum(i**2, i, 1, n) == n*(n + 1)*(2*n + 1)/6", S)
    assert examine(made, made.steps[0], Budget(seconds=0.0)).truth == "unknown"


def test_the_time_is_kept():
    made = claim("limit(E(norm(matpow(W, 4))**2)/n**5, n, oo) == 1", S)
    found = examine(made, made.steps[0], Budget(seconds=0.3))
    assert found.seconds < 2.0
