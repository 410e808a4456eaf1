"""Claim blocks inside write-ups, as YAML at the same lines and columns.

Everything that is not a claim is blanked out, so positions need no translation.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.read.specs.notebooks import Cell, cells_of
from verifier.read.specs.yaml_document import lines_of

_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
_OPTION = re.compile(r"\s*:[A-Za-z-]+:")
KINDS = ("claim", "preamble")
MARKDOWN = (".md", ".markdown", ".qmd", ".Rmd")


@dataclass(frozen=True)
class Block:
    """A claim block: the lines of its opening and its closing mark, from 1, and the YAML between; or the
    block of a preamble."""

    first: int
    last: int
    lines: tuple[str, ...]
    kind: str = "claim"


def yaml_of(source: str, suffix: str) -> str:
    """The YAML inside a file with this suffix."""
    if suffix not in (*MARKDOWN, ".tex", ".ipynb"):
        return source
    lines = [""] * len(lines_of(source))
    for block in blocks_of(source, suffix):
        lines[block.first - 1] = "---"
        lines[block.first : block.first + len(block.lines)] = block.lines
    return "\n".join(lines) + "\n"


def blocks_of(source: str, suffix: str) -> list[Block]:
    """The claim blocks of a write-up."""
    if suffix == ".ipynb":
        return [block for cell in cells_of(source) for block in _of_cell(cell)]
    lines = lines_of(source)
    return list(_latex(lines) if suffix == ".tex" else _markdown(lines))


def _markdown(lines: list[str], first: int = 1) -> Iterator[Block]:
    """Fenced blocks whose info string is `claim` or `preamble`; each is a document of its own."""
    fence: str | None = None
    begin: int | None = None
    kind = ""
    for at, line in enumerate(lines):
        match = _FENCE.match(line)
        if fence is None and match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            kind = _info(match[2])
            begin = at if kind in KINDS else None
        elif fence is not None and match and match[1].startswith(fence) and not match[2].strip():
            if begin is not None:
                yield _block(lines, begin, at, first, kind)
            fence, begin = None, None
    if begin is not None:
        yield _block(lines, begin, len(lines), first, kind)


def _block(lines: list[str], begin: int, end: int, first: int, kind: str) -> Block:
    """The lines between two marks; options of a MyST directive are not YAML and go."""
    inner = lines[begin + 1 : end]
    options = next((at for at, line in enumerate(inner) if not _OPTION.match(line)), len(inner))
    inner[:options] = [""] * options
    return Block(first + begin, first + min(end, len(lines) - 1), tuple(inner), kind)


def _info(words: str) -> str:
    """The first word after a fence: `claim`, or `{claim}` as some renderers want it."""
    first, *_ = words.split() or [""]
    return first.strip("{}.")


def _latex(lines: list[str]) -> Iterator[Block]:
    """Comment lines between `%%claim` or `%%preamble` and `%%end`; the comment sign becomes a blank."""
    begin: int | None = None
    for at, line in enumerate(lines):
        word = line.strip()
        if begin is None and _mark(word) is not None:
            begin = at
        elif begin is not None and word == "%%end":
            yield _commented(lines, begin, at)
            begin = None
    if begin is not None:
        text = (at for at in range(begin, len(lines)) if not lines[at].lstrip().startswith("%"))
        yield _commented(lines, begin, next(text, len(lines)))


def unclosed(source: str, suffix: str) -> int | None:
    """The line of a `%%claim` or `%%preamble` without an `%%end` of its own, from 1."""
    if suffix != ".tex":
        return None
    begin: int | None = None
    for at, line in enumerate(lines_of(source), start=1):
        word = line.strip()
        if _mark(word) is not None:
            if begin is not None:
                return begin
            begin = at
        elif word == "%%end":
            begin = None
    return begin


def _commented(lines: list[str], begin: int, end: int) -> Block:
    inner = tuple(re.sub(r"^(\s*)%", r"\1 ", line) for line in lines[begin + 1 : end])
    kind = _mark(lines[begin].strip()) or "claim"
    return Block(begin + 1, min(end, len(lines) - 1) + 1, inner, kind)


def _mark(word: str) -> str | None:
    """The kind of block that a line %%claim or %%preamble begins."""
    return word[2:] if word.startswith("%%") and word[2:] in KINDS else None


def _of_cell(cell: Cell) -> Iterator[Block]:
    """Fenced blocks of a cell of text; a cell of code that begins with `%%claim` or `%%preamble` is one."""
    if cell.kind == "markdown":
        yield from _markdown(list(cell.lines), cell.first)
    elif cell.lines and (kind := _mark(cell.lines[0].strip())) is not None:
        yield Block(cell.first, cell.first + len(cell.lines) - 1, cell.lines[1:], kind)


def without_claims(source: str, suffix: str) -> str:
    """The write-up with its claim blocks blank, places kept."""
    lines = source.split("\n")
    for block in blocks_of(source, suffix):
        place = slice(block.first - 1, block.last)
        lines[place] = [" " * len(line) for line in lines[place]]
    return "\n".join(lines)
