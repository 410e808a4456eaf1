"""Quotients by norms: what is bounded is, what is not has no bound, and the truth is never excluded."""

import pytest
import torch

from tests.sample.specs import claim_of, look
from verifier.expr import nodes as N
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.tails.norm_quotients import quotient_bound

SYMBOLS = {
    "n": "dimension",
    "m": "dimension",
    "x": "vector(n)",
    "w": "normal(n)",
    "v": "normal(n)",
    "A": "normal(n, m)",
    "F": "normal(n, m, copies=3)",
}
LET = {"r": "sqrt(norm(w)**2)"}
SIZES = {"n": 3, "m": 2}
X = torch.tensor([[1.0], [2.0], [2.0]], dtype=torch.float64)
BOUNDS = {
    "w[1] / norm(w)": 1.0,
    "w[1]**2 / norm(w)**2": 1.0,
    "abs(w[1]) / (2 * r)": 0.5,
    "inner(w, v) / (norm(w) * norm(v))": 1.0,
    "inner(w, v) / norm(w) / norm(v)": 1.0,
    "inner(w, x) / norm(w)": 3.0,
    "norm(A, 2) / norm(A)": 1.0,
    "norm(w, 1) / norm(w)": 3**0.5,
    "norm(A @ A.T) / norm(A)**2": 1.0,
    "sum(w[i]**4, i, 1, n) / norm(w)**4": 3.0,
    "(w[1] + w[2]) / norm(w)": 2.0,
    "tr(A @ A.T) / norm(A)**2": 3**0.5,
}
UNBOUNDED = [
    "1 / norm(w)",
    "w[1] / norm(v)",
    "w[1]**2 / norm(w)",
    "w[1] / norm(w)**2",
    "(w[1] + 1) / norm(w)",
    "w[1] / (norm(w) - 1)",
    "inner(w, v) / norm(w)",
    "exp(w[1]) / norm(w)",
    "sum(norm(sum(F[h], h, 1, 3)) / norm(F[h]), h, 1, 3)",
]


def bound(text: str) -> float | None:
    claim = claim_of(f"{text} == 0", SYMBOLS, LET)
    node = claim.steps[0].fact.left
    scope = Scope(World.of(claim, SIZES), {"x": X})
    if isinstance(node, N.Sum):
        node, scope = node.body, scope.binding({"h": 1})
    assert isinstance(node, N.Divide)
    return quotient_bound(node, frozenset("wvAF"), scope)


@pytest.mark.parametrize("text", BOUNDS)
def test_bounds(text: str) -> None:
    assert bound(text) == pytest.approx(BOUNDS[text], rel=1e-6)


@pytest.mark.parametrize("text", BOUNDS)
def test_bounds_hold(text: str) -> None:
    """At many draws, far and near ones."""
    claim = claim_of(f"{text} == 0", SYMBOLS, LET)
    node, world = claim.steps[0].fact.left, World.of(claim, SIZES)
    generator = torch.Generator().manual_seed(1)
    for scale in (1e-3, 1.0, 1e3):
        for _ in range(20):
            drawn = {
                name: scale * torch.randn(*shape, generator=generator, dtype=torch.float64)
                for name, shape in {"w": (3, 1), "v": (3, 1), "A": (3, 2)}.items()
            }
            assert abs(float(evaluate(node, Scope(world, {"x": X, **drawn})))) <= BOUNDS[text] * (1 + 1e-9)


@pytest.mark.parametrize("text", UNBOUNDED)
def test_what_may_be_large_has_no_bound(text: str) -> None:
    assert bound(text) is None


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("E(w[1]**2 / norm(w)**2) == 1 / n", "E(w[1]**2 / norm(w)**2) == 1 / (n + 1)"),
        ("E(abs(w[1]) / norm(w)) <= 1 / sqrt(n)", "E(abs(w[1]) / norm(w)) <= 1 / (2 * sqrt(n))"),
        (
            "E(inner(w, v)**2 / (norm(w) * norm(v))**2) == 1 / n",
            "E(inner(w, v) / (norm(w) * norm(v))) >= 1/2",
        ),
    ],
)
def test_normalised_quantities_are_refuted_with_proof(true: str, false: str) -> None:
    assert look(claim_of(true, SYMBOLS), seconds=1.5).truth != "false"
    assert look(claim_of(false, SYMBOLS), seconds=1.5).truth == "false"
