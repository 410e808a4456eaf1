"""How trees scale: what is said is held against numbers, and what does not scale is not said to."""

from fractions import Fraction

import pytest

from tests.exact.helpers import claim as claim_of
from verifier.exact.numbers.constants import enclose
from verifier.exact.values.evaluate import evaluate
from verifier.expr.scaling import scaling

SYMBOLS = "n: dimension; x: vector(n); y: vector(n); A: matrix(n, n)"
SCALING = {
    "norm(x)": (1, 1),
    "x[1]": (1, -1),
    "x.T @ A @ x": (2, 1),
    "x[1]*norm(x)": (2, -1),
    "norm(x, 1)/norm(x)": (0, 1),
    "sqrt(x[1]**2 + x[2]**2)": (1, 1),
    "relu(x[1])": (1, 0),
    "max(abs(x[1]), norm(x))": (1, 1),
    "norm(x)**(3/2)": (Fraction(3, 2), 1),
    "inner(x, y)": (1, -1),
    "norm(rmsnorm(x.T))": (0, 1),
    "norm(y)": (0, 1),
    "x[1] + norm(x)": (1, 0),
}


@pytest.mark.parametrize("text", SCALING)
def test_degree_and_parity(text: str) -> None:
    node = claim_of(f"{text} >= 0", SYMBOLS).steps[0].fact.left  # type: ignore[union-attr]
    found = scaling(node, {"x"})
    assert found is not None
    assert (found.degree, found.parity) == SCALING[text]
    others = {"n": 2, "y": [[1], [-3]], "A": [[2, 1], [0, 5]]}
    at_x = evaluate(node, {**others, "x": [[1], [2]]})[0][0]
    at_4x = evaluate(node, {**others, "x": [[4], [8]]})[0][0]
    assert abs(float(enclose(at_4x)) - 4 ** float(found.degree) * float(enclose(at_x))) < 1e-9
    if found.parity:
        turned = evaluate(node, {**others, "x": [[-1], [-2]]})[0][0]
        assert abs(float(enclose(turned)) - found.parity * float(enclose(at_x))) < 1e-9


@pytest.mark.parametrize("text", ["norm(x) + 1", "exp(x[1])", "norm(x) + norm(x)**2", "norm(softmax(x.T))"])
def test_what_does_not_scale(text: str) -> None:
    node = claim_of(f"{text} >= 0", SYMBOLS).steps[0].fact.left  # type: ignore[union-attr]
    assert scaling(node, {"x"}) is None
