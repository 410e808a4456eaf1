"""`verify draft`: a paper to a claim file that its author reads, mends and keeps.

    paper → passages → what sentences declare, what theorems claim → shapes → preamble, theorems, claims

Every line that was inferred rather than read is marked, every formula that was refused is a comment with the
reason and what to write. The file always parses: what the loader would refuse is made a comment too.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from verifier.claim.model import Origin, Position, Printed
from verifier.claim.problems import Problem
from verifier.expr.sizes import room_for_trees
from verifier.read.compose import theorems
from verifier.read.drafted import Drafted, Theorem
from verifier.read.gather import Note, gather
from verifier.read.paper import Paper, Passage, read_paper
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken, Entry, Loaded, Ready
from verifier.read.told import Told
from verifier.read.written import MAX_TITLE, block, comment, flow, one_line, quoted, slug, unique

MAX_CHARACTERS = 400_000
ROUNDS = 6
# How a claim is tied to its formula: by its label; by its LaTeX; by a comment, where it is a part of one.
LABEL, LATEX, COMMENT, REFUSED = range(4)


@dataclass(frozen=True)
class Named:
    """A claim with its place in the file."""

    theorem: str
    slug: str
    claim: Drafted
    tie: int = COMMENT
    refusal: str | None = None

    @property
    def id(self) -> str:
        return f"{self.theorem}#{self.slug}"


@dataclass(frozen=True)
class Draft:
    """The text of a claim file, and where in the paper each of its claims stands."""

    text: str
    paper: Paper
    claims: tuple[Named, ...]
    notes: tuple[Note, ...]
    told: Mapping[str, Mapping[str, Told]] = field(default_factory=dict)  # symbols of each theorem

    @property
    def summary(self) -> str:
        """How much of the paper was read, in one line."""
        refused = f"{len(self.notes)} refused" if self.notes else "nothing refused"
        return f"{len(self.claims)} claim{'s' * (len(self.claims) != 1)} read, {refused}"

    def loaded(self) -> Loaded:
        """Its claims, placed in the paper; what could not be read of the paper is told with them."""
        found = load_text(self.text, f"{self.paper.path}.draft.yaml")
        return replace(
            found,
            entries=tuple(_in_paper(entry, self) for entry in found.entries),
            problems=(*found.problems, *self.paper.problems),
        )


def draft_paper(path: Path, home: Path | None = None) -> Draft:
    """The draft of a paper; `home` is the file that it will be written to, for links from there."""
    return draft_of(read_paper(path), home)


@room_for_trees()
def draft_of(paper: Paper, home: Path | None = None) -> Draft:
    found = gather(paper)
    made = [theorem for theorem in theorems(found) if theorem.claims or theorem.notes]
    writer = _Writer(paper, made, found.notes, home)
    named = writer.named()
    text = writer.text(named)
    for _ in range(ROUNDS):
        entries = load_text(text, writer.file).entries
        broken = {entry.id: entry.problems for entry in entries if isinstance(entry, Broken)}
        if not broken:
            break
        named = [_downgraded(item, broken[item.id]) if item.id in broken else item for item in named]
        text = writer.text(named)
    kept = tuple(item for item in named if item.tie != REFUSED)
    refused = [note for theorem in made for note in theorem.notes]
    refused += [Note(item.claim.formula.line, item.claim.formula.latex, item.refusal or "")
                for item in named if item.tie == REFUSED]  # fmt: skip
    told = {name: theorem.symbols for name, theorem in zip(writer.ids, made, strict=True)}
    return Draft(text, paper, kept, (*refused, *found.notes), told)


def _downgraded(item: Named, problems: Sequence[Problem]) -> Named:
    """A formula whose label stands for something else is held against its LaTeX; one that reads otherwise the
    second time, or cannot be read then, is refused."""
    if item.tie == LABEL and {problem.code for problem in problems} <= {"latex", "label", "names", "drift"}:
        return replace(item, tie=LATEX)
    if item.tie == LATEX and all("is not compared" in problem.message for problem in problems):
        return replace(item, tie=COMMENT)
    return replace(item, tie=REFUSED, refusal=problems[0].message)


def _in_paper(entry: Entry, draft: Draft) -> Entry:
    """A claim at the place of its formula."""
    named = next((item for item in draft.claims if item.id == entry.id), None)
    if named is None:
        return entry
    formula = named.claim.formula
    place = Position(formula.file, formula.line, formula.column)
    if isinstance(entry, Broken):
        return replace(entry, position=place)
    claim = replace(
        entry.claim,
        position=place,
        steps=tuple(replace(step, position=place) for step in entry.claim.steps),
        latex=formula.latex,
        printed=entry.claim.printed or Printed(formula.latex, "same", entry.claim.text),
        origins={name: _origin(name, item, named, draft) for name, item in entry.claim.origins.items()},
    )
    return Ready(claim, entry.draft)


def _origin(name: str, item: Origin, named: Named, draft: Draft) -> Origin:
    """Where the paper declares a symbol, in its own words."""
    told = draft.told.get(named.theorem, {}).get(name)
    if told is None or not told.line:
        return replace(item, position=named.claim.formula.position)
    place = Position(named.claim.formula.file, told.line)
    return replace(item, position=place, words=comment(told.words))


# --- the text ----------------------------------------------------------------------------------------


@dataclass
class _Writer:
    paper: Paper
    theorems: Sequence[Theorem]
    notes: Sequence[Note]
    home: Path | None
    ids: list[str] = field(default_factory=list)

    @property
    def file(self) -> str:
        return str(self.home) if self.home is not None else f"{self.paper.path}.draft.yaml"

    @property
    def link(self) -> str:
        """The paper as seen from the draft."""
        return os.path.relpath(self.paper.path, os.path.dirname(self.file) or ".")

    def named(self) -> list[Named]:
        """Ids for theorems and claims: their labels, or their numbers, or their lines."""
        document, taken = slug(Path(self.paper.path).stem), set[str]()
        found: list[Named] = []
        for theorem in self.theorems:
            passage = theorem.section.passage
            name = unique(f"{document}/{_slug_of(theorem)}", taken)
            self.ids.append(name)
            claims = set[str]()
            for claim in theorem.claims:
                formula = claim.formula
                label = slug(formula.label or formula.tag or f"line-{formula.line}")
                tie = LABEL if formula.label and not claim.part and formula.file == passage.file else LATEX
                several = len([c for c in theorem.claims if c.formula == formula]) > 1
                if claim.part or claim.written_out or several:
                    tie = COMMENT
                found.append(Named(name, unique(label, claims), claim, tie))
        return found

    def text(self, named: Sequence[Named]) -> str:
        title = f" {comment(self.paper.title, MAX_TITLE)}" if self.paper.title else ""
        lines = [
            f"# A draft of the claims of{title} ({comment(os.path.basename(self.paper.path))}).",
            "# What is marked `inferred` was worked out, not read; what is marked `refused` is no claim.",
        ]
        shared = _shared(self.theorems)
        lines += _preamble(shared, _names(self.theorems))
        lines += (_refused(note) for note in self.notes)
        for name, theorem in zip(self.ids, self.theorems, strict=True):
            own = [item for item in named if item.theorem == name]
            lines += self.theorem(name, theorem, own, shared)
            if sum(map(len, lines)) > MAX_CHARACTERS:
                lines.append("# The paper has more; the draft ends here.")
                break
        return "\n".join(lines) + "\n"

    def theorem(
        self, name: str, theorem: Theorem, claims: Sequence[Named], shared: Mapping[str, Told]
    ) -> Iterator[str]:
        passage = theorem.section.passage
        kept = [item for item in claims if item.tie != REFUSED]
        refused = [Note(item.claim.formula.line, f"${item.claim.formula.latex}$", item.refusal or "")
                   for item in claims if item.tie == REFUSED]  # fmt: skip
        if not kept:
            yield f"# {comment(_locator(theorem))}, line {passage.line}: no claim was read"
            yield from (_refused(note) for note in (*theorem.notes, *refused))
            return
        yield f"---\ntheorem: {name}"
        title = passage.title or _locator(theorem)
        yield f"title: {flow(title[:MAX_TITLE])}"
        yield f"source: {{locator: {flow(_locator(theorem))}, file: {flow(self.link)}}}"
        own = {key: told for key, told in theorem.symbols.items() if shared.get(key) != told}
        yield from _table("symbols", own)
        yield from _table("let", theorem.lets)
        yield from _table("assumptions", theorem.assumptions)
        if theorem.layers is not None:
            layers = theorem.layers
            yield f"layers:  # line {layers.line}: ${comment(layers.printed)}$"
            yield from ["  symbols:"] if layers.drawn else []
            yield from (f"    {name}: {quoted(says)}" for name, says in layers.drawn.items())
            yield from (f"  {key}: {quoted(text)}" for key, text in (
                ("state", layers.state), ("depth", layers.depth), ("next", layers.next)))  # fmt: skip
        yield "claims:"
        for item in kept:
            yield from _claim(item, theorem)
        yield from (_refused(note) for note in (*theorem.notes, *refused))


def _claim(item: Named, theorem: Theorem) -> Iterator[str]:
    claim = item.claim
    yield f"  {item.slug}:"
    yield f"    # line {claim.formula.line}: ${comment(claim.formula.latex)}$"
    yield from (f"    # written out, {comment(words)}" for words in claim.written_out)
    if claim.is_chain:
        yield f"    steps: {block(claim.text, 6)}"
    else:
        yield f"    says: {quoted(claim.text)}"
    if item.tie == LABEL:
        yield f"    label: {flow(claim.formula.label or '')}"
    if item.tie == LATEX:
        yield f"    latex: {flow(claim.formula.latex)}\n    names: {{}}"
    if theorem.assumptions:
        yield f"    under: [{', '.join(claim.under)}]"
    if claim.growing:
        yield f"    as: {quoted(claim.growing)}"


def _table(key: str, table: Mapping[str, Told], indent: str = "") -> Iterator[str]:
    if table:
        yield f"{indent}{key}:"
    for name, told in table.items():
        yield f"{indent}  {name}: {quoted(told.says)}{_reason(told)}"


def _reason(told: Told) -> str:
    if told.inferred is not None:
        return f"  # inferred: {comment(told.inferred)}"
    return f"  # line {told.line}: {comment(told.words, 100)}" if told.line else ""


def _preamble(shared: Mapping[str, Told], names: Mapping[str, str]) -> Iterator[str]:
    if not shared and not names:
        return
    yield "preamble:"
    yield from _table("symbols", shared, "  ")
    if names:
        yield "  names:"
        yield from (f"    {flow(latex)}: {name}" for latex, name in names.items())


def _shared(made: Sequence[Theorem]) -> dict[str, Told]:
    """The symbols of the running text that mean the same wherever they are used."""
    found: dict[str, Told] = {}
    different: set[str] = set()
    for theorem in made:
        for name, told in theorem.symbols.items():
            if found.setdefault(name, told) != told or not told.from_text:
                different.add(name)
    return {name: told for name, told in found.items() if name not in different}


def _names(made: Sequence[Theorem]) -> dict[str, str]:
    """Letters that are called the same in the whole paper."""
    found: dict[str, set[str]] = {}
    for theorem in made:
        for latex, name in theorem.names.items():
            found.setdefault(one_line(latex), set()).add(name)
    return {latex: next(iter(names)) for latex, names in found.items() if len(names) == 1}


def _slug_of(theorem: Theorem) -> str:
    passage: Passage = theorem.section.proves or theorem.section.passage
    end = "-proof" if theorem.section.proves is not None else ""
    number = passage.number or f"line-{passage.line}"
    return slug(passage.label or f"{passage.kind}-{number}") + end


def _locator(theorem: Theorem) -> str:
    passage: Passage = theorem.section.proves or theorem.section.passage
    name = f"{passage.kind.capitalize()} {passage.number}" if passage.number else passage.kind.capitalize()
    return f"proof of {name}" if theorem.section.proves is not None else name


def _refused(note: Note) -> str:
    hint = f"; {comment(note.hint)}" if note.hint else ""
    words = f" {comment(note.words)}" if note.words else ""
    return f"# refused, line {note.line}:{words}: {comment(note.reason)}{hint}"
