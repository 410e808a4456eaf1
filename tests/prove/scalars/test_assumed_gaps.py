"""Signs that rest on assumed inequalities: those that spans cannot hold, and none that the points deny."""

from fractions import Fraction

import pytest
import sympy as sp

from verifier.prove.scalars.assumed_gaps import Gap, sign_given
from verifier.prove.scalars.symbol_ranges import Span, symbol

SPANS = {"s": Span(low=Fraction(0), open_low=True), "t": Span()}
s, t = (symbol(name, SPANS[name]) for name in "st")
BELOW, SQUARE = Gap(sp.sqrt(2) - s, True), Gap(2 - s**2, True)


@pytest.mark.parametrize(
    ("expr", "gap", "expected"),
    [
        (s**2 / 2 - 1, BELOW, "negative"),
        (s**2 / 2 - 1, SQUARE, "negative"),
        (sp.log(s**2 / 2), BELOW, "negative"),
        (sp.log(s / 2), BELOW, "negative"),
        (s**2 / 2 - 1, Gap(sp.sqrt(2) - s, False), "nonpositive"),
        (s**2 - 1, BELOW, None),
        (t**2 / 2 - 1, Gap(sp.sqrt(2) - t, True), None),  # t = -3 is below sqrt(2)
        (sp.log(s), SQUARE, None),
    ],
)
def test_signs(expr: sp.Expr, gap: Gap, expected: str | None) -> None:
    assert sign_given(expr, SPANS, [gap]) == expected
