"""Tree to SymPy and back: the text parses, and both mean the same."""

import pytest
import sympy as sp

from tests.prove.scalars.helpers import claim, judge
from verifier.expr.text import to_text
from verifier.prove.scalars.scalar_refusal import Refused
from verifier.prove.scalars.symbol_ranges import domain
from verifier.prove.scalars.sympy_to_tree import from_sympy
from verifier.prove.scalars.tree_to_sympy import Translator

S = {"x": "real", "n": "dimension", "s": "positive", "k": "dimension"}

EXPRESSIONS = [
    "x**2 - 3*x + 1/2",
    "-x/(2*s)",
    "sqrt(s)*exp(-x**2/2)/sqrt(2*pi)",
    "Phi(x) + x*phi(x)",
    "gelu(x)",
    "silu(x) + softplus(x)*sigmoid(x)",
    "tanh(x)*sin(x) - cos(x)*log(s)",
    "relu(x) + abs(x - 1)",
    "max(x, s) - min(x, 2)",
    "factorial(n) + factorial2(2*n - 1)",
    "binomial(n + 2, 2)",
    "sum(i**2*x, i, 1, n)",
    "prod(1 + i*s, i, 1, n)",
    "s**(-n)",
    "n**(3/2)/s**2",
    "erf(x/2)",
]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_round_trip(text):
    made = claim(f"{text} == 0", S)
    translator = Translator(made, domain(made))
    expr = translator.read(made.steps[0].fact.left)
    back = to_text(from_sympy(expr, translator.atoms))
    assert judge(f"{text} == {back}", S).truth == "true", back


def test_piecewise_has_no_text():
    x = sp.Symbol("x", real=True)
    with pytest.raises(Refused):
        from_sympy(sp.Piecewise((1, x > 0), (0, True)), {})
