"""closed_form: free of expectations and derivatives, and equal to what it was made of."""

import pytest

from tests.prove.specs import claim, judged
from verifier.expr import nodes as N
from verifier.expr.text import to_text
from verifier.prove.equal.closed_form import closed_form
from verifier.prove.lower.lowering import walked

SYMBOLS = """
n: dimension
d: dimension
sigma: positive
L: symmetric(n)
X: matrix(n, d)
x: vector(n)
i: index(n)
W: normal(d, d, std=sigma)
Z: normal(n, d, std=sigma)
I: iid(n, d, mean=0, var=1)
"""

EXPRESSIONS = [
    "E(norm(X @ W)**2)",
    "E(norm(Z.T @ L @ Z)**2)",
    "Var(x.T @ Z @ ones(d))",
    "E((Z @ Z.T)[i, 1])",
    "E(sum(Z[k, 1]**4 * x[k], k, 1, n))",
    "norm(D(X @ W @ X.T, X))**2",
    "E(norm(D(X @ W @ X.T, X))**2) / sqrt(n)",
    "E(Z @ Z.T)",
    "E(norm(Z)**2) / (n * norm(x)**2 + 1)",
]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_closed_forms_are_closed_and_equal(text: str) -> None:
    made = claim(f"{text} == {text}", SYMBOLS)
    node = made.steps[0].fact.left  # type: ignore[union-attr]
    closed = closed_form(made, node)
    assert closed is not None
    assert not any(isinstance(x, N.Expectation | N.Derivative | N.Variance) for x in walked(closed))
    assert judged(f"{text} == {to_text(closed)}", SYMBOLS).truth == "true", to_text(closed)


def test_what_is_not_stated_has_no_closed_form() -> None:
    made = claim("E(norm(I)**4) == 1", SYMBOLS)
    assert closed_form(made, made.steps[0].fact.left) is None  # type: ignore[union-attr]
