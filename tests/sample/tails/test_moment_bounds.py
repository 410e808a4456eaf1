"""Bounds on second moments: never below the true one, never absurd, and enough to refute a wrong claim."""

import math

import pytest

from tests.sample.specs import ATTENTION, LET, UNIFORM, claim_of, look
from verifier.claim.model import Claim
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.expectation_leaves import leaves_of
from verifier.sample.sampler import Sampler
from verifier.sample.tails.moment_bounds import normal_size, size_of


def bound_and_moment(claim: Claim) -> tuple[float | None, float]:
    """The bound on E f^2, and its estimate from draws."""
    fact = claim.steps[0].fact
    point = next(iter(points(claim, fact, 1)))
    scene = prepare(claim, point, fact)
    (leaf,) = leaves_of(fact, scene.world).values()
    sampler = Sampler(leaf, scene, Stream(0, point.key), 10**6, 2**31)
    values = sampler.statistic(0, max(1, 20_000 // sampler.unit))
    size = size_of(leaf.bodies[0], scene, leaf.over)
    return None if size is None else size**2, float(values.square().mean(dim=0).max())


@pytest.mark.parametrize(
    ("f", "most"),
    [
        ("norm(S)**2", 400),
        ("norm(A)**2", 10),
        ("tr(A)", 10),
        ("norm(D(S, W_V))**2", 40),
        ("norm(D(S, W_Q))**2", 1e7),
        ("norm(D(S, W_K))**2", 1e7),
        ("norm(D(A, W_Q))**2", 1e5),
        ("norm(relu(X @ W_Q))**2", 40),
        ("norm(gelu(X @ W_Q) @ W_K.T)**2", 400),
        ("norm(tanh(X @ W_Q))**2 * norm(W_V)**2", 40),
        ("inner(W_Q, W_K)**2", 1e3),
        ("sum(A[i, 1] * M[i, 1], i, 1, n)**2", 1e5),
        ("norm(W_Q, 2)", 40),
        ("sqrt(norm(S)**2 + 1)", 40),
        ("norm(rmsnorm(X @ W_V))**2", 10),
        ("norm(D(sigmoid(X @ W_Q), W_Q))**2", 100),
    ],
)
def test_a_bound_lies_above_the_moment_and_within_reason(f: str, most: float) -> None:
    bound, moment = bound_and_moment(claim_of(f"E({f}) == 0", ATTENTION, LET))
    assert bound is not None
    assert 0.9 * moment <= bound <= most * moment


@pytest.mark.parametrize("f", ["exp(norm(W_Q))", "1/norm(W_Q)", "norm(D(rmsnorm(X @ W_V), W_V))"])
def test_no_bound_where_no_rule_gives_one(f: str) -> None:
    bound, _ = bound_and_moment(claim_of(f"E({f}) == 0", ATTENTION, LET))
    assert bound is None


@pytest.mark.parametrize(
    ("p", "moment"), [(2.0, 1.0), (4.0, 3.0), (6.0, 15.0), (1.0, math.sqrt(2 / math.pi))]
)
def test_the_size_of_a_normal(p: float, moment: float) -> None:
    assert normal_size(p) ** p == pytest.approx(moment)


def test_gradients_through_a_softmax_refute_what_holds_for_uniform_attention() -> None:
    values = "d * n * norm(xbar)**2"
    assumed = claim_of(f"E(norm(D(S, W_V))**2) == {values}", ATTENTION, LET, UNIFORM)
    assert look(assumed).truth != "false"
    free = look(claim_of(f"E(norm(D(S, W_V))**2) == {values}", ATTENTION, LET), seconds=20.0)
    assert (free.truth, free.grade) == ("false", "sampled")
    true = look(claim_of("E(norm(D(S, W_V))**2) == d * E(norm(A @ X)**2)", ATTENTION, LET))
    assert true.truth != "false"


def test_variances_too() -> None:
    """A softmax entry lies between 0 and 1, so its variance is below 1/4, and it is not 0."""
    moving = claim_of("Var(norm(A @ X)**2) == 0", ATTENTION, LET)
    assert look(moving, seconds=20.0).truth == "false"
    assert look(claim_of("Var(A[1, 1]) <= 1/4", ATTENTION, LET)).truth != "false"
