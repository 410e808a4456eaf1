"""Every rule is held against random values: what it yields is never smaller than its atom."""

import numpy as np
import pytest
import torch

from tests.refute.claims import claim_of
from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.prove.rules.bound_form import bounds_of
from verifier.prove.rules.lipschitz_rules import LIPSCHITZ
from verifier.prove.rules.magnitude_forms import Magnitude, Reader, atoms
from verifier.prove.rules.textbook import RULES
from verifier.refute.domain.domain_at_sizes import Cell
from verifier.refute.domain.size_levels import cells_of
from verifier.refute.domain.space import Domain
from verifier.refute.domain.spheres import as_float
from verifier.refute.domain.starts import starts
from verifier.sample.compile.compile import evaluate

ATOMS = [
    "norm(C @ F)",
    "norm(C @ F, 2)",
    "norm(A @ B @ C)",
    "norm(C, 2)",
    "norm(C)",
    "norm(x)",
    "norm(x, 1)",
    "norm(x, oo)",
    "norm(A + B, 2)",
    "norm(x - y, 1)",
    "abs(a - t)",
    "norm(A * B)",
    "norm(A * B, 2)",
    "abs(x[1])",
    "abs(x[i])",
    "abs(C[1, 1])",
    "abs(inner(x, y))",
    "abs(tr(A @ B))",
    "abs(tr(A))",
    "norm(A @ B - B @ A)",
    "norm(softmax(A))",
    "norm(softmax(A), 2)",
    "norm(p)",
    "norm(S)",
    "norm(S, 2)",
    "norm(D(softmax(A), A))",
    "norm(D(softmax(A), A), 2)",
    "norm(D(rmsnorm(z), z), 2)",
    "norm(D(rmsnorm(x.T), x))",
    "norm(D(rmsnorm(z) * x.T, z), 2)",
    "abs(tanh(t))",
    "abs(sin(t))",
    "sigmoid(t)",
    "relu(t)",
    "min(a, b)",
    "max(a, b)",
    "norm(relu(A) - relu(B))",
    "norm(sigmoid(x) - sigmoid(y), 1)",
    "norm(erf(x) - erf(y), oo)",
    "norm(gelu(A) - gelu(B))",
    "norm(silu(A) - silu(B))",
    "norm(Phi(A) - Phi(B))",
    "norm(softplus(A) - softplus(B))",
    "norm(cos(A) - cos(B))",
    "norm(abs(A) - abs(B))",
    "abs(tanh(t) - tanh(a))",
    "norm(softmax(A) - softmax(B))",
    "norm(gelu(A))",
    "norm(silu(A))",
    "norm(A @ C - B @ C)",
    "norm(F @ A - F @ B, 2)",
    "norm(x.T - y.T)",
]
EVERY = (*RULES, *LIPSCHITZ)
UNTESTED = {"chain_rule", "averages_of_rows"}  # they have their own tests


def value_of(magnitude: Magnitude, cell: Cell, raw: torch.Tensor) -> float:
    scope = cell.bind(raw)
    total = 0.0
    for monomial, coefficient in magnitude.terms:
        term = as_float(coefficient)
        for atom, exponent in monomial:
            term *= float(evaluate(atom, scope)) ** float(exponent)
        total += term
    return total


def reader_of(claim: Claim) -> tuple[Reader, N.Node]:
    (bound,) = bounds_of(claim.steps[0].fact)
    return Reader(claim.symbols), bound.small


@pytest.mark.parametrize("text", ATOMS)
def test_a_rule_only_enlarges(text: str) -> None:
    # The right side mentions everything that a rule may introduce.
    claim = claim_of(f"{text} <= 1")
    reader, small = reader_of(claim)
    read = reader.read(small)
    assert read is not None
    (atom,) = atoms(read)
    larger = [found for rule in EVERY for found in rule(reader, atom)]
    assert larger, "no rule speaks of this atom"
    rng = np.random.default_rng(11)
    for cell in cells_of(Domain(claim, claim.steps[0].fact), limit=4):
        for raw in starts(cell, rng, 40):
            before = value_of(read, cell, raw)
            for found in larger:
                assert value_of(found, cell, raw) >= before * (1 - 1e-9) - 1e-6, (text, found)


def test_every_rule_is_tried_above() -> None:
    used = set()
    for text in ATOMS:
        reader, small = reader_of(claim_of(f"{text} <= 1"))
        read = reader.read(small)
        assert read is not None
        for atom in atoms(read):
            used |= {rule.__name__ for rule in EVERY if list(rule(reader, atom))}
    assert used | UNTESTED == {rule.__name__ for rule in EVERY}
