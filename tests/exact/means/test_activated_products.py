"""Expectations of functions of normal entries at concrete sizes, against closed forms."""

import math

import pytest
from flint import arb

from tests.prove.specs import claim
from verifier.exact.numbers.constants import enclose
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.values.evaluate import evaluate
from verifier.exact.values.point_context import Context

SYMBOLS = """
d: dimension
m: dimension
s: positive
x: vector(d)
y: vector(d)
W: normal(m, d, std=s)
g: normal(1, 1, std=1)
B: bernoulli(m, 1, 1/4)
e: rademacher(m, 1)
U: uniform(m, 1, 0, 1)
Y: iid(m, 1, mean=0, var=2)
Z: random(m, 1, mean=0)
"""
POINT = {"d": 2, "m": 3, "s": 2, "x": [[1], [2]], "y": [[2], [4]]}
V = 4 * 5  # s**2 norm(x)**2


def value(expression: str) -> arb:
    made = claim(f"{expression} == 0", SYMBOLS)
    ((found,),) = evaluate(made.steps[0].fact.left, POINT, Context.of(made), bits=80)  # type: ignore[union-attr]
    return enclose(found)


CASES = {
    "E(norm(relu(W @ x))**2)": 3 * V / 2,
    "E(norm(abs(W @ x))**2)": 3 * V,
    "E(norm(erf(W @ x))**2)": 3 * 2 / math.pi * math.asin(2 * V / (1 + 2 * V)),
    "E(inner(relu(W @ x), relu(W @ y)))": 3 * 2 * V / 2,
    "E(inner(relu(W @ x), relu(-W @ y)))": 0.0,
    "E(norm(D(relu(W @ x), W))**2)": 3 * 5 / 2,
    "E(exp(g))": math.exp(0.5),
    "E(cos(g)**2)": (1 + math.exp(-2)) / 2,
    "E(gelu(g)**2)": 1 / 3 + math.sqrt(3) / (6 * math.pi),
    "Var(relu(g))": 0.5 - 1 / (2 * math.pi),
    # roots of squares of one linear form
    "E(norm(g))": math.sqrt(2 / math.pi),
    "E(norm(g)**3)": 2 * math.sqrt(2 / math.pi),
    "E(norm(x @ (W[1] @ x)))": math.sqrt(5 * V * 2 / math.pi),
    "Var(norm(W[1] @ x))": V * (1 - 2 / math.pi),
    "E(sqrt((W[1, 1] - 2*W[2, 1])**2))": math.sqrt(20 * 2 / math.pi),
    # other laws beside: masks, signs, and entries that are independent of each other
    "E(norm(4*B * relu(W @ x))**2)": 4 * 3 * V / 2,
    "E(inner(ones(m), B * relu(W @ x))**2)": 3 * V / 8 + 6 * V / (32 * math.pi),
    "E(inner(e, relu(W @ x))**2)": 3 * V / 2,
    "E(inner(U, relu(W @ x)))": 3 * math.sqrt(V / (2 * math.pi)) / 2,
    "E(inner(Y, relu(W @ x))**2)": 3 * V,
}


@pytest.mark.parametrize(("expression", "expected"), CASES.items())
def test_values(expression: str, expected: float) -> None:
    found = value(expression)
    assert found.rad() < 1e-12
    assert float(found.mid()) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_two_directions() -> None:
    """(sqrt(1 - r**2) + (pi - acos(r)) r) |x| |y|/(2 pi), r = 4/5, for each of three neurons"""
    other = {**POINT, "y": [[2], [1]]}
    made = claim("E(inner(relu(W @ x), relu(W @ y))) == 0", SYMBOLS)
    ((found,),) = evaluate(made.steps[0].fact.left, other, Context.of(made))  # type: ignore[union-attr]
    expected = 3 * V * (0.6 + (math.pi - math.acos(0.8)) * 0.8) / (2 * math.pi)
    ball = enclose(found)
    assert ball.rad() < 0.1
    assert ball.contains(arb(expected))


def test_entries_beside_functions() -> None:
    """E(w.a relu(w.x)) = s**2 a.x/2, and E((w.a)**2 tanh(w.x)**2) splits a along x and across"""
    found = value("E(inner(W[1].T, 0*x + 1)*relu(inner(W[1].T, x)))")
    assert float(found.mid()) == pytest.approx(4 * 3 / 2, rel=1e-12)
    square = value("E(inner(W[1].T, 2*x)**2*tanh(inner(W[1].T, x))**2)")
    along = value("4*E(20*g**2*tanh(sqrt(20)*g)**2)")
    assert float(square.mid()) == pytest.approx(float(along.mid()), rel=1e-9)


def test_three_directions_are_refused() -> None:
    with pytest.raises(Unsupported):
        value("E(tanh(W[1, 1])*tanh(W[1, 2])*tanh(W[1, 1] + 2*W[1, 2]))")


@pytest.mark.parametrize("expression", ["E(inner(Z, relu(W @ x))**2)", "E(tanh(U[1])*relu(g))"])
def test_what_is_not_stated_is_refused(expression: str) -> None:
    """Entries of any joint law may depend on each other, and functions are of normal entries only."""
    with pytest.raises(Unsupported):
        value(expression)


def test_lengths_of_several_entries_are_refused() -> None:
    with pytest.raises(Unsupported):
        value("E(norm(W @ x))")
