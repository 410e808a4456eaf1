"""A proof for each step as soon as it is decided, proposed from what was found and checked by the kernel.

No verdict rests on it yet: it is told beside them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from verifier.claim.model import Claim, Step
from verifier.evidence import GRADES, Finding, ProofRecord
from verifier.judge.decide import decide
from verifier.judge.verdict import StepVerdict
from verifier.kernel.check import TRUST
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.proofs.propose import propose, trusted
from verifier.proofs.text import to_data
from verifier.run.events import Emit, Proposed
from verifier.timer import Overran, at_most, worked


@dataclass
class Brake:
    """How long the kernel may work for all steps of a claim. It counts its own work; this is for what it does
    not count."""

    left: float


@dataclass
class Prover:
    """The proof of one step of a claim, proposed again whenever something new is found."""

    claim: Claim
    step: Step
    at: int
    emit: Emit
    brake: Brake
    told: ProofRecord | None = None
    tried: set[str] = field(default_factory=set)

    def hear(self, findings: Sequence[Finding]) -> float:
        """Tell a proof, if the step is decided and a better one is at hand; returns how long that took."""
        begun = worked()
        found = list(_deciding(decide(self.step, findings)))
        if found and not self._is_proved(found[0]):
            record = record_of(self._proposed(found))
            if record != self.told:
                self.told = record
                self.emit(Proposed(self.at, record))
        return worked() - begun

    def is_checked(self) -> bool:
        """Whether the kernel checked a proof that trusts nobody."""
        return self.told is not None and not self.told.sites

    def _is_proved(self, finding: Finding) -> bool:
        return self.is_checked() and self.told is not None and self.told.truth == finding.truth

    def _proposed(self, findings: Sequence[Finding]) -> Proof:
        """The first proof that rests on no trust, or trust in the strongest."""
        for finding in findings:
            key = f"{finding.truth} {finding.counterexample and dict(finding.counterexample.values)}"
            if key not in self.tried:
                self.tried.add(key)
                proof = self._within_limits(finding)
                if proof is not None and TRUST not in proof.rules:
                    return proof
        return trusted(self.claim, self.step, findings[0])

    def _within_limits(self, finding: Finding) -> Proof | None:
        if self.brake.left <= 0:
            return None
        begun = worked()
        try:
            with at_most(self.brake.left):
                return propose(self.claim, self.step, finding)
        except Overran:
            self.brake.left = 0.0  # the timer's seconds and ours differ by a little
            return None
        finally:
            self.brake.left -= worked() - begun


def _deciding(verdict: StepVerdict) -> Iterator[Finding]:
    """What the verdict may rest on, the strongest evidence first."""
    if verdict.is_true:
        found = [finding for finding in verdict.findings if finding.proves]
    elif verdict.verdict == "fails":
        found = [finding for finding in verdict.findings if finding.refutes]
    else:
        return
    yield from sorted(found, key=lambda finding: GRADES.index(finding.grade or "searched"))


def record_of(proof: Proof) -> ProofRecord:
    """The proof as it is told, kept and written."""
    counts = Counter(proof.rules)
    del counts[TRUST]
    sites = tuple(str(part.data["site"]) for part in proof.walk() if part.rule == TRUST)
    text = json.dumps(to_data(proof), separators=(",", ":"))
    return ProofRecord("true" if isinstance(proof.conclusion, Holds) else "false", text, dict(counts), sites)
