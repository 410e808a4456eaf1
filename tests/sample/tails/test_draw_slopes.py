"""Slopes against gradients that autograd finds, and what their variance bounds let sampling say."""

import pytest
import torch

from tests.sample.specs import claim_of, look
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import Scene, prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.tails.draw_slopes import slope_of, square_slope_of

SYMBOLS = {
    "n": "dimension",
    "d": "dimension",
    "H": "dimension",
    "X": "matrix(n, d)",
    "W": "normal(d, d, std=2)",
    "V": "normal(d, d)",
    "u": "uniform(d, 1, 0, 5)",
    "R": "normal(d, d, row_corr=1/2)",
    "F": "normal(d, d, copies=H)",
}


def scene_of(text: str) -> tuple[Scene, object]:
    claim = claim_of(f"E({text}) == 0", SYMBOLS, extra="where: {n: 3, d: 2, H: 3}")
    fact = claim.steps[0].fact
    return prepare(claim, next(iter(points(claim, fact, 1))), fact), fact.left.body


STEEP = [
    "norm(relu(X @ W))",
    "norm(W, 2) + tr(V) / 3",
    "sum(sum(tanh(X @ F[h])[i, 1], i, 1, n), h, 1, H)",
    "norm(vec_r(gelu(W) - silu(V)), 1)",
    "inner(softmax(X @ W), X)",
    "norm(sin(u) + 3 * cos(u) + abs(u) / 2 + Phi(u) + phi(u) + softplus(u))",
]


@pytest.mark.parametrize("text", STEEP)
def test_no_gradient_is_steeper_than_the_bound(text: str) -> None:
    scene, node = scene_of(text)
    names = frozenset(scene.laws)
    slope = slope_of(node, scene, names)
    assert slope is not None
    drawn = scene.draw(names, Stream(0, "p"), 0, 400)

    def value(draw: dict[str, torch.Tensor]) -> torch.Tensor:
        return evaluate(node, scene.bind(draw)).reshape(())

    gradients = torch.func.vmap(torch.func.grad(value))(drawn)
    variance = torch.func.vmap(value)(drawn).var()
    steepest = sum(  # in the standard variables, of which a draw is a multiple where nothing is mixed
        (gradient * scene.laws[name].scale).square().flatten(1).sum(dim=1)
        for name, gradient in gradients.items()
    )
    assert float(steepest.max()) <= slope**2
    assert float(variance) <= 1.2 * slope**2
    assert slope**2 <= 1e4 * float(variance)


@pytest.mark.parametrize("text", ["norm(W @ V)", "norm(exp(W))", "norm(W)**2", "norm(rmsnorm(W))"])
def test_what_has_no_largest_slope_has_no_bound(text: str) -> None:
    scene, node = scene_of(text)
    assert slope_of(node, scene, frozenset(scene.laws)) is None


def test_squares_of_what_has_one() -> None:
    """Var g^2 <= 4 L^2 E g^2; for g = |W|, of slope 2, equal to 16 E g^2 up to a factor 2."""
    scene, node = scene_of("norm(W)**2")
    assert square_slope_of(node, scene, frozenset(scene.laws)) == pytest.approx(4, rel=1e-6)
    scene, node = scene_of("2 * norm(W)**2 + inner(relu(V), relu(V)) / 4")
    assert square_slope_of(node, scene, frozenset(scene.laws)) == pytest.approx(2 * 4 + 1 / 4, rel=1e-6)
    for text in ("norm(W)**3", "norm(W)**2 - norm(V)**2", "norm(W @ V)**2"):
        scene, node = scene_of(text)
        assert square_slope_of(node, scene, frozenset(scene.laws)) is None


DECIDED = [
    ("E(relu(v)) == ones(n) / sqrt(2 * pi)", "E(relu(v)) == ones(n) / 2"),
    ("E(relu(v)**2) == ones(n) / 2", "E(relu(v)**2) == ones(n) * 3/4"),
    ("E(norm(G, 2)) <= sqrt(n) + sqrt(n)", "E(norm(G, 2)) <= sqrt(n) / 2"),
    ("Var(gelu(v[1])) <= 1.28", "Var(gelu(v[1])) >= 1.28"),
    ("E(norm(rmsnorm(G))**2) == n**2", "E(norm(rmsnorm(G))**2) == 2 * n**2"),
]


@pytest.mark.parametrize(("true", "false"), DECIDED)
def test_functions_that_are_no_polynomials_are_refuted_with_proof(true: str, false: str) -> None:
    symbols = {"n": "dimension", "v": "normal(n)", "G": "normal(n, n)"}
    assert look(claim_of(true, symbols)).truth != "false"
    assert look(claim_of(false, symbols)).truth == "false"
