"""What search and judge may ask."""

import math

import pytest
import torch

from tests.numeric.specs import ATTENTION, LET, QUERIES, UNIFORM, claim_of, scalar
from verifier.evidence import Budget
from verifier.expr import nodes as N
from verifier.numeric.api import (
    RefusedError,
    assumption_cost,
    compile_node,
    estimate_expression,
    measure,
    points,
)
from verifier.numeric.settings import Settings


def test_compiled_nodes_are_differentiable_in_the_fixed_symbols() -> None:
    claim = claim_of(
        "norm(X @ y)**2 + a == 0",
        {"n": "dimension", "d": "dimension", "X": "matrix(n, d)", "y": "vector(d)", "a": "real"},
    )
    function = compile_node(claim, claim.steps[0].fact.left, {"n": 3, "d": 2})
    X = torch.arange(6, dtype=torch.float64).reshape(3, 2)
    y = torch.ones(2, 1, dtype=torch.float64, requires_grad=True)
    value = function({"X": X, "y": y, "a": scalar(0.5)})
    (slope,) = torch.autograd.grad(value.sum(), y)
    torch.testing.assert_close(slope, 2 * X.mT @ X @ y.detach())


def test_expectations_become_means_over_fixed_draws() -> None:
    claim = claim_of("E((a + w)**2) == 0", {"a": "real", "w": "normal(1, 1)"})
    node = claim.steps[0].fact.left
    with pytest.raises(RefusedError):
        compile_node(claim, node, {})
    function = compile_node(claim, node, {}, draws=4096)
    a = scalar(2.0).requires_grad_()
    value = function({"a": a})
    assert torch.equal(value, function({"a": a}))
    (slope,) = torch.autograd.grad(value.sum(), a)
    assert float(value) == pytest.approx(5.0, abs=0.5)
    assert float(slope) == pytest.approx(4.0, abs=0.2)


def test_an_estimate_holds_the_closed_form() -> None:
    claim = claim_of(f"E(norm(D(S, W_Q))**2) == {QUERIES}", ATTENTION, LET, UNIFORM)
    fact = claim.steps[0].fact
    point = next(iter(points(claim, fact, 1)))
    sample = estimate_expression(claim, fact.left, point, Budget(seconds=2))
    closed = estimate_expression(claim, fact.right, point, Budget(seconds=2))
    assert sample is not None
    assert closed is not None
    assert sample.low <= closed.estimate <= sample.high
    assert closed.high - closed.low < 1e-9 * abs(closed.estimate)
    assert estimate_expression(claim, fact.left, point, Budget(seconds=2)) == sample


def test_what_an_assumption_costs() -> None:
    """Uniform attention against true softmax, of the same gradient at the same point."""
    claim = claim_of(f"E(norm(D(S, W_Q))**2) == {QUERIES}", ATTENTION, LET, UNIFORM)
    pair = assumption_cost(claim, claim.steps[0], "u", Budget(seconds=4))
    assert pair is not None
    imposed, released = pair
    assert imposed.rigorous
    assert not released.rigorous
    assert released.high < imposed.low
    assert math.isfinite(released.estimate)


def test_a_table_from_the_same_draws() -> None:
    """E norm(W)**2 = 15 with W 3 by 5; a ratio comes with an interval of its own."""
    symbols = {"n": "dimension", "W": "normal(n, 5)"}
    texts = ("E(norm(W)**2)", "E(norm(W)**4) / E(norm(W)**2)**2")
    claims = [claim_of(f"{text} == 0", symbols, extra="where: {n: 3}") for text in texts]
    facts = [claim.steps[0].fact for claim in claims]
    nodes = [fact.left for fact in facts if isinstance(fact, N.Relation)]
    found = measure(claims[0], nodes, Budget(seconds=2), Settings())
    for sample, known in zip(found, (15.0, 17 / 15), strict=True):
        assert sample is not None
        assert sample.rigorous
        assert sample.low <= known <= sample.high
        assert sample.high - sample.low < known
