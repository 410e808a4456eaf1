"""Limits: symbolic, checked by numbers, by cases where a parameter is zero."""

from fractions import Fraction

import pytest
import sympy as sp

from tests.prove.scalars.helpers import judge
from tests.prove.specs import judged
from verifier.prove.limits.limit_values import approaches, compositional_limit
from verifier.prove.limits.power_quotients import one_fraction
from verifier.prove.scalars.symbol_ranges import Span

S = {
    "L": "dimension",
    "l": "dimension",
    "a": "real",
    "b": "real",
    "s": "positive",
    "n": "dimension",
    "r": "real",
}


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("limit((1 + a/L)**L, L, oo) == exp(a)", "true"),
        ("limit((1 + a/L)**L, L, oo) == exp(2*a)", "false"),
        ("limit((1 + a/L)**l, L, oo) == 1", "true"),
        ("limit((1 + a/L)**l, L, oo) == exp(a)", "false"),
        ("limit(a/L*sum((1 + a/L)**k, k, 0, L - 1), L, oo) == exp(a) - 1", "true"),
        ("limit(a/L*sum((1 + a/L)**k, k, 0, L - 1), L, oo) == exp(a)", "false"),
        ("limit((3*L**2 + L)/(L**2 + 1), L, oo) == 3", "true"),
        ("limit((3*L**2 + L)/(L**2 + 1), L, oo) == 2", "false"),
        ("limit(L*sin(1/L), L, oo) == 1", "true"),
        ("limit((1 + s)**L/(1 + (1 + s)**L), L, oo) == 1", "true"),
        ("limit(limit((n*L + 3*L)/(n*L + 1), L, oo), n, oo) == 1", "true"),
        ("limit(limit((n*L + 3*L)/(n*L + 1), L, oo), n, oo) == 3", "false"),
        ("limit(D(x**3, x)/x**2, x, oo) == 3", "true"),
        ("limit(D(x**3, x)/x**2, x, oo) == 1", "false"),
    ],
)
def test_limits(says, expected):
    found = judge(says, {**S, "x": "real"})
    assert found.truth == expected, (found.reason, found.missing)


def test_a_limit_that_fails_where_a_parameter_is_zero():
    """(a**2+1)**L b/((a**2+1)**L b + 1) tends to 1, but not where b = 0; and to b/(b+1) where a = 0."""
    symbols = {"L": "dimension", "a": "real", "b": "real"}
    says = "limit((a**2 + 1)**L*b**2/((a**2 + 1)**L*b**2 + 1), L, oo) == 1"
    found = judge(says, symbols, ("a != 0",))
    assert found.truth == "false"
    assert found.counterexample.values["b"] == 0
    assert judge(says, symbols, ("a != 0", "b != 0")).truth == "true"


def test_a_limit_that_fails_at_size_one():
    says = "limit(((1 + s)**L*(n - 1) + 1)/((1 + s)**L*(n - 1) + 2), L, oo) == 1"
    assert judge(says, S).truth != "true"
    assert judge(says, S, ("n >= 2",)).truth == "true"


def test_numbers_catch_a_wrong_limit():
    x = sp.Symbol("x", positive=True)
    assert approaches((1 + 1 / x) ** x, x, sp.oo, sp.E) is True
    assert approaches((1 + 1 / x) ** x, x, sp.oo, sp.Integer(2)) is False
    assert approaches(x**2, x, sp.oo, sp.oo) is True
    assert approaches(sp.sin(x), x, sp.oo, sp.Integer(0)) is False
    assert approaches(1 / sp.log(x), x, sp.oo, sp.Integer(0)) is True
    assert approaches(sp.log(3 * x) / sp.log(x), x, sp.oo, sp.Integer(1)) is True
    assert approaches(sp.log(3 * x) / sp.log(x), x, sp.oo, sp.Integer(2)) is False


def test_powers_with_growing_bases_share_generators():
    L, a, b = (sp.Symbol(name, positive=True) for name in "Lab")
    ratio = ((L + a) * (L + b) / L**2) ** L / (1 + b / L) ** L
    assert sp.simplify(one_fraction(ratio, L) - ((L + a) / L) ** L) == 0
    assert compositional_limit(one_fraction(ratio, L), L, sp.oo) == sp.exp(a)


def test_spans_keep_what_assumptions_say():
    assert Span(integer=True).above(Fraction(3, 2), strict=False).low == 2


@pytest.mark.parametrize(
    ("says", "truth"),
    [
        ("limit(abs(x)/x, x, 0) == 1", "false"),
        ("limit(sin(x)/x, x, 0) == 1", "true"),
        ("limit(abs(t)/t, t, 0) == 1", "true"),
        ("limit(acos(r), r, 1) == 0", "true"),
        ("limit(acos(r), r, 1) == 1", "false"),
    ],
)
def test_a_finite_target_is_reached_from_every_side_that_there_is(says: str, truth: str) -> None:
    assert judged(says, "x: real\nt: positive\nr: interval(-1, 1)").truth == truth


ROWS = {"d": "dimension", "n": "dimension", "t": "positive", "z": "vector(d)", "x": "vector(n)"}


@pytest.mark.parametrize(
    "says",
    [
        "limit(softmax(z.T/t)[1, 1], t, oo) == 1/d",
        "limit(softmax(t*z.T), t, 0) == ones(1, d)/d",
        "limit(norm(exp(z/t))**2, t, oo) == d",
    ],
)
def test_invariants_that_hold_the_variable_are_no_constants(says):
    assert judge(says, ROWS).truth != "false"
    assert judge(says.replace("== ", "== 2*"), ROWS).truth != "true"


@pytest.mark.parametrize("says", ["limit(norm(x)/n, n, oo) == 0", "limit(inner(x, ones(n))/n, n, oo) == 0"])
def test_nor_are_those_of_matrices_that_grow(says):
    assert judge(says, ROWS).truth != "true"


def test_they_may_cancel():
    assert judge("limit((n + 1)*norm(x)**2/(n*norm(x)**2), n, oo) == 1", ROWS).truth == "true"
    assert judge("limit((n + 1)*norm(x)**2/(n*norm(x)**2), n, oo) == 2", ROWS).truth == "false"


SIGNS = {"n": "dimension", "a": "positive", "b": "real", "c": "real", "r": "interval(0, 1)"}


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("limit((-1)**n, n, oo) == 1", "false"),
        ("limit((1 + (-1)**n)/2, n, oo) == 1/2", "false"),
        ("limit((1 + (-1)**n/n)**n, n, oo) == exp(1)", "false"),
        ("limit(a*abs(c)/c, c, 0) == a", "false"),
        ("limit(relu(c)/c, c, 0) == 1", "false"),
        ("limit(exp(1/c), c, 0) == 0", "false"),
        ("limit((n + (-1)**n)/n, n, oo) == 1", "true"),
        ("limit((3 + (-1)**n)/(3 + (-1)**n), n, oo) == 1", "true"),
        ("limit(b*abs(c)/c, c, 0) == b", "unknown"),  # where b = 0 there is one
    ],
)
def test_what_has_no_limit_is_equal_to_nothing(says, expected):
    assert judge(says, SIGNS).truth == expected


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("limit((c**2 - a**2)/(c - a), c, a) == 2*a", "true"),
        ("limit((c**2 - a**2)/(c - a), c, a) == a", "false"),
        ("limit((exp(c) - exp(b))/(c - b), c, b) == exp(b)", "true"),
        ("limit((exp(c) - exp(b))/(c - b), c, b) == exp(c)", "false"),
    ],
)
def test_the_target_may_be_a_symbol(says, expected):
    assert judge(says, SIGNS).truth == expected
