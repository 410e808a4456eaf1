r"""A paper in Markdown: MyST, Quarto, plain, and the text cells of a notebook.

Blocks are found line by line in one pass. Each formula goes through the same expander as one of a LaTeX
paper, with the macros of the front matter and those that earlier formulas define.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.read.blocks import Block, Scan
from verifier.read.define import COMMANDS
from verifier.read.display import formulas, joined
from verifier.read.expand import Expander
from verifier.read.folder import MAX_CHARACTERS, Folder
from verifier.read.frontmatter import front_matter
from verifier.read.kinds import MATH
from verifier.read.latex import MAX_FORMULA, MAX_FORMULAS
from verifier.read.lexer import Source, lex
from verifier.read.macros import Macro
from verifier.read.paper import Formula, Paper, Passage
from verifier.read.printed import printed
from verifier.read.spans import spans, without_code
from verifier.read.specs.notebooks import cells_of
from verifier.read.specs.writeups import without_claims
from verifier.read.words import uncommented, words

_ANCHOR = re.compile(r"[ \t]*(?:\{#([^}\s]+)[^}\n]*\}|\(([\w:.-]+)\))")
# Places that links lead to, as converters write them.
_TARGET = re.compile(r"<(?:span|a) (?:id|name)=\"[^\"\n]*\">[ ]?</(?:span|a)>")
MAX_STRAYS = 20
MAX_PASSAGE = 100_000


def read_markdown(source: str, path: Path) -> Paper:
    """The paper in a Markdown file or a notebook."""
    if len(source) > 8 * MAX_CHARACTERS or (path.suffix != ".ipynb" and len(source) > MAX_CHARACTERS):
        message = f"a paper of more than {MAX_CHARACTERS:,} characters"
        return Paper(None, str(path), (), (Problem(Position(str(path), 1), "paper", message),))
    text = _text_of_cells(source) if path.suffix == ".ipynb" else without_claims(source, path.suffix)
    text = _TARGET.sub(lambda match: " " * len(match[0]), text)
    page = _Page(Source(str(path), text), path)
    page.read()
    passages = sorted(page.passages, key=lambda item: item.line)
    return Paper(page.title, str(path), tuple(passages), (*page.tex.problems, *page.problems))


class _Page:
    """One page, read from top to bottom."""

    def __init__(self, source: Source, path: Path) -> None:
        self.source = source
        self.tex = Expander(Folder(path), COMMANDS)
        self.passages: list[Passage] = []
        self.problems: list[Problem] = []
        self.title: str | None = None
        self.count = 0

    def read(self) -> None:
        first, self.title, macros = front_matter(self.source, self.problems)
        for name, (body, arguments) in macros.items():
            self.tex.define(name, Macro(tuple(lex(Source(self.source.file, body))), arguments))
        scan = Scan(self.source, self.title)
        for block in scan.blocks(first):
            self._passage(block)
        self.title = scan.title
        for at in scan.strays[:MAX_STRAYS]:
            message = "a display that an empty line ends"
            self.problems.append(Problem(self.source.position(at), "paper", message, "close it with $$"))

    # -- passages

    def _passage(self, block: Block) -> None:
        lines = [(at, line) for at, line in block.lines if line.strip()]
        if not lines and not block.displays:
            return
        edges = [at for at, _ in lines] + [found.start for found, _ in block.displays]
        ends = [at + len(line) for at, line in lines] + [found.end for found, _ in block.displays]
        start, end = min(edges), max(ends)
        place = self.source.position(block.start)
        if end - start > MAX_PASSAGE:
            message = f"a paragraph of more than {MAX_PASSAGE:,} characters is not read"
            self.problems.append(Problem(place, "paper", message, "an empty line ends a paragraph"))
            return
        if block.kind == "math":
            parts: list[str | Formula] = list(self._formulas((start, end), "", True, block.label))
        else:
            parts = joined(list(self._parts(start, end, block)))
        kind = "text" if block.kind == "math" else block.kind
        label = None if block.kind == "math" else block.label
        if any(isinstance(part, Formula) or part.strip() for part in parts):
            passage = Passage(kind, block.title, label, block.number, place.file, place.line, tuple(parts))
            self.passages.append(passage)

    def _parts(self, start: int, end: int, block: Block) -> Iterator[str | Formula]:
        """Words and formulas between two places. Passages within the block are read for themselves."""
        text = uncommented(self.source.text[start:end])
        text = without_code(self._own_lines(text, start, block))
        inner = [(found, None) for found in spans(text)]
        blocks = [(found.moved(-start), label) for found, label in block.displays]
        at = 0
        for found, label in sorted([*inner, *blocks], key=lambda item: item[0].start):
            if found.start < at:
                continue
            yield from _said(text[at : found.start])
            at = found.end
            if found.display and label is None and (anchor := _ANCHOR.match(text, at)) is not None:
                label, at = anchor[1] or anchor[2], anchor.end()
            yield from self._formulas(found.moved(start).body, found.name, found.display, label)
        yield from _said(text[at:])

    def _own_lines(self, text: str, start: int, block: Block) -> str:
        """The block's own lines; those of blocks inside it are blank."""
        held = {self.source.position(at).line for at, _ in block.lines}
        first = self.source.position(start).line
        lines = enumerate(text.split("\n"), start=first)
        return "\n".join(line if at in held else " " * len(line) for at, line in lines)

    def _formulas(
        self, body: tuple[int, int], name: str, display: bool, label: str | None
    ) -> Iterator[str | Formula]:
        start, end = body
        place = self.source.position(start)
        self.count += 1
        if self.count > MAX_FORMULAS or end - start > MAX_FORMULA:
            if self.count <= MAX_FORMULAS + 1:
                message = (
                    f"more than {MAX_FORMULAS:,} formulas, or one of more than {MAX_FORMULA:,} characters"
                )
                self.problems.append(Problem(place, "paper", message, "split it"))
            return
        inner = self.source.text[start:end]
        wrapped = re.match(r"\s*\\begin\{([A-Za-z]+\*?)\}", inner)
        if not name and wrapped is not None and wrapped[1].rstrip("*") in MATH:
            closing = inner.rfind(rf"\end{{{wrapped[1]}}}")
            if closing >= 0:
                name, start, end = wrapped[1], start + wrapped.end(), start + closing
        shown = printed(self.tex.expand(lex(self.source, start, end)))
        parts = list(formulas(shown, 0, len(shown.text), name, display)) if shown.lexemes else []
        found = [part for part in parts if isinstance(part, Formula)]
        for part in parts:
            if label is not None and part is (found[-1] if found else None) and not found[-1].label:
                yield replace(found[-1], label=label, labels=(label,))
            else:
                yield part


def _said(text: str) -> Iterator[str]:
    said = words(text)
    if said:
        yield said


def _text_of_cells(source: str) -> str:
    """Each cell at its line; where the whole notebook stands in one line, one below the other."""
    lines: list[str] = []
    for cell in cells_of(source):
        if cell.kind == "markdown":
            lines += [""] * max(cell.first - 1 - len(lines), 1 if lines else 0)
            lines += cell.lines
    return "\n".join(lines)
