"""Claims from a few lines of text."""

from fractions import Fraction

import torch
from torch import Tensor

from verifier.claim.model import Claim
from verifier.evidence import Budget, Finding
from verifier.expr import nodes as N
from verifier.read.specs.load import load_text
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.draw_scope import Scope, World
from verifier.sample.engine import examine
from verifier.sample.tuning import Settings

DIMS = {"n": "dimension", "d": "dimension", "k": "dimension"}
ATTENTION = DIMS | {
    "sigma": "positive",
    "tau": "positive",
    "X": "matrix(n, d)",
    "W_Q": "normal(d, k, std=sigma)",
    "W_K": "normal(d, k, std=sigma)",
    "W_V": "normal(d, d, std=tau)",
}
LET = {
    "M": "X @ W_Q @ W_K.T @ X.T / sqrt(k)",
    "A": "softmax(M)",
    "S": "A @ X @ W_V",
    "xbar": "X.T @ ones(n) / n",
}
UNIFORM = {"u": "A == ones(n, n) / n"}
QUERIES = "sigma**2 * tau**2 * d / n**2 * norm(X)**2 * norm(X.T @ X - n * xbar @ xbar.T)**2"

LAYERS = (
    "layers:\n  state: X\n  depth: L\n  symbols:\n    U: normal(d, d, std=1/sqrt(d))\n"
    "  let:\n    Z: a * (ones(n, n) / n @ X @ U)\n  next: Z + X"
)
DEPTH = {"n": "dimension", "d": "dimension", "L": "dimension", "a": "real", "X": "matrix(n, d)"}


def claim_of(
    says: str,
    symbols: dict[str, str],
    let: dict[str, str] | None = None,
    assumptions: dict[str, str] | None = None,
    extra: str = "",
    layers: str = "",
) -> Claim:
    """One claim; `extra` holds further keys of the claim, `layers` a whole block."""
    lines = ["schema: 1", "theorem: test/t", "title: t", "symbols:"]
    lines += [f"  {name}: {kind}" for name, kind in symbols.items()]
    for key, block in (("let", let), ("assumptions", assumptions)):
        if block:
            lines += [f"{key}:"] + [f"  {name}: {text!r}" for name, text in block.items()]
    lines += [layers] if layers else []
    lines += ["claims:", "  c:", f"    says: {says!r}"] + ([f"    {extra}"] if extra else [])
    loaded = load_text("\n".join(lines) + "\n", "test.yaml")
    assert not loaded.problems, loaded.problems
    assert loaded.claims, loaded.entries
    return loaded.claims[0]


def look(claim: Claim, seconds: float = 3.0, seed: int = 0, **settings: object) -> Finding:
    return examine(claim, claim.steps[0], Budget(seconds=seconds, seed=seed), Settings(**settings))  # type: ignore[arg-type]


def value(
    text: str,
    symbols: dict[str, str],
    values: dict[str, Tensor],
    sizes: dict[str, int],
    let: dict[str, str] | None = None,
    assumptions: dict[str, str] | None = None,
) -> Tensor:
    """An expression at given values, in float64."""
    claim = claim_of(f"{text} == {text}", symbols, let, assumptions)
    fact = claim.steps[0].fact
    assert isinstance(fact, N.Relation)
    return evaluate(fact.left, Scope(World.of(claim, sizes), values))


def scalar(number: float) -> Tensor:
    return torch.full((1, 1), float(number), dtype=torch.float64)


def number(whole: int) -> N.Number:
    return N.Number(Fraction(whole))
