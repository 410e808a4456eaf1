"""Forms for people to read: equal to what they stand for, and as short."""

import pytest
import sympy as sp

from verifier.expr.text import to_text
from verifier.prove.scalars.identically_zero import simplest
from verifier.prove.scalars.sympy_to_tree import from_sympy

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", integer=True, positive=True)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (x / 2 + sp.Abs(x) / 2, "max(0, x)"),
        (x / 2 - sp.Abs(x) / 2, "min(0, x)"),
        (x + y + sp.Abs(x - y), "max(2*x, 2*y)"),
        (sp.Abs(x), "abs(x)"),
        (sp.factorial2(2 * p - 1), "factorial2(2*p - 1)"),  # and no factorial of p - 1/2
    ],
)
def test_the_form_that_is_shown(expr, text):
    found = simplest(expr)
    assert to_text(from_sympy(found, {})) == text
    for at in ({x: -2, y: 3, p: 2}, {x: 5, y: 1, p: 4}):
        assert found.subs(at) == expr.subs(at)
