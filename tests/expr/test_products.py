"""Products that read well, with the value that they had."""

from fractions import Fraction

import pytest

from verifier.expr.elaborate import elaborate
from verifier.expr.nodes import Node
from verifier.expr.products import divided, multiplied, times
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.read.specs.load import load_text

SPEC = """
theorem: toy/products
symbols: {n: dimension, m: dimension, s: positive, x: vector(n)}
claims:
  c: {says: s >= 0}
"""


def read(text: str) -> Node:
    (claim,) = load_text(SPEC, "products.yaml").claims
    return elaborate(parse(text), claim.scope)


@pytest.mark.parametrize(
    ("factor", "text", "expected"),
    [
        (Fraction(1, 2), "4*m*s/3", "2*m*s/3"),
        (Fraction(1, 2), "m*s", "m*s/2"),
        (Fraction(1, 10), "n/10", "n/100"),
        (Fraction(1, 2), "-2*s", "-s"),
        (Fraction(-1), "s/2", "-s/2"),
        (Fraction(1, 2), "4*s**2 + 6*m", "2*s**2 + 3*m"),
        (Fraction(1, 2), "4*s**2 - 5*m", "(4*s**2 - 5*m)/2"),
        (Fraction(3, 2), "2", "3"),
        (Fraction(1, 2), "1/s", "1/(2*s)"),
        (Fraction(0), "s", "0"),
    ],
)
def test_a_number_goes_to_the_others(factor: Fraction, text: str, expected: str) -> None:
    assert to_text(times(factor, read(text))) == expected


def test_sizes_meet_sizes() -> None:
    root = read("sqrt(n)")
    assert to_text(multiplied(root, root)) == "n"
    assert to_text(multiplied(root, read("n**(1/3)*norm(x)"))) == "n**(5/6)*norm(x)"
    assert to_text(divided(read("norm(x)**4/sqrt(n)"), root)) == "norm(x)**4/n"
    assert to_text(divided(read("s"), read("2*m"))) == "s/(2*m)"
    assert to_text(multiplied(root, read("1"))) == "sqrt(n)"
