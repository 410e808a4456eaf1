"""Closed forms in the shortest way of writing them: the value stays, and equal factors are met once."""

from fractions import Fraction

import pytest

from tests.prove.specs import claim
from verifier.exact.values.compare_at_point import compare_claim
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.prove.write.neat import neat

SYMBOLS = """
d: dimension
s: positive
t: real
x: vector(d)
y: vector(d)
"""
POINT = {"d": 2, "s": "3/2", "t": "-1/3", "x": [["1"], ["2"]], "y": [["-1/2"], ["1"]]}
WRITTEN = {
    "1/(1 + s**2)*sqrt(1 + s**2)*norm(x)**2": "norm(x)**2/sqrt(1 + s**2)",
    "1/norm(x)**2*(1/norm(y)**2)*norm(x)*norm(y)*inner(x, y)": "inner(x, y)/(norm(x)*norm(y))",
    "exp(s**2)*(1/exp(t**2))*exp(t**2/2)": "exp(s**2 - t**2/2)",
    "exp(s**2)**2*s": "s*exp(2*s**2)",
    "(2*t*Phi(t*(1/s))*exp(t**2/2) + s)/(2*exp(t**2/2))": "t*Phi(t/s) + s*exp(-(t**2/2))/2",
    "s/(1 + s**2)*t**2 + s/(1 + s**2)*t": "(s*t**2 + s*t)/(1 + s**2)",
    "exp(1/s*x**2)[1]*(1/exp(2/s*x**2))[1]": "exp(-(x[1]**2/s))",
    "sqrt(s)*(1/s)**2*(x @ x.T)": "1/(s*sqrt(s))*(x @ x.T)",
}
KEPT = [
    "(t*(t - 1))**(1/2)",
    "sqrt(t*(t - 1))",
    "s**2/2*norm(x)**2",
    "norm(x)**4*((d + 5)/d)",
    "sqrt(2)*s*norm(x)",
    "asin(s/(1 + s))/2 + t",
    "x*y",
]


def left(text: str) -> N.Node:
    fact = claim(f"{text} == {text}", SYMBOLS).steps[0].fact
    assert isinstance(fact, N.Relation)
    return fact.left


@pytest.mark.parametrize("text", WRITTEN)
def test_equal_factors_meet(text: str) -> None:
    assert to_text(neat(left(text))) == WRITTEN[text]


@pytest.mark.parametrize("text", [*WRITTEN, *KEPT, "sqrt(s)*(1/s)*(1/(-t))", "(-t)**3*(1/t)*s"])
def test_the_value_stays(text: str) -> None:
    def exact(value: object) -> object:
        return [exact(v) for v in value] if isinstance(value, list) else Fraction(str(value))

    point = {name: value if name == "d" else exact(value) for name, value in POINT.items()}
    made = claim(f"{to_text(neat(left(text)))} == {text}", SYMBOLS)
    fact = made.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert compare_claim(made, fact, point).outcome != "false"


@pytest.mark.parametrize("text", KEPT)
def test_what_meets_nothing_stays(text: str) -> None:
    assert neat(left(text)) == left(text)
