"""Identities, each with siblings that are wrong by a sign, a factor or an exponent."""

import pytest

from tests.prove.scalars.helpers import judge

REAL = {"x": "real", "y": "real"}
SIZES = {"n": "dimension", "p": "dimension", "r": "real", "m": "integer"}
SIGNS = {"a": "positive", "b": "positive", "L": "dimension", "t": "real"}

TRUE = [
    (REAL, "D(gelu(x), x) == Phi(x) + x*phi(x)"),
    (REAL, "D(softplus(x), x) == sigmoid(x)"),
    (REAL, "D(silu(x), x) == sigmoid(x)*(1 + x*(1 - sigmoid(x)))"),
    (REAL, "D(tanh(x), x) == 1 - tanh(x)**2"),
    (REAL, "D(abs(x), x) == abs(x)/x"),
    (REAL, "D(x**2*y, x) == 2*x*y"),
    (REAL, "sin(x)**2 + cos(x)**2 == 1"),
    (REAL, "sin(x + y) == sin(x)*cos(y) + cos(x)*sin(y)"),
    (REAL, "tanh(x) == 2*sigmoid(2*x) - 1"),
    (REAL, "softplus(x) - softplus(-x) == x"),
    (REAL, "relu(x) - relu(-x) == x"),
    (REAL, "relu(x) + relu(-x) == abs(x)"),
    (REAL, "max(x, y) + min(x, y) == x + y"),
    (REAL, "max(x, y) - min(x, y) == abs(x - y)"),
    (REAL, "sqrt(x)**2 == x"),
    (REAL, "x/x == 1"),
    (SIZES, "sum(i**2, i, 1, n) == n*(n + 1)*(2*n + 1)/6"),
    (SIZES, "sum(r**k, k, 0, n - 1) == (1 - r**n)/(1 - r)"),
    (SIZES, "sum(1, l, 1, n, k, 1, n, l != k) == n*(n - 1)"),
    (SIZES, "sum(sum(1, l, 1, n, l != k), k, 1, n) == n*(n - 1)"),
    (SIZES, "sum(binomial(n, k), k, 0, n) == 2**n"),
    (SIZES, "binomial(n + 1, p + 1) == binomial(n, p) + binomial(n, p + 1)"),
    (SIZES, "binomial(n, p) == factorial(n)/(factorial(p)*factorial(n - p))"),
    (SIZES, "factorial2(2*p - 1) == factorial(2*p)/(2**p*factorial(p))"),
    (SIZES, "factorial2(2*p) == 2**p*factorial(p)"),
    (SIZES, "prod(i, i, 1, n) == factorial(n)"),
    (SIGNS, "log(a*b) == log(a) + log(b)"),
    (SIGNS, "sqrt(a*b) == sqrt(a)*sqrt(b)"),
    (SIGNS, "1/(sqrt(a) + sqrt(b)) == (sqrt(a) - sqrt(b))/(a - b)"),
    (SIGNS, "(a*b + a)**L == a**L*(b + 1)**L"),
    (SIGNS, "t**2*sum((t**2 + 1)**k, k, 0, L - 1) == (t**2 + 1)**L - 1"),
    (SIGNS, "a**b == exp(b*log(a))"),
    (SIGNS, "(1 - a*b)**(2*L) == (a*b - 1)**(2*L)"),
    (SIGNS, "(1 - (1 - a*t)**L)*(1 + (1 - a*t)**L) == 1 - (a*t - 1)**(2*L)"),
]

FALSE = [
    (SIGNS, "(1 - a*b)**L == (a*b - 1)**L"),
    (SIGNS, "(1 - (1 - a*t)**L)*(1 + (1 - a*t)**L) == 1 - (a*t - 1)**L"),
    (REAL, "D(gelu(x), x) == Phi(x) - x*phi(x)"),
    (REAL, "D(softplus(x), x) == sigmoid(-x)"),
    (REAL, "D(silu(x), x) == sigmoid(x)*(1 + x*sigmoid(x))"),
    (REAL, "D(tanh(x), x) == 1 - tanh(x)"),
    (REAL, "D(x**2*y, x) == 2*x"),
    (REAL, "sin(x + y) == sin(x)*cos(y) - cos(x)*sin(y)"),
    (REAL, "tanh(x) == 2*sigmoid(x) - 1"),
    (REAL, "relu(x) + relu(-x) == x"),
    (REAL, "max(x, y) - min(x, y) == x - y"),
    (REAL, "sqrt(x**2) == x"),
    (SIZES, "sum(i**2, i, 1, n) == n*(n + 1)*(2*n - 1)/6"),
    (SIZES, "sum(r**k, k, 0, n) == (1 - r**n)/(1 - r)"),
    (SIZES, "sum(1, l, 1, n, k, 1, n, l != k) == n*(n + 1)"),
    (SIZES, "binomial(n + 1, p + 1) == binomial(n, p) + binomial(n, p - 1)"),
    (SIZES, "factorial2(2*p - 1) == factorial(2*p)/2**p"),
    (SIGNS, "log(a + b) == log(a) + log(b)"),
    (SIGNS, "sqrt(a + b) == sqrt(a) + sqrt(b)"),
    (SIGNS, "(a*b + a)**L == a*(b + 1)**L"),
    (SIGNS, "t**2*sum((t**2 + 1)**k, k, 0, L) == (t**2 + 1)**L - 1"),
]


@pytest.mark.parametrize(("symbols", "says"), TRUE, ids=[says for _, says in TRUE])
def test_true_identities_are_proved(symbols, says):
    found = judge(says, symbols)
    assert (found.truth, found.grade) == ("true", "proved"), found.reason


@pytest.mark.parametrize(("symbols", "says"), FALSE, ids=[says for _, says in FALSE])
def test_false_siblings_are_refuted_at_a_point(symbols, says):
    found = judge(says, symbols)
    assert found.truth == "false", found.reason
    assert found.grade in ("proved", "certified")
    example = found.counterexample
    assert example is not None
    assert example.lhs != example.rhs


def test_the_correction_is_the_left_side_in_the_language():
    found = judge("sum(i, i, 1, n) == n**2", SIZES)
    assert found.corrected == "n*(n + 1)/2"
    assert judge(f"sum(i, i, 1, n) == {found.corrected}", SIZES).truth == "true"


def test_points_outside_an_assumption_break_nothing():
    assert judge("abs(x) == x", {"x": "real"}).truth == "false"
    assert judge("abs(x) == x", {"x": "real"}, ("x >= 0",)).truth == "true"
    assert judge("abs(x) == x", {"x": "interval(-1, 2)"}).truth == "false"


def test_a_sum_that_may_run_backwards_is_not_decided():
    assert judge("sum(i, i, 1, m) == m*(m + 1)/2", SIZES).truth == "unknown"


def test_undefined_points_are_left_out_and_reported():
    found = judge("x/x == 1", {"x": "real"})
    assert found.truth == "true"
    assert any("zero" in reason for reason in found.excluded)


def test_derivatives_come_before_substitutions():
    symbols = {"t": "real", "s": "real"}
    assert judge("D(t**2, t) == 2*s**2", symbols, ("t == s**2",)).truth == "true"
    assert judge("D(t**2, t) == 4*s**3", symbols, ("t == s**2",)).truth == "false"
