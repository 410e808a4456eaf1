"""A proof for each step as soon as it is decided, proposed from what was found and checked by the kernel.

Where only checked proofs are trusted, the kernel is asked first, before any engine.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from verifier.claim.model import Claim, Step
from verifier.evidence import GRADES, Finding, ProofRecord, SideProof, Trust, Truth
from verifier.judge.decide import decide
from verifier.judge.grounds import Grounds, of_step
from verifier.judge.verdict import StepVerdict
from verifier.kernel.check import TRUST
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rules import rules
from verifier.plan.messages import Emit, Proposed
from verifier.proofs.propose import propose, trusted
from verifier.proofs.text import to_data
from verifier.timer import Overran, at_most, worked

Made = TypeVar("Made")


@dataclass
class Brake:
    """How long the kernel may work. It counts its own work; this is for what it does not count."""

    left: float

    def within(self, seconds: float, made: Callable[[], Made]) -> Made | None:
        """What is made in this time; None where it is not enough, or nothing is left."""
        if min(seconds, self.left) <= 0:
            return None
        begun, is_last = worked(), seconds >= self.left
        try:
            with at_most(min(seconds, self.left)):
                return made()
        except Overran:
            if is_last:
                self.left = 0.0  # the timer's seconds and ours differ by a little
            return None
        finally:
            self.left -= worked() - begun


@dataclass
class Brakes:
    """One for all steps of a claim that are true, one for those that are false, of which one is enough: a
    refutation that nobody checks is worth nothing, so it has more."""

    true: Brake
    false: Brake

    @classmethod
    def each(cls, seconds: float) -> "Brakes":
        return cls(Brake(seconds), Brake(2 * seconds))

    def of(self, truth: Truth) -> Brake:
        return self.false if truth == "false" else self.true


@dataclass
class Prover:
    """The proof of one step of a claim, proposed again whenever something new is found."""

    claim: Claim
    step: Step
    at: int
    emit: Emit
    brakes: Brakes
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

    def ask(self, question: Finding, brake: Brake, seconds: float) -> Proof | None:
        """A proof of what somebody wonders about, told if there is one; not looked for twice."""
        if _key(question) in self.tried:
            return None
        proof = brake.within(seconds, partial(propose, self.claim, self.step, question))
        if proof is None:
            return None
        self.tried.add(_key(question))
        if TRUST in proof.rules:
            return None
        self.told = record_of(proof)
        self.emit(Proposed(self.at, self.told))
        return proof

    def verdict(
        self, findings: Sequence[Finding], trust: Trust, sides: Iterable[SideProof] = ()
    ) -> StepVerdict:
        """As it will be told."""
        return decide(self.step, findings, Grounds(trust, self.told, of_step(sides, self.at)))

    def is_checked(self) -> bool:
        """Whether the kernel checked a proof that trusts nobody."""
        return self.told is not None and not self.told.sites

    def _is_proved(self, finding: Finding) -> bool:
        return self.is_checked() and self.told is not None and self.told.truth == finding.truth

    def _proposed(self, findings: Sequence[Finding]) -> Proof:
        """The first proof that rests on no trust, or trust in the strongest."""
        for finding in findings:
            if (key := _key(finding)) not in self.tried:
                self.tried.add(key)
                brake = self.brakes.of(finding.truth)
                proof = brake.within(brake.left, partial(propose, self.claim, self.step, finding))
                if proof is not None and TRUST not in proof.rules:
                    return proof
        return trusted(self.claim, self.step, findings[0])


def _key(finding: Finding) -> str:
    """What a proposal depends on."""
    return f"{finding.truth} {finding.counterexample and dict(finding.counterexample.values)}"


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
    truth: Truth = "true" if isinstance(proof.conclusion, Holds) else "false"
    known = rules()
    steps = (part for part in proof.walk() if part.rule in known)
    exact = all(known[part.rule].is_exact(part.data) for part in steps)
    return ProofRecord(truth, text, dict(counts), sites, exact)
