"""Proofs of what is offered beside a verdict: why a bound is the best one, why an assumption is needed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, ProofRecord, SideKind, SideProof
from verifier.judge.verdict import Verdict
from verifier.report.proofs import Proved, proved

WORDS: Mapping[SideKind, str] = {
    "attained": "Proof that it cannot be improved: better by 1% of its size it is false",
    "loose": "Proof that it can be improved",
    "better": "Proof of the better bound",
    "corrected": "Proof of the correction",
    "instead": "Proof of what is true instead",
    "needed": "Proof that the claim is false without it",
    "unneeded": "Proof that the claim is true without it",
    "repair": "Proof that it is true under this condition",
}


@dataclass(frozen=True)
class Beside:
    """What is shown, and the proof of each goal."""

    words: str
    proofs: tuple[Proved, ...]


def beside_step(item: Verdict, at: int) -> tuple[Beside, ...]:
    """What is proved beside the verdict on the step of this number, which counts from 0."""
    kinds = ("attained", "loose", "better", "corrected", "instead", "repair")
    return tuple(_told(item.claim, side) for side in item.sides if side.kind in kinds and side.step == at)


def beside_assumption(item: Verdict, name: str, found: Counterexample | None) -> tuple[Beside, ...]:
    """What is proved of an assumption; `found` is the point that is shown with it."""
    less = replace(item.claim, assumptions=tuple(a for a in item.claim.assumptions if a.name != name))
    sides = (side for side in item.sides if side.kind in ("needed", "unneeded") and side.of == name)
    return tuple(_told(less, side, found) for side in sides)


def _told(claim: Claim, side: SideProof, found: Counterexample | None = None) -> Beside:
    return Beside(WORDS[side.kind], tuple(_proofs(claim, side, found)))


def _proofs(claim: Claim, side: SideProof, found: Counterexample | None) -> Iterator[Proved]:
    """Those that can be read in the claim's own letters; points are not evaluated once more."""
    for text in side.text:
        shown = proved(ProofRecord("true", text, {}), claim, found, evaluates=False)
        if shown is not None:
            yield shown
