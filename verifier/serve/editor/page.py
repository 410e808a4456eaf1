"""A text that is open in an editor, as far as it was read and judged. A value: each edit makes another."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from verifier.claim.model import Claim
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.plan.settings import Settings
from verifier.read.specs.drift import WriteUp
from verifier.read.specs.loaded import Broken, Entry, Loaded, Ready
from verifier.read.specs.notebooks import CELL_MAGIC, PREAMBLE_MAGIC
from verifier.read.specs.spec_files import PREAMBLE, may_hold_claims
from verifier.read.specs.writeups import yaml_of
from verifier.read.specs.yaml_document import lines_of
from verifier.run.keys import claim_key
from verifier.serve.editor.paper import drafted, may_be_drafted
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
    """`verdicts` are those known so far, by the id of the claim; `refused` says why the text is not read.
    `preambles` stand in earlier cells of a notebook; `drafted`: the claims are our reading of a paper."""

    text: str
    file: str
    suffix: str
    loaded: Loaded = field(default_factory=Loaded)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    refused: str | None = None
    preambles: tuple[str, ...] = ()
    drafted: bool = False

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
        if self.drafted:
            around = (part for part in self.writeup.statements if part.latex is not None)
            last = next((part.last for part in around if part.first <= first + 1 <= part.last), first + 1)
            return range(first, last)
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
        """Where a relation stands: the first of its lines; in a paper, the line of its formula."""
        if self.drafted:
            return self.span(step.position.line, step.position.column, MAX_CHARACTERS)
        words = step.text.strip().splitlines()
        return self.span(step.position.line, step.position.column, len(words[0]) if words else 1)


def read_page(page: Page, known: Mapping[str, Verdict], settings: Settings) -> Page:
    """The page with its claims read, and the verdicts of those that say what they said when they were judged;
    `known` holds these by the digest of what they say."""
    if len(page.text) > MAX_CHARACTERS:
        return replace(page, refused=f"a text of more than {MAX_CHARACTERS:,} characters is not judged here")
    try:
        page = _read(page)
    except Refused as refused:
        return replace(page, refused=str(refused))
    found = {}
    for entry in page.loaded.ready:
        key = key_of(entry, settings)
        if key is not None and key in known:
            found[entry.id] = moved(known[key], entry.claim)
    return replace(page, verdicts=found)


def _read(page: Page) -> Page:
    if may_hold_claims(page.text, page.suffix) or Path(page.file).name == PREAMBLE:
        return replace(page, loaded=checked_text(page.text, page.file, page.suffix, page.preambles))
    if may_be_drafted(page.text, page.file, page.suffix):
        return replace(page, loaded=drafted(page.text, page.file, page.suffix), drafted=True)
    return page


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


def cell_page(source: str, uri: str, is_code: bool, preambles: tuple[str, ...] = ()) -> Page:
    """A cell of a notebook as a text of its own, at the same lines; code without claims is empty."""
    if not is_code:
        return Page(source, uri, ".md", preambles=preambles)
    is_claim = source.partition("\n")[0].strip() == CELL_MAGIC
    text = f"\n{source.partition(chr(10))[2]}" if is_claim else ""
    return Page(text, uri, ".yaml", preambles=preambles)


def preamble_cell(source: str) -> str | None:
    """The preamble that a cell of code is, for the cells after it."""
    first, _, rest = source.partition("\n")
    return rest if first.strip() == PREAMBLE_MAGIC else None


def broken(entries: Iterable[Entry]) -> list[Broken]:
    return [entry for entry in entries if isinstance(entry, Broken)]
