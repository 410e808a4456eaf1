"""The same draws whatever the chunks; probes and pairs leave the mean alone."""

import math

import pytest
import torch

from tests.sample.specs import ATTENTION, LET, UNIFORM, claim_of
from verifier.claim.model import Claim
from verifier.sample.draws.draw_scope import World
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.estimate import MAX_BLOCKS
from verifier.sample.expectation_leaves import leaves_of, linear_jacobians
from verifier.sample.sampler import Sampler

PLENTY = 2**31


def sampler(
    claim: Claim, memory: int = PLENTY, exact: int = 24, dtype: torch.dtype = torch.float64
) -> Sampler:
    fact = claim.steps[0].fact
    point = next(iter(points(claim, fact, 1)))
    scene = prepare(claim, point, fact, dtype=dtype)
    (leaf,) = leaves_of(fact, scene.world).values()
    return Sampler(leaf, scene, Stream(0, point.key), exact, memory)


def mean(found: Sampler, draws: int) -> torch.Tensor:
    found.advance(draws, math.inf)
    return found.read(1e-3).mean


def attention(assumptions: dict[str, str] | None, where: str = "") -> Claim:
    return claim_of("E(norm(D(S, W_Q))**2) == 0", ATTENTION, LET, assumptions, extra=where)


def test_chunks_change_rounding_alone() -> None:
    claim = attention(UNIFORM)
    large, small = sampler(claim), sampler(claim, memory=2**20)
    assert large.chunk > small.chunk == 1
    torch.testing.assert_close(mean(large, 2**14), mean(small, 2**14), rtol=1e-10, atol=0)


def test_steps_change_nothing() -> None:
    """Stopping in between, as a sequential test does, leaves every digit as it is."""
    claim = attention(UNIFORM)
    at_once, in_steps = sampler(claim, memory=2**20), sampler(claim, memory=2**20)
    for draws in (1024, 2048, 4096, 8192):
        in_steps.advance(draws, math.inf)
    assert torch.equal(mean(at_once, 8192), mean(in_steps, 8192))


def test_twins_have_draws_of_their_own_and_can_be_joined() -> None:
    claim = attention(UNIFORM)
    first = sampler(claim)
    second = first.twin(Stream(0, "elsewhere"))
    one, other = mean(first, 4096), mean(second, 4096)
    assert not torch.equal(one, other)
    again = sampler(claim)
    assert torch.equal(mean(again, 4096), one)
    first.join(second)
    assert first.draws == 8192
    torch.testing.assert_close(first.read(1e-3).mean, (one + other) / 2, rtol=1e-12, atol=0)
    alone, both = again.read(1e-3), first.read(1e-3)
    assert float(both.high - both.low) < float(alone.high - alone.low)


def test_memory_does_not_grow_with_draws() -> None:
    found = sampler(claim_of("E(norm(W)**2) == 0", {"n": "dimension", "W": "normal(n, n)"}))
    found.advance(2**17, math.inf)
    found.ladders[0].close()
    assert found.ladders[0].means.shape[0] <= MAX_BLOCKS


def test_probes_agree_with_exact_jacobians() -> None:
    """The same draws of the weights, so only the probes' own noise separates the two."""
    where = "where: {n: 3, d: 3, k: 4}"
    claim = claim_of("E(norm(D(S, X))**2) == 0", ATTENTION, LET, extra=where)
    exact, probed = sampler(claim), sampler(claim, exact=2)
    assert not exact.probed
    assert probed.probed
    first, second = mean(exact, 2**14), mean(probed, 2**14)
    reach = (probed.read(1e-6).high - probed.read(1e-6).low) / 2
    assert float((first - second).abs()) < float(reach)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Var(w) == 0", 4.0), ("Cov(w, w + 3 * s) == 0", 4.0), ("Cov(x, x + y) == zeros(2, 2)", None)],
)
def test_variances_come_from_pairs(text: str, expected: float | None) -> None:
    symbols = {
        "w": "normal(1, 1, mean=50, std=2)",
        "s": "rademacher(1, 1)",
        "x": "normal(2, std=2)",
        "y": "normal(2)",
    }
    found = mean(sampler(claim_of(text, symbols)), 2**16)
    wanted = torch.tensor([4.0, 0.0, 0.0, 4.0]) if expected is None else torch.tensor([expected])
    assert float((found - wanted).abs().max()) < 0.2


def test_single_precision_widens_the_interval() -> None:
    """A cancellation that float32 does not survive shows in the interval, which still holds the truth."""
    claim = claim_of("E((w + 4096)**2 - 4096**2) == 0", {"w": "normal(1, 1)"})
    rough = sampler(claim, dtype=torch.float32)
    rough.advance(2**14, math.inf)
    found = rough.read(1e-6)
    assert float(rough.errors[0]) > 0.1
    assert float(found.low) <= 1.0 <= float(found.high)


def test_closed_forms_agree_with_exact_jacobians() -> None:
    """The same draws, so nothing but rounding separates the two."""
    claim = attention(None, "where: {n: 3, d: 3, k: 4}")
    exact, closed = sampler(claim), sampler(claim, exact=2)
    assert not exact.routes
    assert closed.routes
    assert not closed.probed
    torch.testing.assert_close(mean(exact, 2**12), mean(closed, 2**12), rtol=1e-10, atol=0)


def test_a_deadline_stops_it() -> None:
    found = sampler(attention(UNIFORM))
    assert not found.advance(2**20, -math.inf)
    assert found.draws == 0


LINEAR = {
    "norm(D(S, W_Q))**2": 1,
    "2 * norm(D(S, W_Q))**2 - norm(D(S, W_K))**2 / n": 2,
    "norm(D(S, W_Q))**2 * norm(X)": 1,
    "norm(D(S, W_Q))**2 * norm(D(S, W_Q))**2": 0,
    "sqrt(norm(D(S, W_Q))**2)": 0,
    "norm(D(S, W_Q))**4": 0,
    "1 / norm(D(S, W_Q))**2": 0,
}


@pytest.mark.parametrize("text", LINEAR)
def test_probes_stand_only_where_the_quantity_is_linear(text: str) -> None:
    claim = claim_of(f"{text} == 0", ATTENTION, LET)
    found = list(linear_jacobians(claim.steps[0].fact.left, World.of(claim, {})))
    assert len(found) == LINEAR[text]
