"""Proofs of what is offered beside a verdict, as far as the kernel accepts any: what has none is a guess."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, InWords, ProofRecord, SideKind, SideProof
from verifier.expr.nodes import Relation
from verifier.expr.symbols import Dimension, FixedMatrix, Positive, Real
from verifier.judge.verdict import StepVerdict
from verifier.kernel.check import TRUST
from verifier.kernel.points.alike import PARTS
from verifier.kernel.rejected import Rejected
from verifier.plan.kernel_proofs import Brake, record_of
from verifier.plan.messages import Beside, Bought, Emit, Event, Mended
from verifier.plan.small_points import broken
from verifier.proofs.beside import Goal, sizes_of, ways
from verifier.proofs.propose import propose
from verifier.read.specs.make_claim import Draft
from verifier.timer import worked

NAME = "beside"
POINTS_SECONDS = 0.2
EACH = 0.4  # of the time that is left, for one thing that is offered
Point = Mapping[str, object]
PATTERNS = {"e_1 e_1'": "10000", "zeros": "00000"}


@dataclass
class Asides:
    """What is proved beside the verdict on a claim, told as it is found."""

    plan: Draft
    claim: Claim
    emit: Emit
    brake: Brake
    lean: bool = False  # whether nothing may be loaded that is not loaded yet
    told: list[SideProof] = field(default_factory=list)

    def of_step(self, at: int, step: StepVerdict) -> None:
        """How tight the relation is, what corrects it and what is true instead."""
        if step.corrected is not None:
            self.show("corrected", step.corrected, at)
        if step.instead is not None:
            self.show("instead", step.instead, at)
        known = [finding.tightness for finding in step.findings if finding.tightness is not None]
        if step.tightness == "tight":
            places = [item.where for item in known if item.tight and item.where]
            twos = dict.fromkeys(sizes_of(self.claim), 2)
            self.show("attained", "", at, [{**twos, **place} for place in (*places, {})])
        if step.tightness == "loose":
            self.show("loose", step.tight or "", at)
            if step.tight is not None:
                self.show("better", step.tight, at)

    def hear(self, event: Event) -> None:
        """Pass on what an assumption buys, or what would save the claim, and what shows it."""
        self.emit(event)
        match event:
            case Bought(verdict) if verdict.status == "unneeded":
                self.show("unneeded", verdict.name)
            case Bought(verdict) if verdict.status == "needed":
                found = verdict.counterexample
                self.show("needed", verdict.name, points=[found.values] if found is not None else [{}])
            case Mended(repair):
                self.show("repair", repair.condition)

    def show(self, kind: SideKind, of: str, at: int = 0, points: Sequence[Point] = ({},)) -> None:
        """Tell the first way in which every goal is proved."""
        deadline = worked() + EACH * self.brake.left
        try:
            for number, way in enumerate(ways(self.plan, self.claim, kind, of, at)):
                records = []
                for goal in way:
                    if (record := self._proved(goal, points, deadline)) is None:
                        break
                    records.append(record)
                else:
                    self._tell(SideProof(kind, of, at, number, *_together(records)))
                    return
        except Rejected:
            return

    def _tell(self, proof: SideProof) -> None:
        self.told.append(proof)
        self.emit(Beside(proof))

    def _proved(self, goal: Goal, points: Sequence[Point], deadline: float) -> ProofRecord | None:
        """A proof that trusts nobody; a refutation is asked for at each point in turn."""
        for question in self._questions(goal, points):
            made = partial(propose, goal.claim, goal.step, question)
            proof = self.brake.within(deadline - worked(), made)
            if proof is not None and TRUST not in proof.rules:
                return record_of(proof)
        return None

    def _questions(self, goal: Goal, points: Sequence[Point]) -> Iterator[Finding]:
        """A refutation needs a point: those that were found, simple ones, or a small one that is looked for
        where that needs no library that is not loaded yet."""
        if goal.truth:
            yield Finding(NAME, "true", "proved")
            return
        for point in (*points, *simple_points(goal.claim)):
            yield Finding(NAME, "false", "proved", counterexample=Counterexample(point, None, None))
        if not self.lean and (found := self.brake.within(POINTS_SECONDS, partial(_broken, goal))) is not None:
            yield Finding(NAME, "false", "proved", counterexample=found)


def _broken(goal: Goal) -> Counterexample | None:
    with suppress(Exception):
        return broken(goal.claim, goal.fact, sized=True) if isinstance(goal.fact, Relation) else None
    return None


def simple_points(claim: Claim) -> Iterator[Point]:
    """Sizes of 2; real numbers at 1, 0 and -1, matrices of ones, of zeros but for the first entry, or of
    zeros; then numbers and sizes that are large or small, where bounds are reached in the limit."""
    matrices = [
        None,
        *(InWords(name, dict(zip(PARTS, parts, strict=True))) for name, parts in PATTERNS.items()),
    ]
    near = product(matrices, (1, 0, -1), (None,), (2,))
    far = (
        product(matrices[:1], (30, -30), (None,), (2,)),
        product(matrices[:1], (1, 0), ("1/1000", 1000), (2,)),
    )
    large = product((None, matrices[2]), (1,), (None,), (200,))
    for matrix, number, positive, size in (*near, *far[0], *far[1], *large):
        values: dict[type, object] = {Dimension: size, Real: number, Positive: positive, FixedMatrix: matrix}
        known = {name: values.get(type(symbol.kind)) for name, symbol in claim.symbols.items()}
        yield {name: value for name, value in known.items() if value is not None and name not in claim.where}


def _together(records: Sequence[ProofRecord]) -> tuple[tuple[str, ...], Mapping[str, int], bool]:
    """Proofs of several goals as one."""
    rules = sum((Counter(record.rules) for record in records), Counter[str]())
    return tuple(record.text for record in records), dict(rules), all(record.exact for record in records)
