"""Every inequality of the textbooks is held against random values, and every sign that is read off a tree."""

import numpy as np
import pytest

from tests.refute.claims import claim_of
from verifier.expr.nodes import Relation
from verifier.kernel.context import Context
from verifier.kernel.normal.sign import is_nonnegative, is_positive
from verifier.kernel.rules.inequalities import INSTANCES
from verifier.refute.domain.size_levels import cells_of
from verifier.refute.domain.space import Domain
from verifier.refute.domain.starts import starts
from verifier.sample.compile.compile import evaluate

ATOMS = [
    "inner(x, y)", "inner(C, F.T)", "tr(A @ B)", "x.T @ y", "norm(x - y, 1)", "norm(A + B, 2)",
    "norm(A - B)", "abs(t - a)", "norm(x + y, oo)", "norm(C @ F)", "norm(C @ F, 2)", "norm(A * B)",
    "norm(A * B, 2)", "norm(C)", "norm(C, 2)", "norm(x)", "norm(z, 1)", "norm(x, oo)", "x[i]", "C[1, 1]",
    "z[1, i]", "tr(A)", "sqrt(a*b)", "a*b*u", "t*a", "tanh(t)", "erf(t)", "sin(t)", "cos(t)", "sigmoid(t)",
    "Phi(t)", "norm(softmax(A))", "norm(S, 2)", "norm(p)", "norm(p, 1)", "exp(t)", "log(a)", "abs(t)",
    "relu(t)", "min(t, a)", "max(t, a)", "atan(t)", "abs(relu(t) - relu(a))",
    "norm(sigmoid(x) - sigmoid(y), 1)", "norm(softplus(A) - softplus(B))", "norm(tanh(x), oo)",
    "norm(cos(x) - cos(y), 2)", "norm(G)", "norm(G, 2)", "tr(G @ G)", "inner(x, G @ y)",
    "exp(sin(t)) + exp(sin(t))*(tanh(a) - sin(t))", "softplus(t) + sigmoid(t)*(a - t)",
    "log(a) + 1/a*(b - a)", "sqrt(a) + 1/(2*sqrt(a))*(b - a)", "a*log(a) + (log(a) + 1)*(b - a)",
    "1/a + -(1/a**2)*(b - a)", "norm(t*C)", "norm(C/t, 2)", "norm(C.T)", "norm((A @ C) @ F)",
    "norm(kron(A, C), 2)",
    "norm(diag(x), 2)", "norm(-x, oo)", "norm((t*A) @ C)", "abs(t*a)", "abs(t/a)", "norm(D(softmax(C), C))",
    "norm(D(softmax(x.T), x))", "norm(D(softmax(C), C), 2)", "norm(D(softmax(C)[1, 1], C))",
    "D(softmax(C)[1, 1], C[1, 1])", "norm(softmax(C) - ones(n, m)/m)", "norm(softmax(A) - softmax(B))",
    "norm(D(softmax(C), C) - kron(eye(n)/m, eye(m) - ones(m, m)/m))", "indicator(t > a)",
    "indicator(a <= abs(t))", "softmax(C)[1, 1]", "p[1]", "norm(A @ B - B @ A)",
    "sum(p[j]*x[j]*y[j], j, 1, n)", "sum(p[j]*(x[j] - y[j]), j, 1, n)", "sum(a*x[j]*t, j, 1, n)",
    "norm(D(rmsnorm(x.T), x))", "norm(D(rmsnorm(z), z), 2)", "norm(D(rmsnorm(z)*x.T, z))",
    "(1 + u)**n", "(1 - u)**n", "sum(j**u, j, 1, n)", "sum(1/j, j, 1, n)", "sum(1/sqrt(j), j, 1, n)",
    "sum(1/j**2, j, 1, n)", "prod(1 + x[j]**2, j, 1, n)", "prod(1 - p[j], j, 1, n)", "gelu(t)", "silu(t)",
    "norm(gelu(x), 1)", "norm(silu(C))", "norm(C @ C.T)", "norm(C.T @ C)", "norm(softmax(A) @ x, oo)",
]  # fmt: skip
MEANS = {  # their sides are no values at a point
    "jensen", "products_in_mean", "normal_length", "variances", "exponential_moments",
}  # fmt: skip
NAMED = {"chain_rule", "rows_of_length"}  # about names and assumptions, which these atoms have not


@pytest.mark.parametrize("text", ATOMS)
def test_no_instance_is_false(text: str) -> None:
    claim = claim_of(f"{text} <= 1 + norm(x) + norm(C)")
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    context = Context(claim.symbols)
    pairs = [pair for name in INSTANCES.keys() - MEANS for pair in INSTANCES[name](context, fact.left)]
    assert pairs, "no rule speaks of this atom"
    rng = np.random.default_rng(5)
    for cell in cells_of(Domain(claim, fact), limit=4):
        for raw in starts(cell, rng, 25):
            scope = cell.bind(raw)
            for small, large in pairs:
                low, high = (evaluate(side, scope).double() for side in (small, large))
                assert bool((high >= low - 1e-6 - 1e-9 * low.abs()).all()), (text, small, large)


def test_every_rule_is_tried_above() -> None:
    used = set()
    for text in ATOMS:
        claim = claim_of(f"{text} <= 1")
        fact = claim.steps[0].fact
        assert isinstance(fact, Relation)
        used |= {name for name in INSTANCES if any(INSTANCES[name](Context(claim.symbols), fact.left))}
    assert used | MEANS | NAMED == INSTANCES.keys()


SIGNS = [
    ("(t - a)**2", 0), ("norm(x)*a", 0), ("a/(1 + t**2)", 1), ("exp(t) + relu(t)", 1), ("max(t, a)", 1),
    ("min(t**2, a)", 0), ("x.T @ x", 0), ("inner(C, C)", 0), ("tr(C @ C.T)", 0), ("inner(x, G @ x)", 0),
    ("sum(p[j]*j, j, 1, n)", 0), ("sum(p[j]*(j - 1), j, 1, n)", None), ("t", None), ("t**3", None),
    ("-a", None), ("a - u", None), ("(a + b)**2 - a**2", 1), ("log(a)", None), ("sin(t)", None),
    ("abs(t)", 0), ("u", 0), ("n - 1", 0), ("n - 2", None),
    ("1 - u", 0), ("2*u - 1", None), ("min(t, a)", None), ("a**t", 1), ("sqrt(a)", 1),
    ("inner(x, y)", None), ("k**2", 0), ("factorial(n)", 1), ("factorial(k)", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sign"), SIGNS)
def test_signs_of_trees(text: str, sign: int | None) -> None:
    claim = claim_of(f"{text} <= 1")
    fact = claim.steps[0].fact
    assert isinstance(fact, Relation)
    context = Context(claim.symbols)
    assert is_nonnegative(context, fact.left) == (sign is not None)
    assert is_positive(context, fact.left) == (sign == 1)
