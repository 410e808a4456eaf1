"""Claims from one line of text, and their verdicts on the search alone."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import torch

from verifier.claim.model import Claim
from verifier.evidence import Budget, Finding
from verifier.judge.decide import decide
from verifier.judge.verdict import StepVerdict
from verifier.prove.rules.bound_form import Bound, bounds_of
from verifier.read.specs.load import load_text
from verifier.refute.engine import examine

torch.set_num_threads(1)
# The first Jacobian of a process loads half of torch; no test should pay for that.
torch.func.jacrev(torch.sin)(torch.zeros(1))

SYMBOLS = {
    "n": "dimension",
    "m": "dimension",
    "A": "matrix(n, n)",
    "B": "matrix(n, n)",
    "C": "matrix(n, m)",
    "F": "matrix(m, n)",
    "x": "vector(n)",
    "y": "vector(n)",
    "v": "vector(m)",
    "z": "matrix(1, n)",
    "a": "positive",
    "b": "positive",
    "t": "real",
    "u": "interval(0, 1)",
    "k": "integer",
    "i": "index(n)",
    "p": "simplex(n)",
    "S": "stochastic(n, m)",
    "H": "symmetric(n)",
    "G": "psd(n)",
    "Q": "orthogonal(n)",
    "r": "rademacher(n)",
    "W": "normal(n, m, std=1)",
    "V": "normal(n, m, std=a)",
}


def claim_of(
    says: str, assumptions: Mapping[str, str] | None = None, symbols: Mapping[str, str] = SYMBOLS
) -> Claim:
    lines = ["schema: 1", "theorem: tests/search", "title: a bound", "symbols:"]
    lines += [f"  {name}: {kind}" for name, kind in symbols.items()]
    if assumptions:
        lines += ["assumptions:", *(f'  {name}: "{text}"' for name, text in assumptions.items())]
    lines += ["claims:", "  bound:", f'    says: "{says}"']
    loaded = load_text("\n".join(lines))
    assert len(loaded.claims) == 1, (loaded.problems, loaded.entries)
    return loaded.claims[0]


def bound_of(claim: Claim) -> Bound:
    (bound,) = bounds_of(claim.steps[0].fact)
    return bound


def searched(
    says: str, assumptions: Mapping[str, str] | None = None, seconds: float = 3.0, seed: int = 0
) -> tuple[Finding, StepVerdict]:
    """What the search finds, and the verdict if somebody proved what it suspects: alone it proves little."""
    claim = claim_of(says, assumptions)
    step = claim.steps[0]
    finding = examine(claim, step, Budget(seconds, seed))
    return finding, decide(step, [as_if_proved(finding)])


def as_if_proved(finding: Finding) -> Finding:
    """The finding with its suspicions confirmed; what it leaves open, or refutes, stays as it is."""
    if finding.truth != "true":
        return finding
    tightness = finding.tightness and replace(finding.tightness, proved=True)
    return replace(finding, grade="proved", tightness=tightness)


def numbers(values: object) -> list[Fraction]:
    """Every rational of a counterexample; closed forms such as sqrt(2)/2 are left out."""
    if isinstance(values, Mapping):
        return [x for value in values.values() for x in numbers(value)]
    if isinstance(values, list):
        return [x for value in values for x in numbers(value)]
    try:
        return [Fraction(str(values))]
    except ValueError:
        return []
