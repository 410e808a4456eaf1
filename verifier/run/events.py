"""What a worker tells while it examines a claim."""

from collections.abc import Callable
from dataclasses import dataclass

from verifier.evidence import Finding
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
class Bought:
    """What an assumption buys."""

    verdict: AssumptionVerdict


@dataclass(frozen=True)
class Mended:
    """An extra condition that would make a false claim true."""

    repair: Repair


Event = Stage | Found | Bought | Mended
Emit = Callable[[Event], None]
