"""Sums over parts of a range: the closed form at a point is the sum of the terms that are there."""

from fractions import Fraction

import pytest

from tests.prove.specs import claim, judged
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context
from verifier.expr import nodes as N
from verifier.prove.forms.deadline import Clock
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.partial_ranges import UPTO, power_sum
from verifier.prove.forms.sum_values import Evaluation
from verifier.prove.lower.both_sides import read
from verifier.prove.lower.lower import Lowering

SYMBOLS = """
n: dimension
d: dimension
i: index(n)
k: index(n)
s: positive
x: vector(n)
A: matrix(n, n)
X: normal(n, d, std=s)
R: normal(n, d, row_corr=1/3)
v: rademacher(n)
"""
ENDS = ["1, i", "2, i", "1, i - 1", "i, n", "i + 1, n", "i, k", "i + 1, k - 1", "2, n - 1", "1, n - 1"]
COUNTED = [  # a closed form without any order is left, whatever i and k are
    *(f"E(norm(sum(X[j], j, {ends}))**4)" for ends in ENDS if "k" not in ends),
    "E(sum(v[j], j, 1, i)**4 * i)",
    "E(sum(sum(X[q, 1], q, 1, p)**2, p, 1, n))",
    "E(sum(X[p, 1]**2 * X[q, 1]**2, p, 1, n, q, 1, p))",
    "E(sum(p * X[p, 1]**2, p, 1, n, q, p, n, r, 1, q))",
    "E(sum(R[p, 1] * R[q, 1], p, 1, n, q, 1, n, q < p))",
    "Cov(sum(X[j, 1], j, 1, i), sum(j * X[j, 1], j, i, n))",
    "sum(x[p] * x[q], p, 1, n, q, 1, p)",
    "sum(A[p, q], p, 1, n, q, 1, n, q <= p) + sum(A[p, q], p, 1, n, q, 1, n, q > p)",
    "norm(D(sum(x[j]**2, j, 1, i), x))**2 - sum(4 * x[j]**2, j, 1, i)",
]
KEPT = [
    *(f"E(norm(sum(R[j], j, {ends}))**2)" for ends in ENDS),
    "E(inner(sum(X[j], j, 1, i), sum(X[j], j, 1, k)))",
    "sum(A[p, q], p, 1, i, q, p, n, q >= k)",
    "sum(x[p] * A[p, q] * x[q], p, 1, n, q, 1, p - 1)",
    "sum(x[p] * x[q] * x[r], p, 1, n, q, 1, p, r, 1, q)",
]
POINTS = [(1, 1, 1), (2, 1, 2), (2, 2, 1), (3, 2, 2), (4, 4, 2), (4, 2, 4)]


def found(text: str, point: tuple[int, int, int]) -> tuple[Fraction, Fraction, bool]:
    """The value by networks, the value term by term, and whether an order is left in the first."""
    n, i, k = point
    values = {
        "n": n,
        "d": 2,
        "i": i,
        "k": k,
        "s": Fraction(1, 2),
        "x": [[Fraction(3 * j - 4)] for j in range(n)],
    }
    values["A"] = [[Fraction((5 * a + 3 * b) % 7 - 2) for b in range(n)] for a in range(n)]
    made = claim(f"{text} == 0", SYMBOLS)
    fact = made.steps[0].fact
    assert isinstance(fact, N.Relation)

    def use(lowering: Lowering) -> tuple[Fraction, bool]:
        value = settled(lowering.space, lowering.value(fact.left).value)
        kept = any(name.startswith(UPTO) for name in value.tensors())
        return Evaluation(lowering.space, values).value(value, {}), kept

    ((brute,),) = evaluate(fact.left, values, Context.of(made))
    closed, kept = read(made, [fact.left], Clock(30.0), use)
    return closed, Fraction(int(brute.p), int(brute.q)), kept


@pytest.mark.parametrize("text", COUNTED)
def test_what_is_counted_is_counted_right(text: str) -> None:
    for point in POINTS:
        closed, brute, kept = found(text, point)
        assert closed == brute
        assert not kept


@pytest.mark.parametrize("text", KEPT)
def test_what_stays_has_its_value(text: str) -> None:
    for point in POINTS:
        closed, brute, _ = found(text, point)
        assert closed == brute


@pytest.mark.parametrize(
    ("says", "assume", "truth"),
    [
        ("E(inner(sum(X[j], j, 1, i), sum(X[j], j, 1, k))) == i*d*s**2", "a: i <= k", "true"),
        ("E(inner(sum(X[j], j, 1, i), sum(X[j], j, 1, k))) == i*d*s**2", "", "false"),
        ("E(inner(sum(X[j], j, 1, i), X[k])) == 0", "a: k > i", "true"),
        ("E(inner(sum(X[j], j, 1, i), X[k])) == 0", "a: i <= k", "false"),
        ("E(norm(sum(X[j], j, i + 1, k))**2) == (k - i)*d*s**2", "a: i <= k", "true"),
        ("E(norm(sum(X[j], j, i + 1, k))**2) == (k - i)*d*s**2", "", "false"),
        ("sum(1, j, 2, n - 1) == n - 2", "", "false"),  # at n = 1 nothing is summed
    ],
)
def test_assumed_orders(says: str, assume: str, truth: str) -> None:
    assert judged(says, SYMBOLS, assume=assume).truth == truth


def test_corrections_count() -> None:
    assert judged("E(norm(sum(X[j], j, 1, i)/i)**2) == d*s**2/n", SYMBOLS).corrected == "d*s**2/i"


@pytest.mark.parametrize("k", range(6))
def test_power_sums(k: int) -> None:
    for m in range(5):
        assert sum(c * m**power for power, c in power_sum(k).items()) == sum(j**k for j in range(1, m + 1))


def test_a_position_that_the_range_may_lack() -> None:
    """1..n without 2 has one element at n = 1, and n - 1 from n = 2 on."""
    assert judged("sum(1, j, 1, n, j != 2) == n - 1", SYMBOLS).truth != "true"
    says = "E(sum(X[j, 1]**2, j, 1, n, j != 2)) == (n - 1)*s**2"
    assert judged(says, SYMBOLS).truth != "true"
    assert judged(says, SYMBOLS, assume="size: n >= 2").truth == "true"
