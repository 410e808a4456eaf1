"""Sums over pairings and subsets, for tensors and for intervals."""

from itertools import combinations
from math import prod

import pytest
import torch

from tests.sample.specs import claim_of, look, scalar, value
from verifier.expr import nodes as N
from verifier.expr.walk import walk
from verifier.sample.compile.outer_intervals import Box, Outer
from verifier.sample.compile.pairing_sums import Arithmetic, elementary, hafnian
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.unsupported import RefusedError

FLOATS = Arithmetic(0.0, 1.0, lambda a, b: a + b, lambda a, b: a * b)
K = torch.tensor(
    [[2.0, 1.0, -1.0, 0.5], [1.0, 3.0, 2.0, 0.0], [-1.0, 2.0, 4.0, 1.0], [0.5, 0.0, 1.0, 2.0]],
    dtype=torch.float64,
)
V = torch.tensor([[1.0], [-2.0], [4.0], [0.5], [3.0]], dtype=torch.float64)


def test_hafnian_of_four() -> None:
    expected = K[0, 1] * K[2, 3] + K[0, 2] * K[1, 3] + K[0, 3] * K[1, 2]
    found = value("hafnian(K)", {"K": "symmetric(4)"}, {"K": K}, {})
    assert torch.allclose(found, scalar(float(expected)))


@pytest.mark.parametrize("order", [0, 1, 2, 3, 5, 6])
def test_elementary_sums(order: int) -> None:
    entries = V.reshape(-1).tolist()
    expected = sum(prod(chosen) for chosen in combinations(entries, order))
    found = value(f"esum(v[i], i, 1, n, {order})", {"n": "dimension", "v": "vector(n)"}, {"v": V}, {"n": 5})
    assert torch.allclose(found, scalar(expected))
    assert elementary(entries, order, FLOATS) == pytest.approx(expected)


def test_pairings_are_bounded() -> None:
    assert hafnian(5, lambda i, j: 1.0, FLOATS) == 0.0
    assert hafnian(8, lambda i, j: 1.0, FLOATS) == 105.0
    with pytest.raises(RefusedError):
        hafnian(40, lambda i, j: 1.0, FLOATS)


def test_intervals_around_expectations_hold_the_value() -> None:
    claim = claim_of(
        "hafnian(E(K * g**2)) == esum(E(g**2), i, 1, 4, 2)", {"K": "symmetric(4)", "g": "normal()"}
    )
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    scope = Scope(World.of(claim, {}), {"K": K})
    leaves = [node for node in walk(fact) if isinstance(node, N.Expectation)]
    wide = {id(leaf): Box(_filled(leaf, 0.9), _filled(leaf, 1.1)) for leaf in leaves}
    for side, exact in ((fact.left, 3.0), (fact.right, 6.0)):
        found = Outer(wide).value(side, scope)
        assert float(found.low) < exact < float(found.high)


def _filled(leaf: N.Expectation, value: float) -> torch.Tensor:
    size = 1 if leaf.shape.is_scalar else 4
    return torch.full((size, size), value, dtype=torch.float64)


@pytest.mark.parametrize(("factor", "truth"), [(1, {"true", "unknown"}), (5, {"false", "unknown"})])
def test_a_gaussian_product_is_sampled(factor: int, truth: set[str]) -> None:
    symbols = {"A": "matrix(4, 2)", "g": "normal(2)"}
    claim = claim_of(f"E(prod(x[i], i, 1, 4)) == {factor} * hafnian(A @ A.T)", symbols, {"x": "A @ g"})
    found = look(claim)
    assert found.truth in truth
    assert found.samples
