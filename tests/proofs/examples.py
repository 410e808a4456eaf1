"""A claim file, and proofs of its claims."""

from pathlib import Path

from verifier.claim.model import Claim
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.plan.kernel_proofs import record_of
from verifier.proofs.store import name_of, written
from verifier.read.specs.load import load_text

SPEC = """\
theorem: toy/proofs
symbols: {a: real, b: real, c: positive}
let: {q: a**2 + c}
assumptions: {below: a**2 < b, above: q >= 1}
claims:
  strict: {says: a**2 < b, under: [below]}
  weak: {says: a**2 <= b, under: [below]}
  named: {says: q >= 1, under: [above]}
  chain:
    under: [below]
    steps: |
      a**2
      < b
      <= b + 3**0.75/4 - b/(1 + b**4)
"""


def claims(spec: str = SPEC) -> dict[str, Claim]:
    loaded = load_text(spec)
    assert not loaded.problems
    return {claim.id.partition("#")[2]: claim for claim in loaded.claims}


def assumed(claim: Claim, step: int = 0) -> Proof:
    return Proof("assumption", Holds(claim.steps[step].fact))


def weakened(claim: Claim) -> Proof:
    """From the assumption `below`."""
    strict = claims()["strict"].steps[0].fact
    return Proof("weaken", Holds(claim.steps[0].fact), (Proof("assumption", Holds(strict)),))


def put(folder: Path, claim: Claim, *proofs: Proof | None, verdict: str = "holds") -> Path:
    """A claim's file in a folder."""
    texts = [None if proof is None else record_of(proof).text for proof in proofs]
    path = folder / name_of(claim.id)
    path.write_text(written(claim, verdict, texts), encoding="utf-8")  # type: ignore[arg-type]
    return path
