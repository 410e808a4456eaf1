"""Enclosures hold what they enclose: on intervals and on tails, at numbers drawn from them."""

from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.helpers import stated
from verifier.kernel.boxes import interval as iv
from verifier.kernel.boxes.evaluate import Enclosure, Key, spread
from verifier.kernel.boxes.interval import Interval
from verifier.kernel.boxes.tails import Tails
from verifier.kernel.budget import Budget
from verifier.kernel.core import terms as T
from verifier.kernel.core.read import Reader

X: Key = ("x", ())
FUNCTIONS = [
    "gelu(x)", "silu(x)", "D(gelu(x), x)", "D(silu(x), x)", "softplus(x) - x", "tanh(x)/(1 + x**2)",
    "abs(x - 1)", "exp(-x**2)*(x**3 - x)", "erf(x)*x", "relu(x)*sigmoid(-x)", "x**2/(1 + x**2)",
    "sin(x)*exp(-abs(x))", "log(1 + exp(-x**2))", "(1 + tanh(x))**2/4", "min(x, 3)*phi(x)",
    "sqrt(2 + tanh(x))", "1/(1 + x**2 + x**4)", "cos(x) - Phi(x)*x", "atan(x)", "(3 + exp(-x**2))/(x**2 + 2)",
]  # fmt: skip
NUMBERS = st.fractions(min_value=-30, max_value=30, max_denominator=64)


def term_of(function: str) -> T.Term:
    context, fact = stated(f"{function} >= 0", {"x": "real"})
    assert hasattr(fact, "left")
    return spread(Reader(context).scalar(fact.left), {}, Budget())


def exact(value: Fraction) -> Interval:
    return iv.of_ball(arb(fmpq(value.numerator, value.denominator)))


def values(term: T.Term, box: Interval) -> Interval:
    return Enclosure({X: box}, frozenset(), Budget()).of(term)


def meets(left: Interval, right: Interval) -> bool:
    return bool(left.low <= right.high and right.low <= left.high)


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(ends=st.tuples(NUMBERS, NUMBERS), share=st.fractions(min_value=0, max_value=1, max_denominator=16))
def test_an_interval_holds_the_values(
    function: str, ends: tuple[Fraction, Fraction], share: Fraction
) -> None:
    low, high = sorted(ends)
    term = term_of(function)
    inside = values(term, exact(low + share * (high - low)))
    assert meets(values(term, iv.joined(exact(low), exact(high))), inside)
    assert meets(values(term, Interval(exact(low).low, iv.INFINITE)), inside)


@pytest.mark.parametrize("function", [name for name in FUNCTIONS if "min" not in name])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_tail_holds_the_values(function: str, sign: int) -> None:
    term = term_of(function)
    for start in (1, 2, 5, 12):
        tails = Tails(X, sign, arb(start), {}, Budget())
        try:
            found = tails.bounds(tails.of(term))
        except iv.Rejected:
            assert start < 12
            continue
        for distance in (0, Fraction(1, 3), 1, 4, 40, 400):
            assert meets(found, values(term, exact(sign * (start + Fraction(distance)))))


def test_a_tail_is_close() -> None:
    """A bound that holds only far out is not lost in the rest."""
    tails = Tails(X, 1, arb(40), {}, Budget())
    found = tails.bounds(tails.of(term_of("D(silu(x), x)")))
    assert found.low > arb("0.999999")
    assert found.high < arb("1.000001")


@pytest.mark.parametrize("function", ["1/x", "log(x)", "sqrt(x)", "x**(-2)", "acos(x)", "1/(x**2 - 1)"])
def test_what_has_no_value_somewhere_is_refused(function: str) -> None:
    with pytest.raises(iv.Rejected):
        values(term_of(function), iv.joined(exact(Fraction(-2)), exact(Fraction(2))))
