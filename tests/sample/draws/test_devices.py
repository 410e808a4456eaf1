"""Other devices than the CPU: every operation keeps to the device and the precision it is given.

The device `meta` has shapes and no numbers, and refuses to meet a tensor of the CPU.
"""

from collections.abc import Mapping
from dataclasses import replace

import pytest
import torch

from tests.sample.specs import ATTENTION, LET, claim_of, look
from verifier.evidence import Budget
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.gradients import groups_of
from verifier.sample.compile.routes import routes_of
from verifier.sample.draws import dependence as sources
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.engine import examine
from verifier.sample.expectation_leaves import leaves_of
from verifier.sample.sampler import Sampler

SYMBOLS = ATTENTION | {
    "H": "dimension",
    "a": "real",
    "w": "normal(d)",
    "F": "normal(d, k, copies=H)",
    "B": "bernoulli(n, n, 1/2)",
}
FUNCTIONS = (
    "sqrt(abs(w)) + exp(w) + log(abs(w)) + sin(w) + cos(w) + tanh(w) + sigmoid(w) + relu(w) + gelu(w)"
    " + silu(w) + softplus(w) + abs(w) + erf(w) + Phi(w) + phi(w) + min(w, 0) + max(w, a)"
)
EXPRESSIONS = [
    FUNCTIONS,
    "norm(D(S, W_Q))**2 + norm(D(S, X))**2 + norm(D(S, A))**2",
    "norm(D(norm(S)**2, W_Q))**2 + norm(D(norm(S)**2, W_V))**2",
    "norm(D(sum(tanh(X @ F[h]), h, 1, H), F[1]))**2",
    "norm(D(w.T @ W_V @ w, w[1]))",
    "rmsnorm(S) + layernorm(S)",
    "norm(W_V, 2) + norm(w, 1) + norm(w, oo) + tr(W_V) + inner(W_V, W_V) + W_V[1, 1]**2",
    "kron(W_V, eye(d)) @ commutation(d, d) @ vec_r(W_V)",
    "(diag(w) @ W_V + diag(diag(matpow(W_V, 3))) + pi * ones(d, d) * factorial(3) * binomial(d, 1))[1]",
    "tr(blockdiag(F[h] @ F[h].T, h, 1, H)) + prod(w[i], i, 1, d)",
    "sum(W_V[i, j] * w[i], i, 1, d, j, 1, d, j != i)",
    "norm(B @ S)",
]


@pytest.mark.parametrize("assumptions", [None, {"u": "A == ones(n, n) / n"}])
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_what_is_evaluated_stays_on_its_device(text: str, assumptions: dict[str, str] | None) -> None:
    claim = claim_of(f"{text} == {text}", SYMBOLS, LET, assumptions)
    fact = claim.steps[0].fact
    point = next(iter(points(claim, fact, 1)))
    scene = prepare(claim, point, fact, device="meta", dtype=torch.float32)
    node = fact.left
    routes, groups = routes_of((node,), scene.world, 0), groups_of((node,), scene.world)

    def value(draw: Mapping[str, torch.Tensor]) -> torch.Tensor:
        return evaluate(node, replace(scene.bind(draw), routes=routes, groups=groups, trace=[]))

    drawn = scene.draw(sources.random_names(fact, scene.world), Stream(0, "p"), 0, 4)
    found = torch.func.vmap(value)(drawn)
    assert (found.device.type, found.dtype) == ("meta", torch.float32)


def test_an_absent_device_is_refused_by_name() -> None:
    if torch.cuda.is_available():
        return
    claim = claim_of("E(norm(w)**2) == n", {"n": "dimension", "w": "normal(n)"})
    finding = examine(claim, claim.steps[0], Budget(seconds=1.0, device="cuda"))
    assert not finding.decides
    assert finding.missing == "the device cuda, which is not present here"


class Small(Sampler):
    """On a device whose memory holds two units."""

    def _at_once(self, first: int, units: int) -> torch.Tensor:
        if units > 2:
            raise torch.OutOfMemoryError
        return super()._at_once(first, units)


def test_chunks_that_do_not_fit_are_halved() -> None:
    claim = claim_of("E(norm(W)**2) == 0", {"n": "dimension", "W": "normal(n, n)"})
    fact = claim.steps[0].fact
    scene = prepare(claim, next(iter(points(claim, fact, 1))), fact)
    (leaf,) = leaves_of(fact, scene.world).values()
    whole, halved = (
        kind(leaf, scene, Stream(0, "p"), 24, 2**31).statistic(3, 7) for kind in (Sampler, Small)
    )
    assert torch.equal(whole, halved)


def test_what_is_given_is_known_in_single_precision_too() -> None:
    symbols = {"d": "dimension", "X": "matrix(d, d)", "W": "normal(d, d, std=1/sqrt(d))"}
    let = {"Y": "X @ X"}
    for factor, is_false in (("1", False), ("2", True)):
        text = f"E(norm(Y @ W)**2, given=Y) == {factor} * norm(Y)**2"
        found = look(claim_of(text, symbols, let), dtype=torch.float32)
        assert (found.refutes, found.proves) == (is_false, False)
