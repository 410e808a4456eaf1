"""Leading terms at infinity: against known limits, against numbers, and with what they rest on."""

from fractions import Fraction

import pytest
import sympy as sp

from verifier.prove.limits.leading_terms import limit_at_infinity
from verifier.prove.limits.limit_values import approaches
from verifier.prove.limits.scale_sums import Undecided
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import Span, symbol

SPANS = {
    "L": Span(integer=True, low=Fraction(1)),
    "p": Span(integer=True, low=Fraction(1)),
    "a": Span(),
    "b": Span(),
    "s": Span(low=Fraction(0), open_low=True),
    "q": Span(low=Fraction(0)),
    "x": Span(low=Fraction(-1), high=Fraction(1), open_low=True, open_high=True),
}
L, p, a, b, s, q, x = (symbol(name, span) for name, span in SPANS.items())


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        ((1 + a / L) ** (b * L + 3), sp.exp(a * b)),
        ((1 + a / L) ** p, 1),
        (((1 + a / L) * (1 + b / L)) ** L, sp.exp(a + b)),
        ((L + a) ** L / L**L, sp.exp(a)),
        (((2 * L + a) / (L + 3)) ** L / 2**L, sp.exp(a / 2 - 3)),
        (L * ((1 + 1 / L) ** L - sp.E), -sp.E / 2),
        (L * (sp.sqrt(L**2 + 1) - L), sp.Rational(1, 2)),
        ((1 + s) ** L / (1 + (1 + s) ** L), 1),
        (L**10 * sp.exp(-L), 0),
        ((1 - 1 / L) ** (L**2), 0),
        (L ** (1 / L), 1),
        (sp.factorial(L) / sp.factorial(L - p) / L**p, 1),
        (sp.binomial(L, p) / L**p, 1 / sp.gamma(p + 1)),
        (sp.binomial(2 * L, L) * sp.sqrt(L) / 4**L, 1 / sp.sqrt(sp.pi)),
        (sp.factorial(L) ** (1 / L) / L, sp.exp(-1)),
        (L * x ** (L - 1), 0),
        (L * sp.sin(a / L), a),
        (sp.tanh(s * L), 1),
        (sp.erf(s * sp.sqrt(L)), 1),
        (sp.factorial(L + 1) / sp.factorial(L), sp.oo),
        (-((1 + s) ** L), -sp.oo),
    ],
)
def test_limits_are_right_and_numbers_agree(body, limit):
    found = limit_at_infinity(body, L, SPANS).value
    assert found == limit or sp.simplify(found - limit) == 0
    at = {
        p: sp.Integer(3),
        a: sp.Rational(-2, 3),
        b: sp.Rational(5, 4),
        s: sp.Rational(1, 2),
        x: sp.Rational(-3, 4),
    }
    assert approaches(body, L, sp.oo, found, at) is True


@pytest.mark.parametrize("body", [(-1) ** L, sp.sin(L), (-1) ** L + 1 / L, (-2) ** L])
def test_what_has_no_limit_is_refused(body):
    with pytest.raises(Refused):
        limit_at_infinity(body, L, SPANS)


def test_alternating_terms_that_die_out_do_no_harm():
    assert limit_at_infinity(3 + (-1) ** L / L, L, SPANS).value == 3
    assert limit_at_infinity(((-2) ** L + 3**L) / 3**L, L, SPANS).value == 1


def test_conditions_say_where_the_leading_term_leads():
    found = limit_at_infinity((1 + q) ** L * b / ((1 + q) ** L * b + 1), L, SPANS)
    assert found.value == 1
    assert set(found.conditions) == {q, b}
    assert limit_at_infinity((1 + s) ** L / ((1 + s) ** L + 1), L, SPANS).conditions == ()


def test_an_open_sign_is_asked_for():
    with pytest.raises(Undecided) as open_sign:
        limit_at_infinity(a**L, L, SPANS)
    assert sp.expand(open_sign.value.expr - (a**2 - 1)) == 0
