"""A text that is open in an editor, as far as it was read and judged. A value: each edit makes another."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from verifier.claim.document import lines_of
from verifier.claim.drift import WriteUp
from verifier.claim.files import may_hold_claims
from verifier.claim.loaded import Broken, Entry, Loaded, Ready
from verifier.claim.model import Claim
from verifier.claim.notebooks import CELL_MAGIC
from verifier.claim.writeups import yaml_of
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.run.keys import claim_key
from verifier.run.settings import Settings
from verifier.serve.judging import Refused, checked_text

# More than anybody edits by hand.
MAX_CHARACTERS = 2_000_000


@dataclass(frozen=True)
class Span:
    """A stretch of one line; line and columns count from 0, in characters."""

    line: int
    start: int
    end: int

    def holds(self, line: int, column: int) -> bool:
        return self.line == line and self.start <= column <= self.end


@dataclass(frozen=True)
class Page:
    """`verdicts` are those known so far, by the id of the claim; `refused` says why the text is not read."""

    text: str
    file: str
    suffix: str
    loaded: Loaded = field(default_factory=Loaded)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    refused: str | None = None

    @cached_property
    def lines(self) -> list[str]:
        return lines_of(self.text)

    @cached_property
    def yaml(self) -> list[str]:
        """The claims alone, each at its line and column: the rest is blank."""
        return lines_of(yaml_of(self.text, self.suffix))

    @cached_property
    def writeup(self) -> WriteUp:
        """The formulas and theorems that the text prints."""
        return WriteUp(self.file, self.text, self.suffix)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The claims of this text, in order."""
        return tuple(entry for entry in self.loaded.entries if entry.position.file == self.file)

    @property
    def open_claims(self) -> Loaded:
        """What is still to be judged."""
        waiting = (entry for entry in self.loaded.ready if entry.id not in self.verdicts)
        return replace(self.loaded, entries=tuple(waiting), problems=())

    def with_verdict(self, verdict: Verdict) -> "Page":
        return replace(self, verdicts={**self.verdicts, verdict.id: verdict})

    def entry_at(self, line: int) -> Entry | None:
        """The claim that a line belongs to."""
        return next((entry for entry in reversed(self.entries) if line in self.region(entry)), None)

    def region(self, entry: Entry) -> range:
        """The lines of a claim, from 0: from its key to the last line that is indented below it."""
        first, column = entry.position.line - 1, entry.position.column - 1
        last = first
        for at in range(first + 1, len(self.yaml)):
            line = self.yaml[at]
            if line.strip() and len(line) - len(line.lstrip()) <= column:
                break
            if line.strip():
                last = at
        return range(first, last + 1)

    def span(self, line: int, column: int, width: int) -> Span:
        """A stretch, by the first line and column from 1, cut to what is there."""
        at = min(max(line - 1, 0), max(len(self.lines) - 1, 0))
        length = len(self.lines[at]) if self.lines else 0
        start = min(max(column - 1, 0), length)
        return Span(at, start, min(max(start + width, start), length))

    def step_span(self, step: StepVerdict) -> Span:
        """Where a relation stands: the first of its lines."""
        words = step.text.strip().splitlines()
        return self.span(step.position.line, step.position.column, len(words[0]) if words else 1)


def read_page(text: str, file: str, suffix: str, known: Mapping[str, Verdict], settings: Settings) -> Page:
    """The text with its claims read, and the verdicts of those that say what they said when they were judged;
    `known` holds these by the digest of what they say."""
    page = Page(text, file, suffix)
    if len(text) > MAX_CHARACTERS:
        return replace(page, refused=f"a text of more than {MAX_CHARACTERS:,} characters is not judged here")
    if not may_hold_claims(text, suffix):
        return page
    try:
        loaded = checked_text(text, file, suffix)
    except Refused as refused:
        return replace(page, refused=str(refused))
    found = {}
    for entry in loaded.ready:
        key = key_of(entry, settings)
        if key is not None and key in known:
            found[entry.id] = moved(known[key], entry.claim)
    return replace(page, loaded=loaded, verdicts=found)


def key_of(entry: Ready, settings: Settings) -> str | None:
    """What tells whether a claim still says what it said; None where nobody can."""
    try:
        return claim_key(entry.draft, settings)
    except TypeError:
        return None


def moved(verdict: Verdict, claim: Claim) -> Verdict:
    """The same verdict on the same claim, where it stands now."""
    steps = tuple(
        replace(step, position=now.position) for step, now in zip(verdict.steps, claim.steps, strict=True)
    )
    return replace(verdict, claim=claim, steps=steps)


def cell_text(source: str, is_code: bool) -> tuple[str, str]:
    """A cell of a notebook as a text of its own, at the same lines, and the suffix that it is read by."""
    if not is_code:
        return source, ".md"
    first, _, rest = source.partition("\n")
    return (f"\n{rest}" if first.strip() == CELL_MAGIC else ""), ".yaml"


def broken(entries: Iterable[Entry]) -> list[Broken]:
    return [entry for entry in entries if isinstance(entry, Broken)]
