"""Zeros and changes of sign: nothing may be left out."""

from fractions import Fraction

import sympy as sp

from verifier.prove.scalars.symbol_ranges import Span, symbol
from verifier.prove.scalars.zeros import sign_changes, zeros

SPANS = {
    "n": Span(integer=True, low=Fraction(1)),
    "a": Span(),
    "b": Span(nonzero=True),
    "u": Span(low=Fraction(0)),
    "v": Span(low=Fraction(0)),
    "s": Span(low=Fraction(0), open_low=True),
}
n, a, b, u, v, s = (symbol(name, span) for name, span in SPANS.items())


def test_zeros_of_products_sums_and_exponentials():
    assert zeros(s * (n + u), SPANS) == []
    assert zeros(a * (n - 1), SPANS) == [{a: 0}, {n: 1}] or zeros(a * (n - 1), SPANS) == [{n: 1}, {a: 0}]
    assert zeros(u + v, SPANS) == [{u: 0, v: 0}]
    assert zeros(s * u + n * v**2, SPANS) == [{u: 0, v: 0}]
    assert zeros(sp.exp(a) - 1, SPANS) == [{a: 0}]
    assert zeros(v**2 * (sp.exp(u) - 1) + n**2 * s, SPANS) == []
    assert zeros(b, SPANS) == []
    assert zeros(u - s, SPANS) == [{s: u}]


def test_what_is_not_covered_is_not_guessed():
    assert zeros(sp.sin(a) + a, SPANS) is None
    assert zeros(a**2 - b**3 - 5, SPANS) is None
    assert zeros(1 / sp.gamma(a), SPANS) is None


def test_signs_change_at_rational_roots_inside_the_span():
    assert sign_changes(a**2 - 1, SPANS) == (a, [Fraction(-1)]) or sign_changes(a**2 - 1, SPANS) == (
        a,
        [Fraction(1)],
    )
    assert sign_changes(s - 2, SPANS) == (s, [Fraction(2)])
    assert sign_changes(s + 2, SPANS) is None
    assert sign_changes(a - u, SPANS) == (a, [u])
    assert sign_changes(sp.exp(a) - 1, SPANS) == (a, [0])
    assert sign_changes(a**2 - u - s, SPANS) is None
