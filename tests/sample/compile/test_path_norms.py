"""Closed forms along one path against Jacobians formed by autograd; what has several paths has none."""

import random
from dataclasses import replace

import pytest
import torch

from tests.sample.specs import claim_of
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.routes import routes_of
from verifier.sample.draws.draw_scope import Scope, World

GENERATOR = torch.Generator().manual_seed(5)
SIZES = {"n": 3, "d": 2, "m": 5, "H": 3}


def random_matrix(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=GENERATOR, dtype=torch.float64)


SYMBOLS = {
    **dict.fromkeys(SIZES, "dimension"),
    "X": "matrix(n, d)",
    "B": "matrix(m, n)",
    "C": "matrix(n, n)",
    "a": "real",
    "W": "normal(d, d)",
    "V": "normal(d, m)",
    "F": "normal(d, m, copies=H)",
}
VALUES = {
    "X": random_matrix(3, 2),
    "B": random_matrix(5, 3),
    "C": random_matrix(3, 3),
    "a": random_matrix(1, 1),
    "W": random_matrix(2, 2),
    "V": random_matrix(2, 5),
    "F": random_matrix(3, 2, 5),
}
LET = {"M": "X @ W @ X.T", "A": "softmax(M)", "S": "A @ X @ V"}
UNIFORM = {"u": "A == ones(n, n) / n"}


def norms(text: str, assumptions: dict[str, str] | None = None) -> tuple[int, float, float]:
    """How many routes there are, the squared norm by autograd, and along the routes."""
    claim = claim_of(f"norm({text})**2 == 0", SYMBOLS, LET, assumptions)
    node = claim.steps[0].fact.left
    world = World.of(claim, SIZES)
    routes, scope = routes_of((node,), world, 0), Scope(world, VALUES)
    return len(routes), float(evaluate(node, scope)), float(evaluate(node, replace(scope, routes=routes)))


ONE_PATH = [
    "D(S, W)",
    "D(S, V)",
    "D(S, A)",
    "D(S, M)",
    "D(A.T @ C, W)",
    "D(C @ A, W)",
    "D(C @ A @ B.T, W)",
    "D(C * A + a * C, W)",
    "D(2 - A / a, W)",
    "D(X - A @ X, W)",
    "D((X @ V).T @ C, V)",
    "D(rmsnorm(X @ V) @ B, V)",
    "D(C @ layernorm(X @ V), V)",
    "D(max(M, C) @ X, W)",
    "D(1 / (M + 9), W)",
    "D((M**2).T @ X, W)",
    "D(tanh(softmax(sin(M) * a)) @ X, W)",
    "D(tanh(tanh(M).T).T @ X, W)",
    "D(sum(tanh(X @ F[h]), h, 1, H), F[2])",
    "D(softmax(sum(X @ F[h], h, 1, H)), F[2])",
]


@pytest.mark.parametrize("assumptions", [None, UNIFORM])
@pytest.mark.parametrize("text", ONE_PATH)
def test_one_path_has_a_closed_form(text: str, assumptions: dict[str, str] | None) -> None:
    found, formed, closed = norms(text, assumptions)
    assert found == 1
    assert closed == pytest.approx(formed, rel=1e-12)


NO_CLOSED_FORM = [
    "D(S, X)",  # through queries, keys and values
    "D(sum(F[h].T @ F[h], h, 1, H), F[2])",  # twice in one term
    "D(relu(relu(X @ W) @ V), W)",  # a matrix between two functions
    "D(softmax(softmax(M).T), W)",  # rows, then columns
    "D(tr(M) * C, W)",  # a scalar that is spread out
]


@pytest.mark.parametrize("text", NO_CLOSED_FORM)
def test_other_jacobians_are_left_to_probes(text: str) -> None:
    found, formed, same = norms(text)
    assert found == 0
    assert same == formed


STEPS = [
    "C @ ({})",
    "({}) @ C",
    "({}).T",
    "tanh({})",
    "softmax({})",
    "layernorm({})",
    "rmsnorm({})",
    "C * ({})",
    "({}) / a",
    "C - ({})",
    "({})**3",
]


def test_random_paths() -> None:
    """Any order of steps: wherever a route is found its norm is that of the Jacobian."""
    chance = random.Random(7)
    routed = 0
    for _ in range(60):
        text = "M"
        for _ in range(chance.randint(2, 7)):
            text = chance.choice(STEPS).format(text)
        found, formed, closed = norms(f"D({text}, W)")
        routed += found
        assert closed == pytest.approx(formed, rel=1e-9, abs=1e-12), text
    assert routed >= 15


def test_a_norm_that_is_differentiated_again_takes_the_long_way() -> None:
    """The slope of an assumed softmax moves with its argument, which a closed form at the rows forgets."""
    claim = claim_of("norm(D(norm(D(A, M))**2, M)) == 0", SYMBOLS, LET, UNIFORM)
    node = claim.steps[0].fact.left
    world = World.of(claim, SIZES)
    routes, scope = routes_of((node,), world, 0), Scope(world, VALUES)
    assert routes
    assert torch.equal(evaluate(node, scope), evaluate(node, replace(scope, routes=routes)))
