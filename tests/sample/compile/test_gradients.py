"""Every gradient of a transformer block from one backward pass, against the block written in plain torch."""

import re
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from tests.sample.specs import claim_of
from verifier.claim.model import Claim
from verifier.evidence import Budget
from verifier.expr import nodes as N
from verifier.read.specs.load import load_text
from verifier.sample.compile.compile import evaluate
from verifier.sample.compile.gradients import groups_of
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.engine import examine

SPEC = Path(__file__).parents[3] / "benchmarks" / "vit_block.yaml"
SIZES = {"n": 5, "d": 6, "d_h": 3, "H": 2, "m": 12}
MATRICES = ("X", "W_1", "W_2")
FAMILIES = ("W_Q", "W_K", "W_V", "W_O")
LETS = ("U", "A", "Z", "V", "B", "F", "Y")


def block() -> list[Claim]:
    """The claims, at small sizes."""
    where = ", ".join(f"{name}: {size}" for name, size in SIZES.items())
    found = load_text(re.sub(r"where: \{.*\}", f"where: {{{where}}}", SPEC.read_text()), SPEC.name)
    assert not found.problems
    return list(found.claims)


def nodes_of(*texts: str) -> list[N.Node]:
    """Expressions in the names of the block."""
    claims = [f"  extra-{number}: {{says: '{text} == {text}'}}" for number, text in enumerate(texts)]
    found = load_text(SPEC.read_text() + "\n".join(claims) + "\n", SPEC.name)
    assert not found.problems, found.problems
    facts = [claim.steps[0].fact for claim in found.claims if "#extra-" in claim.id]
    return [fact.left for fact in facts if isinstance(fact, N.Relation)]


def values(seed: int = 0) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    n, d, d_h, heads, m = SIZES.values()
    shapes: dict[str, tuple[int, ...]] = {"X": (n, d), "G": (n, d), "W_1": (d, m), "W_2": (m, d)}
    shapes |= dict.fromkeys(FAMILIES[:3], (heads, d, d_h)) | {"W_O": (heads, d_h, d)}
    return {
        name: torch.randn(shape, generator=generator, dtype=torch.float64) / 2
        for name, shape in shapes.items()
    }


def plain(at: dict[str, Tensor]) -> dict[str, Tensor]:
    """The gradients by name, by torch's own block: fused heads, its layer norm, its attention, its gelu."""
    leaf = {name: value.clone().requires_grad_() for name, value in at.items()}
    d = SIZES["d"]
    normed = functional.layer_norm(leaf["X"], (d,), eps=0.0)
    queries, keys, heads = (torch.einsum("nd,hdk->hnk", normed, leaf[name]) for name in FAMILIES[:3])
    mixed = functional.scaled_dot_product_attention(queries[None], keys[None], heads[None])[0]
    attention = torch.einsum("hnk,hkd->nd", mixed, leaf["W_O"])
    residual = leaf["X"] + attention
    again = functional.layer_norm(residual, (d,), eps=0.0)
    hidden = again @ leaf["W_1"]
    output = functional.gelu(hidden) @ leaf["W_2"]
    total = residual + output
    lets = dict(zip(LETS, (normed, attention, residual, again, hidden, output, total), strict=True))
    for value in lets.values():
        value.retain_grad()
    torch.autograd.backward((leaf["G"] * total).sum())
    return {name: value.grad for name, value in {**leaf, **lets}.items() if value.grad is not None}


def evaluated(texts: list[str], at: dict[str, Tensor]) -> tuple[list[Tensor], Scope]:
    nodes = nodes_of(*texts)
    world = World.of(block()[0], SIZES)
    scope = Scope(world, at, groups=groups_of(nodes, world))
    return [evaluate(node, scope) for node in nodes], scope


def test_all_gradients_of_a_block() -> None:
    """Parameters, members of families and activations, all from one pass."""
    at = values()
    expected = plain(at)
    texts = [f"D(Loss, {name})" for name in (*MATRICES, *LETS)]
    texts += [f"D(Loss, {name}[{h}])" for name in FAMILIES for h in (1, 2)]
    found, scope = evaluated(texts, at)
    wanted = [expected[name] for name in (*MATRICES, *LETS)]
    wanted += [expected[name][h] for name in FAMILIES for h in (0, 1)]
    for text, value, known in zip(texts, found, wanted, strict=True):
        torch.testing.assert_close(value, known.reshape(1, -1), rtol=1e-10, atol=1e-12, msg=text)
    assert len({id(group) for group in scope.groups.values()}) == 1


def test_sums_over_heads_and_entries() -> None:
    at = values(1)
    expected = plain(at)
    found, _ = evaluated(["g_Q", "D(Loss, W_1[2, 3])", "D(Loss, W_K[2][1, 3])", "D(Loss, B[5, 7])"], at)
    wanted = [expected["W_Q"].norm(), expected["W_1"][1, 2], expected["W_K"][1, 0, 2], expected["B"][4, 6]]
    for value, known in zip(found, wanted, strict=True):
        assert float(value) == pytest.approx(float(known), rel=1e-10)


def test_shared_and_single_passes_agree() -> None:
    """With and without groups: also where one name builds on another, and in second derivatives."""
    symbols = {"x": "vector(3)", "W": "matrix(3, 3)", "n": "dimension"}
    let = {"a": "W @ x", "b": "tanh(a)", "f": "norm(b + a)**2", "g": "norm(D(f, b))**2"}
    claim = claim_of("norm(D(f, a)) + norm(D(f, b)) + norm(D(f, W)) + norm(D(g, a)) == 0", symbols, let)
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    world = World.of(claim, {"n": 1})
    at = {"x": torch.tensor([[0.5], [-1.0], [2.0]]).double(), "W": torch.eye(3).double() + 0.25}
    groups = groups_of([fact.left], world)
    together, apart = (evaluate(fact.left, Scope(world, at, groups=held)) for held in (groups, {}))
    assert len(groups) == 5
    torch.testing.assert_close(together, apart, rtol=1e-12, atol=0)


def test_a_scalar_that_a_sum_changes_is_not_shared() -> None:
    symbols = {"x": "vector(3)", "W": "matrix(3, 3)"}
    claim = claim_of("sum(norm(D((W @ x)[i]**i, x))**2, i, 1, 3) == 0", symbols)
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    assert not groups_of([fact.left], World.of(claim, {}))


def test_each_reading_is_measured() -> None:
    """Six readings of one sentence, each with its own number; without proven tails none is refuted."""
    for claim in block()[:6:2]:
        found = examine(claim, claim.steps[0], Budget(seconds=4))
        assert found.truth != "false"
        assert "measured" in found.reason
        assert "(approximate), which is order(1e0" in found.reason
