"""Interval arithmetic around expectations: the true value stays inside, for every operation."""

import pytest
import torch

from tests.sample.specs import claim_of
from verifier.expr import nodes as N
from verifier.sample.compile.outer_intervals import Box, Outer, WideError
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.expectation_leaves import leaves_of
from verifier.sample.unsupported import UndefinedError

SYMBOLS = {
    "n": "dimension",
    "W": "normal(n, n)",
    "v": "normal(n)",
    "s": "normal(1, 1)",
    "x": "real",
    "C": "matrix(n, n)",
}
WORLD_SIZES = {"n": 2}
GENERATOR = torch.Generator().manual_seed(3)

TEXTS = [
    "E(s) + 2 * E(s**2)",
    "E(s) - E(s**2) * x",
    "-E(s)",
    "E(s) * E(s**2)",
    "E(s) / E(s**2 + 3)",
    "E(s)**2",
    "E(s)**3",
    "E(s**2 + 3)**(-2)",
    "sqrt(E(s**2))",
    "2**E(s)",
    "E(s**2 + 3)**E(s)",
    "exp(E(s)) + tanh(E(s)) + sigmoid(E(s)) + relu(E(s))",
    "log(E(s**2 + 3))",
    "abs(E(s))",
    "max(E(s), x) + min(E(s), x)",
    "C @ E(W)",
    "E(W) @ E(W)",
    "E(W).T",
    "tr(E(W))",
    "inner(E(W), C)",
    "E(W)[1, 2]",
    "E(W)[2]",
    "norm(E(W))",
    "norm(E(W), 2)",
    "norm(E(v), 1)",
    "norm(E(v), oo)",
    "diag(E(v))",
    "diag(E(W))",
    "vec_r(E(W))",
    "sum(E(v)[i] * x, i, 1, n)",
]


def outer(text: str, radius: float) -> tuple[N.Node, Scope, dict[int, torch.Tensor], Outer]:
    claim = claim_of(f"{text} == {text}", SYMBOLS)
    node = claim.steps[0].fact.left
    world = World.of(claim, WORLD_SIZES)
    values = {
        "x": torch.full((1, 1), 0.5, dtype=torch.float64),
        "C": torch.tensor([[1.0, -2.0], [0.5, 3.0]]).double(),
    }
    true, boxes = {}, {}
    seen: dict[N.Node, tuple[torch.Tensor, Box]] = {}
    for key, leaf in leaves_of(node, world).items():
        if leaf.node not in seen:
            middle = torch.randn(world.shape(leaf.node.shape), generator=GENERATOR, dtype=torch.float64)
            middle = middle.abs() + 0.5 if "**" in text or "log" in text else middle
            offset = (torch.rand(middle.shape, generator=GENERATOR, dtype=torch.float64) * 2 - 1) * radius
            seen[leaf.node] = (middle, Box(middle + offset - radius, middle + offset + radius))
        true[key], boxes[key] = seen[leaf.node]
    return node, Scope(world, values), true, Outer(boxes)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("radius", [1e-6, 0.05])
def test_true_value_is_inside(text: str, radius: float) -> None:
    for _ in range(5):
        node, scope, true, arithmetic = outer(text, radius)
        box = arithmetic.value(node, scope)
        exact = Outer({key: Box(value, value) for key, value in true.items()}, 0.0).value(node, scope)
        assert bool((box.low <= exact.low + 1e-12).all())
        assert bool((box.high >= exact.high - 1e-12).all())
        assert float((box.high - box.low).max()) < 200 * radius


def test_divisor_around_zero_asks_for_more_draws() -> None:
    node, scope, true, _ = outer("1 / E(s)", 0.1)
    (key,) = true
    around = Outer({key: Box(torch.full((1, 1), -0.1), torch.full((1, 1), 0.1))})
    with pytest.raises(WideError):
        around.value(node, scope)


def test_root_of_a_negative_number_is_undefined() -> None:
    node, scope, true, _ = outer("sqrt(E(s))", 0.1)
    (key,) = true
    below = Outer({key: Box(torch.full((1, 1), -0.2), torch.full((1, 1), -0.1))})
    with pytest.raises(UndefinedError):
        below.value(node, scope)
