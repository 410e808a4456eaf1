"""What a worker tells while it examines a claim."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from verifier.evidence import Attempt, Finding, ProofRecord, SideProof
from verifier.judge.verdict import AssumptionVerdict, Repair


@dataclass(frozen=True)
class Stage:
    """What is being tried now, for the progress line."""

    words: str


@dataclass(frozen=True)
class Found:
    """A finding about one step (OVERALL: first against last of a chain)."""

    step: int
    finding: Finding


@dataclass(frozen=True)
class Shown:
    """The last finding about a step once more, with a smaller counterexample and pictures, in its place.

    What makes it so comes after the finding is told: if it is fatal, no verdict is lost. It bears on the
    verdict in one case alone, where exact arithmetic contradicts the finding at the smaller point."""

    step: int
    better: Finding


@dataclass(frozen=True)
class Proposed:
    """A proof of a step that is decided, or who is trusted for want of one."""

    step: int
    proof: ProofRecord


@dataclass(frozen=True)
class Beside:
    """A checked proof of what is offered beside the verdict on a step."""

    proof: SideProof


@dataclass(frozen=True)
class Bought:
    """What an assumption buys."""

    verdict: AssumptionVerdict


@dataclass(frozen=True)
class Mended:
    """An extra condition that would make a false claim true."""

    repair: Repair


@dataclass(frozen=True)
class Tried:
    """Who was asked about a step, and what came of it; of the claim as a whole where the step is None."""

    step: int | None
    attempt: Attempt


Event = Stage | Found | Shown | Proposed | Beside | Bought | Mended | Tried
Emit = Callable[[Event], None]


def nobody(event: Event) -> None:
    """Whom questions on the way are told."""


def in_place(events: Iterable[Event]) -> tuple[Event, ...]:
    """What was told, every finding as it was shown last."""
    told: list[Event] = []
    for event in events:
        if isinstance(event, Shown):
            at = max(
                at for at, past in enumerate(told) if isinstance(past, Found) and past.step == event.step
            )
            told[at] = Found(event.step, event.better)
        else:
            told.append(event)
    return tuple(told)
