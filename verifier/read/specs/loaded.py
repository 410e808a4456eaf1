"""What was read of specs: claims that are ready, claims that are broken, and problems of whole files."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from verifier.claim.model import Claim, Position, VerdictName
from verifier.claim.problems import Problem
from verifier.display import Shown
from verifier.read.specs.make_claim import Draft


@dataclass(frozen=True)
class Ready:
    """A claim to be judged, and what it was built from."""

    claim: Claim
    draft: Draft

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def position(self) -> Position:
        return self.claim.position


@dataclass(frozen=True, repr=False)
class Broken(Shown):
    """A claim that could not be read: its verdict is `error`, and `problems` say where and why.

    It answers to what every verdict answers to, so that nobody needs to ask which of the two it is."""

    id: str
    title: str
    position: Position
    problems: tuple[Problem, ...]
    expect: tuple[VerdictName, ...] | None = None
    text: str = ""  # what its author states, where that much could be read

    verdict: ClassVar[VerdictName] = "error"
    evidence: ClassVar[None] = None
    as_expected: ClassVar[bool] = False
    counterexample: ClassVar[None] = None
    corrected: ClassVar[None] = None
    proof: ClassVar[None] = None

    @property
    def reason(self) -> str:
        """What is wrong, in words."""
        return "; ".join(problem.message for problem in self.problems)

    def in_one_line(self) -> str:
        return f"{self.id}: error: {self.reason}"


Entry = Ready | Broken


@dataclass(frozen=True)
class Tally:
    """How many claims are ready, and how many questions those of each file ask."""

    ready: int
    questions: Mapping[str, int]


@dataclass(frozen=True)
class Loaded:
    """What a load found: claims in the order written, and problems of whole files; `needs` are the
    other files, by file, that its claims point at."""

    entries: Sequence[Entry] = ()
    problems: tuple[Problem, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def ready(self) -> Iterator[Ready]:
        """The claims that can be judged, one at a time."""
        return (entry for entry in self.entries if isinstance(entry, Ready))

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The same at once, for loads that are short."""
        return tuple(entry.claim for entry in self.ready)

    @cached_property
    def tally(self) -> Tally:
        ready, questions = 0, Counter[str]()
        for entry in self.ready:
            ready += 1
            questions[entry.position.file] += entry.claim.questions
        return Tally(ready, questions)
