"""Gamma functions of a size: the recursion, and bounds between quotients of them."""

from fractions import Fraction

import pytest
import sympy as sp

from verifier.prove.scalars.gammas import reduced, sign_of_gammas
from verifier.prove.scalars.symbol_ranges import Span, symbol

SPANS = {
    "d": Span(integer=True, low=Fraction(1)),
    "n": Span(integer=True, low=Fraction(1)),
    "s": Span(low=Fraction(0), open_low=True),
}
d, n, s = (symbol(name, span) for name, span in SPANS.items())
HALF = sp.Rational(1, 2)
MEAN = s * sp.sqrt(2) * sp.gamma(d / 2 + HALF) / sp.gamma(d / 2)  # of the length of d normal entries


def test_the_recursion_leaves_one_gamma_of_each_class() -> None:
    assert sp.expand(reduced(sp.factorial(d / 2 + HALF) - (d / 2 + HALF) * sp.gamma(d / 2 + HALF))) == 0
    assert reduced(sp.gamma(d / 2 + 2)).atoms(sp.gamma) == {sp.gamma(d / 2 + 2)}
    assert reduced(sp.gamma(d + 3) / sp.gamma(d)).expand() == (d * (d + 1) * (d + 2)).expand()
    assert sp.expand(reduced(sp.gamma(d + 2) - d * sp.gamma(d + 1))) != 0


@pytest.mark.parametrize(
    "slack",
    [
        s * sp.sqrt(d) - MEAN,
        MEAN - s * sp.sqrt(d - 1),
        MEAN - s * sp.sqrt(d - HALF),
        MEAN - s * d / sp.sqrt(d + 1),
        MEAN - s * sp.sqrt(2 * d / sp.pi),
        s**2 / 2 - (d * s**2 - MEAN**2),
        (MEAN - s * sp.sqrt(d - 1)).subs(d, n * d),
    ],
)
def test_bounds_of_the_mean_length(slack: sp.Expr) -> None:
    assert sign_of_gammas(slack, SPANS) in ("positive", "nonnegative")


@pytest.mark.parametrize(
    "slack",
    [
        MEAN - s * sp.sqrt(d),
        MEAN - s * sp.sqrt(d - sp.Rational(1, 3)),  # false at d = 1 alone
        sp.Rational(99, 100) * s * sp.sqrt(d) - MEAN,  # false from some d on
        MEAN - sp.Rational(4, 5) * s * sp.sqrt(d),
        s**2 * sp.Rational(9, 20) - (d * s**2 - MEAN**2),
        MEAN - n * sp.sqrt(d - 1),
    ],
)
def test_what_is_false_somewhere_is_not_shown(slack: sp.Expr) -> None:
    assert sign_of_gammas(slack, SPANS) is None
