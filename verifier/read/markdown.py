r"""A paper in Markdown: MyST, Quarto, plain, and the text cells of a notebook.

Blocks are found line by line in one pass. Each formula goes through the same expander as one of a LaTeX
paper, with the macros of the front matter and those that earlier formulas define.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from verifier.claim.model import Position
from verifier.claim.notebooks import cells_of
from verifier.claim.problems import Problem
from verifier.claim.writeups import blocks_of
from verifier.read.define import COMMANDS
from verifier.read.display import formulas
from verifier.read.expand import Expander
from verifier.read.folder import MAX_CHARACTERS, Folder
from verifier.read.frontmatter import front_matter
from verifier.read.kinds import MATH, kind_of
from verifier.read.latex import MAX_FORMULA, MAX_FORMULAS
from verifier.read.lexer import Source, lex
from verifier.read.macros import Macro
from verifier.read.paper import Formula, Paper, Passage
from verifier.read.printed import printed
from verifier.read.spans import Span, spans, without_code

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,}|:{3,})[ \t]*(.*)")
_OPTION = re.compile(r"[ \t]*:(\w+):[ \t]*(.*)")
_HEADING = re.compile(r"[ \t]*(#{1,6})[ \t]+(.*)")
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}[ \t]*(.*)")
_DIV = re.compile(r"\{[^}#]*#([\w:.-]+)[^}]*\}")
_BOLD = re.compile(
    r"[ \t>]*(?:\*\*|__)(Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Remark|Example|Claim|Fact"
    r"|Proof)"
    r"[ \t]*([\w.]*)[ \t]*(?:\(([^)\n]*)\))?[.:]?[ \t]*(?:\*\*|__)[ \t]*(?:\(([^)\n]*)\))?[.:]?"
)
_ITALIC_PROOF = re.compile(r"[ \t>]*[*_]{1,2}Proof\b([^*_\n]*)[*_]{1,2}")
_ANCHOR = re.compile(r"[ \t]*(?:\{#([^}\s]+)[^}\n]*\}|\(([\w:.-]+)\))")
_EMPHASIS = re.compile(r"(\*\*|__|\*|(?<!\w)_|_(?!\w))")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_ROLE = re.compile(r"\{[\w:-]+\}`([^`\n]*)`")
MAX_PASSAGE = 100_000


def read_markdown(source: str, path: Path) -> Paper:
    """The paper in a Markdown file or a notebook."""
    if len(source) > 8 * MAX_CHARACTERS or (path.suffix != ".ipynb" and len(source) > MAX_CHARACTERS):
        message = f"a paper of more than {MAX_CHARACTERS:,} characters"
        return Paper(None, str(path), (), (Problem(Position(str(path), 1), "paper", message),))
    text = _text_of_cells(source) if path.suffix == ".ipynb" else _without_claims(source, path.suffix)
    page = _Page(Source(str(path), text), path)
    page.read()
    passages = sorted(page.passages, key=lambda item: item.line)
    return Paper(page.title, str(path), tuple(passages), (*page.tex.problems, *page.problems))


@dataclass
class _Block:
    """Lines that belong together: a paragraph, or all that a directive holds."""

    kind: str
    start: int
    title: str | None = None
    label: str | None = None
    number: str | None = None
    fence: str | None = None
    lines: list[tuple[int, str]] = field(default_factory=list)
    displays: list[tuple[Span, str | None]] = field(default_factory=list)  # blocks of mathematics inside it


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
        for block in self._blocks(first):
            self._passage(block)

    # -- blocks

    def _lines(self, first: int) -> Iterator[tuple[int, str]]:
        starts = self.source.starts
        for at, start in enumerate(starts[first:], start=first):
            end = starts[at + 1] - 1 if at + 1 < len(starts) else len(self.source.text)
            yield start, self.source.text[start:end]

    def _blocks(self, first: int) -> Iterator[_Block]:
        stack: list[_Block] = []
        code: str | None = None
        open_math = False
        for start, line in self._lines(first):
            fence = _FENCE.match(line)
            current = stack[-1] if stack else None
            if code is not None:
                if fence and fence[1].startswith(code) and not fence[2].strip():
                    code = None
                continue
            if fence is not None and not open_math:
                if current is not None and fence[1] == current.fence and not fence[2].strip():
                    yield from self._closed(stack)
                    continue
                opened = self._fenced(fence, start)
                if opened is None:
                    code = fence[1] if fence[1][0] != ":" else None
                else:
                    if current is not None and current.fence is None and opened.kind != "math":
                        yield stack.pop()
                    stack.append(opened)
                continue
            current = self._line(stack, start, line, open_math)
            if current is not None:
                yield current
            if line.count("$$") % 2:
                open_math = not open_math
        yield from reversed(stack)

    def _closed(self, stack: list[_Block]) -> Iterator[_Block]:
        """A block at its end; a block of mathematics belongs to the one that it stands in."""
        done = stack.pop()
        if done.kind != "math" or not stack or not done.lines:
            yield done
            return
        start, (last, line) = done.lines[0][0], done.lines[-1]
        end = last + len(line)
        stack[-1].displays.append((Span(start, end, (start, end), "", True), done.label))

    def _line(self, stack: list[_Block], start: int, line: str, open_math: bool) -> _Block | None:
        """A line of text; the paragraph that it ends, if it ends one."""
        inside = bool(stack) and stack[-1].fence is not None
        heading = _HEADING.match(line)
        if inside and not open_math and (option := _OPTION.match(line)) and not stack[-1].lines:
            if option[1] in ("label", "name"):
                stack[-1].label = option[2].strip()
            return None
        if heading is not None and not open_math:
            if inside:
                stack[-1].title = stack[-1].title or _plain(heading[2])
                return None
            self.title = self.title or _plain(heading[2])
        ends = (not line.strip() or heading is not None) and not open_math and not inside
        bold = None if inside or open_math else _BOLD.match(line)
        proof = None if inside or open_math or bold else _ITALIC_PROOF.match(line)
        done = stack.pop() if stack and not inside and (ends or bold or proof) else None
        if ends:
            return done
        if bold is not None:
            title = bold[3] or bold[4]
            number = bold[2].rstrip(".") or None
            stack.append(_Block(bold[1].lower(), start, title, None, number))
            start, line = start + bold.end(), line[bold.end() :]
        elif proof is not None:
            stack.append(_Block("proof", start, proof[1].strip(" .:") or None))
            start, line = start + proof.end(), line[proof.end() :]
        elif not stack:
            stack.append(_Block("text", start))
        stack[-1].lines.append((start, line))
        return done

    def _fenced(self, fence: re.Match[str], start: int) -> _Block | None:
        """The block that a fence opens; None where it holds code."""
        mark, info = fence[1], fence[2].strip()
        directive, div = _DIRECTIVE.match(info), _DIV.match(info)
        if div is not None:
            label = div[1]
            return _Block(kind_of(label.split("-")[0]) or "text", start, None, label, None, mark)
        if directive is None:
            return None if mark[0] != ":" else _Block("text", start, fence=mark)
        name, title = directive[1], directive[2].strip() or None
        if name == "math":
            return _Block("math", start, None, None, None, mark, [(start, title)] if title else [])
        if name.startswith("prf:"):
            kind = kind_of(name[4:]) or name[4:]
            return _Block(kind, start, _plain(title) if title else None, None, None, mark)
        quiet = {"note", "admonition", "important", "tip", "warning", "dropdown", "theorem", "lemma", "proof"}
        if name in quiet:
            return _Block(kind_of(name) or "text", start, None, None, None, mark)
        return None

    # -- passages

    def _passage(self, block: _Block) -> None:
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
            parts = list(self._parts(start, end, block))
        kind = "text" if block.kind == "math" else block.kind
        label = None if block.kind == "math" else block.label
        if any(isinstance(part, Formula) or part.strip() for part in parts):
            passage = Passage(kind, block.title, label, block.number, place.file, place.line, tuple(parts))
            self.passages.append(passage)

    def _parts(self, start: int, end: int, block: _Block) -> Iterator[str | Formula]:
        """Words and formulas between two places. Passages within the block are read for themselves."""
        text = _uncommented(self.source.text[start:end])
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

    def _own_lines(self, text: str, start: int, block: _Block) -> str:
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
    words = _words(text)
    if words:
        yield words


def _words(text: str) -> str:
    """Markdown's marks left out."""
    text = _ROLE.sub(r"(\1)", _LINK.sub(r"\1", text))
    text = _EMPHASIS.sub("", text)
    text = re.sub(r"^[ \t]*>[ \t]?", "", text, flags=re.MULTILINE)
    text = text.replace(r"\$", "$")
    return re.sub(r"\s+", " ", text)


def _plain(text: str) -> str:
    return _words(re.sub(r"\{[^{}]*\}\s*$", "", text)).strip()


def _uncommented(text: str) -> str:
    """Comments blanked out; one without an end is none."""
    made, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        made += [text[at:start], re.sub(r"[^\n]", " ", text[start : end + 3])]
        at = end + 3
    return "".join([*made, text[at:]])


def _without_claims(source: str, suffix: str) -> str:
    lines = source.split("\n")
    for block in blocks_of(source, suffix):
        place = slice(block.first - 1, block.last)
        lines[place] = [" " * len(line) for line in lines[place]]
    return "\n".join(lines)


def _text_of_cells(source: str) -> str:
    lines = [""] * (source.count("\n") + 1)
    for cell in cells_of(source):
        if cell.kind == "markdown":
            lines[cell.first - 1 : cell.first - 1 + len(cell.lines)] = cell.lines
    return "\n".join(lines)
