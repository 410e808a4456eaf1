"""Verdicts: frozen values that the report shows and the gate compares."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from verifier.claim.model import Claim, Position, VerdictName
from verifier.claim.problems import Problem
from verifier.display import Shown
from verifier.evidence import Attempt, Counterexample, Curve, Finding, Grade, ProofRecord, SideProof
from verifier.expr.nodes import Relation, Within
from verifier.read.specs.loaded import Broken

# From worst to best: a chain takes the worst of its steps.
WORST_FIRST: tuple[VerdictName, ...] = ("error", "fails", "inconclusive", "unrefuted", "loose", "holds")

NOT_PROPOSED = "run: stopped before a proof was proposed"
# tight: an attained point or a limit shows it; loose: the stronger statement is proved; suspected-loose: a
# search or a sample says so, and nobody proved it.
HowTight = Literal["tight", "loose", "suspected-loose", "unknown"]


@dataclass(frozen=True)
class StepVerdict:
    """The verdict on one relation."""

    fact: Relation | Within
    text: str
    position: Position
    verdict: VerdictName
    evidence: Grade | None
    reason: str
    lhs: str | None = None
    rhs: str | None = None
    corrected: str | None = None
    instead: str | None = None
    tight: str | None = None
    tightness: HowTight | None = None
    slack: float | None = None
    counterexample: Counterexample | None = None
    findings: tuple[Finding, ...] = ()
    disagreement: str | None = None
    proof: ProofRecord | None = None
    # What of it is offered without a checked proof, by name: corrected, instead, tight, tightness.
    guesses: tuple[str, ...] = ()
    # Who was asked about it, in this order; no part of what is known.
    tried: tuple[Attempt, ...] = field(default=(), compare=False)

    @property
    def is_true(self) -> bool:
        """Whether the relation is known to be true, beyond doubt."""
        return self.verdict in ("holds", "loose")

    @property
    def is_open(self) -> bool:
        """Whether more time could say more: whether it is true, or how tight it is."""
        undecided = self.verdict in ("inconclusive", "unrefuted")
        return undecided or self.tightness in ("suspected-loose", "unknown")


@dataclass(frozen=True)
class AssumptionVerdict:
    """What one assumption buys: `needed` if the claim is no longer true without it."""

    name: str
    status: Literal["needed", "unneeded", "unknown"]
    violated: bool = False
    gap: str | None = None
    counterexample: Counterexample | None = None
    reason: str = ""
    curves: tuple[Curve, ...] = ()
    is_guess: bool = False  # nothing that the kernel checked shows it


@dataclass(frozen=True)
class Repair:
    """An extra condition under which a false claim is true after all, and what it then is: `holds` or
    `loose`."""

    condition: str
    verdict: VerdictName
    is_guess: bool = False


@dataclass(frozen=True)
class Proof:
    """What a verdict rests on: the rules that the kernel has checked, each with how often it is used, and the
    sites that nobody checks."""

    rules: Mapping[str, int]
    sites: Mapping[str, int]
    of: "Verdict" = field(repr=False)

    @property
    def checked(self) -> bool:
        """Whether the kernel has accepted all of it."""
        return not self.sites

    @property
    def trusted(self) -> int:
        """How many leaves nobody checks."""
        return sum(self.sites.values())

    @property
    def text(self) -> str:
        """The claim's proof file, which `verify check` reads."""
        from verifier.proofs.store import written

        steps = [step.proof.text if step.proof is not None else None for step in self.of.steps]
        return written(self.of.claim, self.of.verdict, steps, self.of.sides)


@dataclass(frozen=True, repr=False)
class Verdict(Shown):
    """The verdict on a claim; a plain claim has exactly one step."""

    claim: Claim
    verdict: VerdictName
    evidence: Grade | None
    reason: str
    steps: tuple[StepVerdict, ...]
    overall: StepVerdict | None = None
    assumptions: tuple[AssumptionVerdict, ...] = ()
    disagreement: str | None = None
    problems: tuple[Problem, ...] = ()
    seconds: float = 0.0
    repair: Repair | None = None
    sides: tuple[SideProof, ...] = ()
    # What was asked about the claim as a whole.
    tried: tuple[Attempt, ...] = field(default=(), compare=False)

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def main(self) -> StepVerdict:
        """The statement, or for a chain the first of its worst lines: the one to show first."""
        return min(self.steps, key=lambda step: WORST_FIRST.index(step.verdict))

    @property
    def counterexample(self) -> Counterexample | None:
        """A point that breaks the claim, or the line of it that `main` is."""
        return self.main.counterexample

    @property
    def corrected(self) -> str | None:
        """The right side that would be true, in the claim's own language."""
        return self.main.corrected

    @property
    def proof(self) -> Proof | None:
        """What the verdict rests on; None where nothing is decided."""
        if not self.grounds:
            return None
        rules, sites = Counter[str](), Counter[str]()
        for step in self.grounds:
            rules.update(step.proof.rules if step.proof is not None else {})
            sites.update(step.proof.sites if step.proof is not None else (NOT_PROPOSED,))
        return Proof(dict(sorted(rules.items())), dict(sorted(sites.items())), self)

    def in_one_line(self) -> str:
        grade = f" ({self.evidence})" if self.evidence else ""
        return f"{self.id}: {self.verdict}{grade}: {self.reason}"

    @property
    def grounds(self) -> tuple[StepVerdict, ...]:
        """The steps that the verdict rests on: all of them, or one that is false, with the best proof; none
        where it is open."""
        if self.verdict in ("holds", "loose"):
            return self.steps
        false = [step for step in self.steps if self.verdict == step.verdict == "fails"]
        return tuple(sorted(false, key=lambda step: len(step.proof.sites) if step.proof else 1)[:1])

    @property
    def as_expected(self) -> bool:
        """Without `expect`, a claim is expected to be true, or at least not to break. Where somebody calls it
        false whose word is not enough, it rests on nothing."""
        if self.verdict == "error":
            return False
        if self.verdict == "unrefuted" and self.evidence is None and self.claim.expect is None:
            return False
        return self.verdict in (self.claim.expect or ("holds", "loose", "unrefuted"))


@dataclass(frozen=True, repr=False)
class Run(Shown):
    """All that a run found out."""

    verdicts: Sequence[Verdict | Broken]
    problems: tuple[Problem, ...] = ()
    seed: int = 0
    device: str = "cpu"
    seconds: float = 0.0
    versions: Mapping[str, str] | None = None
    command: str = ""
    # How many verdicts rest on evidence of an earlier run.
    remembered: int = 0
    # Whether it was ended before every claim was judged.
    interrupted: bool = False

    def in_one_line(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.summary.items() if count)
        unread = f", {len(self.problems)} unreadable" if self.problems else ""
        return f"{counts or 'no claims'}{unread}"

    @property
    def summary(self) -> dict[VerdictName, int]:
        """How many claims have each verdict."""
        names: tuple[VerdictName, ...] = ("holds", "loose", "fails", "unrefuted", "inconclusive", "error")
        counts = Counter(item.verdict for item in self.verdicts)
        return {name: counts[name] for name in names}

    @property
    def exit_status(self) -> int:
        """2: a wrong spec, nothing collected, or engines that disagree; 1: not as expected; else 0."""
        broken = bool(self.problems) or not self.verdicts
        disagree = any(isinstance(item, Verdict) and item.disagreement for item in self.verdicts)
        if broken or disagree or any(item.verdict == "error" for item in self.verdicts):
            return 2
        return int(not all(item.as_expected for item in self.verdicts))
