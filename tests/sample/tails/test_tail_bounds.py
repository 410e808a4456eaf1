"""Every bound that a proven interval may rest on, against draws of expressions made up at random."""

import random

import pytest
import torch

from tests.sample.specs import claim_of
from verifier.expr import nodes as N
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import Scene, prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.tails.draw_slopes import slope_of, square_slope_of
from verifier.sample.tails.moment_bounds import size_of
from verifier.sample.tails.proven_ranges import bounds_of
from verifier.sample.tails.random_degree import Reader
from verifier.sample.tails.tail_weights import expectation_tails

SYMBOLS = {
    "d": "dimension",
    "Y": "matrix(d, d)",
    "W": "normal(d, d, std=2)",
    "V": "normal(d, d, mean=1)",
    "U": "uniform(d, d, -1, 2)",
    "S": "rademacher(d, d)",
    "R": "normal(d, d, row_corr=1/2)",
    "B": "bernoulli(d, d, 1/3)",
}
FUNCTIONS = ("relu", "gelu", "tanh", "sin", "abs", "sigmoid", "softplus", "silu", "erf", "Phi", "phi", "cos")
ONE = ("softmax({})", "rmsnorm({})", "({}).T", "({})**2", "Y @ ({})", "({}) / -4", "-({})")
TWO = ("({}) @ ({})", "({}) * ({})", "({}) + ({})", "({}) - ({})", "max({}, {})")
SCALARS = ("norm({})", "norm({})**2", "tr({})", "({})[1, 2]", "norm({}, 2)", "inner({}, W)")
EXPONENTS = ("2**tr(B)", "2**(-tr(S))", "3**U[1, 2]", "tr(B + 1)**tr(S)", "norm(B)**(2*sigmoid(W[1, 1]))")


def matrix(chance: random.Random, depth: int) -> str:
    if depth == 0:
        return chance.choice([name for name in SYMBOLS if name != "d"])
    form = chance.choice([*(f"{name}({{}})" for name in FUNCTIONS), *ONE, *TWO, *TWO])
    return form.format(*(matrix(chance, depth - 1) for _ in range(form.count("{}"))))


def check(node: N.Node, scene: Scene, values: torch.Tensor, text: str) -> set[str]:
    """Which bounds there are; each must hold for the draws, up to their noise."""
    over, mean = frozenset(scene.laws), float(values.mean())
    variance, second = float(values.var()), float(values.square().mean())
    slope, square = slope_of(node, scene, over), square_slope_of(node, scene, over)
    size, bounds = size_of(node, scene, over), bounds_of(node, scene, over)
    bases = {name: law.base for name, law in scene.laws.items()}
    tails = expectation_tails(node, Reader(scene.world, over), bases, {})
    fourth = float((values - mean).pow(4).mean())
    found = {
        "slope": None if slope is None else variance <= 1.1 * slope**2,
        "square": None if square is None else variance <= 4.4 * square * mean,
        "size": None if size is None else second <= 1.1 * size**2,
        "bounds": None if bounds is None else bounds[0] <= values.min() and values.max() <= bounds[1],
        "kurtosis": None if tails.kurtosis is None else fourth <= 1.5 * tails.kurtosis * variance**2 + 1e-12,
        "relative": None if tails.relative is None else second <= 1.1 * tails.relative * mean**2,
    }
    broken = [name for name, kept in found.items() if kept is not None and not kept]
    assert not broken, (text, broken)
    return {name for name, kept in found.items() if kept is not None}


def examined(text: str, number: int) -> set[str]:
    """Which bounds there are for the mean of an expression, each held against draws."""
    claim = claim_of(f"E({text}) == 0", SYMBOLS, extra="where: {d: 2}")
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert isinstance(fact.left, N.Expectation)
    body = fact.left.body
    scene = prepare(claim, next(iter(points(claim, fact, 1, number))), fact)
    if not scene.laws:
        return set()
    drawn = scene.draw(frozenset(scene.laws), Stream(number, "p"), 0, 4000)
    values = torch.func.vmap(lambda draw: evaluate(body, scene.bind(draw)).reshape(()))(drawn)
    return check(body, scene, values, text) if bool(torch.isfinite(values).all()) else set()


def test_no_bound_is_broken() -> None:
    chance = random.Random(11)
    seen: list[str] = []
    for number in range(120):
        seen += examined(chance.choice(SCALARS).format(matrix(chance, chance.randint(1, 3))), number)
    assert all(seen.count(name) >= 5 for name in set(seen))
    assert len(set(seen)) == 6


@pytest.mark.parametrize("text", EXPONENTS)
def test_exponents_may_be_random(text: str) -> None:
    assert "bounds" in examined(text, 0)
