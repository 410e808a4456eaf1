"""On whose word a verdict may rest: that of the engines, or that of the kernel alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from verifier.claim.model import VerdictName
from verifier.evidence import Finding, Grade, ProofRecord, SideKind, SideProof, Trust, Truth
from verifier.judge.verdict import NOT_PROPOSED, HowTight

SHOWN_BY: Mapping[HowTight | None, SideKind] = {"tight": "attained", "loose": "loose"}


@dataclass(frozen=True)
class Grounds:
    """What is proved of a step. `trust`: whether an engine's word will do where nothing is; `sides`: what is
    proved beside the step itself."""

    trust: Trust = "engines"
    proof: ProofRecord | None = None
    sides: tuple[SideProof, ...] = ()

    def prove(self, truth: Truth) -> bool:
        """Whether the kernel accepted a proof of this, all of it."""
        return self.proof is not None and self.proof.truth == truth and not self.proof.sites

    def suffice(self, finding: Finding) -> bool:
        """Whether a verdict may rest on what is found. A sample is no proof, and says so itself."""
        return self.trust == "engines" or finding.grade == "sampled" or self.prove(finding.truth)

    def grade(self, finding: Finding) -> Grade | None:
        """What a verdict then rests on: the leaves of the proof, if nothing else counts."""
        if self.trust == "checked" and self.proof is not None and self.prove(finding.truth):
            return "proved" if self.proof.exact else "certified"
        return finding.grade

    def lack(self, finding: Finding) -> str:
        """That there is no proof, and whose word is not enough."""
        told = self.proof is not None and self.proof.truth == finding.truth
        sites = self.proof.sites if told and self.proof is not None else (NOT_PROPOSED,)
        named = ", ".join(f"`{site}`" for site in dict.fromkeys(sites))
        return f"no proof of it was checked, and the word of {named} is not enough"

    def proof_of(self, verdict: VerdictName) -> ProofRecord | None:
        """The proof, if it is of what the verdict says."""
        truth = {"holds": "true", "loose": "true", "fails": "false"}.get(verdict)
        return self.proof if self.proof is not None and self.proof.truth == truth else None

    def show(self, kind: SideKind, of: str | None = None) -> bool:
        """Whether what is offered beside the verdict is proved."""
        return any(part.kind == kind and of in (None, part.of) for part in self.sides)

    def grade_of(self, kind: SideKind) -> Grade | None:
        """What the proof of something beside the verdict rests on."""
        found = [part.exact for part in self.sides if part.kind == kind]
        return None if not found else "proved" if any(found) else "certified"

    def guesses(self, offered: Mapping[str, str | None], tightness: HowTight | None) -> tuple[str, ...]:
        """The names of what is offered and not proved; how tight a bound is goes by its own name."""
        kinds: Mapping[str, SideKind] = {"corrected": "corrected", "instead": "instead", "tight": "better"}
        found = [name for name, text in offered.items() if text and not self.show(kinds[name], text)]
        sure = tightness not in SHOWN_BY or self.show(SHOWN_BY[tightness])
        return tuple(found if sure else [*found, "tightness"])


def of_step(sides: Iterable[SideProof], at: int) -> tuple[SideProof, ...]:
    """What is proved beside the verdict on one step."""
    return tuple(part for part in sides if part.step == at)


ANY_WORD = Grounds()
