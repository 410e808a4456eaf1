"""Lines in a symbol: slope * x + rest is the tree itself, and what is no line is not said to be one."""

from fractions import Fraction

import pytest

from tests.exact.helpers import claim as claim_of
from verifier.exact.values.evaluate import evaluate
from verifier.expr import nodes as N
from verifier.expr.affine import affine

SYMBOLS = "x: real; y: real; a: positive"
LINES = ["x", "3*x - y", "a*(x - y)/2 + x", "-(y - x*a)", "y*(1 - x)", "(x + y)/(a*y) - 7", "y + a"]


@pytest.mark.parametrize("text", LINES)
def test_it_is_the_tree_itself(text: str) -> None:
    node = claim_of(f"{text} >= 0", SYMBOLS).steps[0].fact.left  # type: ignore[union-attr]
    line = affine(node, N.Symbol("x"))
    assert line is not None
    again = N.Add(N.Multiply(line.slope, N.Symbol("x")), line.rest)
    for x in (Fraction(-2), Fraction(3, 5)):
        at = {"x": x, "y": Fraction(5, 3), "a": Fraction(7)}
        assert evaluate(again, at) == evaluate(node, at)
        assert evaluate(line.slope, at) == evaluate(line.slope, at | {"x": x + 1})


@pytest.mark.parametrize("text", ["x*x", "1/x", "x**2 + y", "exp(x)", "y*(x + x*(x + 1))"])
def test_no_line(text: str) -> None:
    node = claim_of(f"{text} >= 0", SYMBOLS).steps[0].fact.left  # type: ignore[union-attr]
    assert affine(node, N.Symbol("x")) is None
