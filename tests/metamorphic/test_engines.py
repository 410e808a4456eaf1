"""Each engine on claims of known truth, as written and in other words: never the opposite, rarely silent."""

import importlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from tests.metamorphic.changes import CHANGES, claim_of, fact_of, fused, merged, relabelled
from verifier.claim.model import Claim, Step
from verifier.evidence import Budget, Finding
from verifier.expr.text import to_text
from verifier.plan.settings import ENGINES as PLANNED

SCALARS = {"x": "real", "y": "real", "p": "positive", "q": "positive"}
SIZES = {"n": "dimension", "m": "dimension", "s": "positive"}
MATRICES = {**SIZES, "W": "normal(n, m, std=s)", "A": "matrix(n, m)"}

# Of each pair the first is true, and the second its false sibling.
SCALAR_PAIRS = [
    ("(x + y)**2 == x**2 + 2*x*y + y**2", "(x + y)**2 == x**2 + x*y + y**2"),
    ("x*y <= (x**2 + y**2)/2", "x*y <= (x**2 + y**2)/3"),
    ("(p + q)/2 >= sqrt(p*q)", "(p + q)/3 >= sqrt(p*q)"),
    ("exp(x) >= 1 + x", "exp(x) >= 1 + x + x**2"),
]
MATRIX_PAIRS = [
    ("E(norm(W)**2) == n*m*s**2", "E(norm(W)**2) == n*s**2"),
    ("E(tr(matpow(W.T @ W, 2))) == n*m*(n + m + 1)*s**4", "E(tr(matpow(W.T @ W, 2))) == n*m*(n + m)*s**4"),
    ("E(tr(W.T @ A)**2) == s**2*norm(A)**2", "E(tr(W.T @ A)**2) == 2*s**2*norm(A)**2"),
]
# How many of the rewordings of what it decides an engine must decide as well, and on which claims.
ENGINES = {
    "rigorous": (SCALARS, SCALAR_PAIRS[:2] + SCALAR_PAIRS[3:], 0.2, 0.4),
    "symbolic": ({**SCALARS, **MATRICES}, SCALAR_PAIRS[:2] + MATRIX_PAIRS, 0.9, 1.0),
    "search": (SCALARS, SCALAR_PAIRS[1:], 0.4, 0.4),
    "numeric": (MATRICES, MATRIX_PAIRS[:2], 0.8, 1.5),
}

MODULES = {engine.name: engine.module for engine in PLANNED}


def asked(name: str, claim: Claim, seconds: float) -> Finding:
    torch.set_num_threads(1)
    finding: Finding = importlib.import_module(MODULES[name]).examine(
        claim, claim.steps[0], Budget(seconds=seconds, alpha=1e-9)
    )
    return finding


def reworded(symbols: dict[str, str], says: str, is_true: bool) -> Iterator[tuple[str, Claim]]:
    """The same in other words."""
    claim = claim_of(symbols, says)
    fact = fact_of(claim)
    for name, change in CHANGES.items():
        changed = change(fact)
        if changed != fact:
            step: Step = replace(claim.steps[0], fact=changed, text=to_text(changed))
            yield name, replace(claim, steps=(step,))
    yield "relabelled", claim_of(*relabelled(symbols, says))
    together = merged(symbols, says) if is_true else None
    if together is not None:
        yield "merged", claim_of(*together)


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_does_not_contradict_itself(name: str) -> None:
    symbols, pairs, share, seconds = ENGINES[name]
    decided = total = 0
    for pair in pairs:
        for says, is_true in zip(pair, (True, False), strict=True):
            right, wrong = ("true", "false") if is_true else ("false", "true")
            known = asked(name, claim_of(symbols, says), seconds)
            assert known.truth != wrong, (says, known.reason)
            for change, claim in reworded(symbols, says, is_true):
                found = asked(name, claim, seconds)
                assert found.truth != wrong, (change, claim.steps[0].text, found.reason)
                if known.truth == right:
                    total += 1
                    decided += found.truth == right
    assert total > 0
    assert decided >= share * total, f"{decided} of {total}"


@pytest.mark.parametrize("name", ["symbolic", "numeric"])
def test_a_fusion_is_true_if_both_parts_are(name: str) -> None:
    """With one false part it is false; with two it may be either, and nothing is said here."""
    (a, not_a), (b, not_b) = MATRIX_PAIRS[0], MATRIX_PAIRS[2]
    for one, two, truth in ((a, b, "true"), (not_a, b, "false"), (a, not_b, "false")):
        found = asked(name, claim_of(MATRICES, fused(MATRICES, one, two)), 1.5)
        may_be = (truth, "unknown") if name == "numeric" else (truth,)
        assert found.truth in may_be, (one, two, found.reason)
