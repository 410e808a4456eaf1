"""Cells of a notebook at the lines of its file.

Jupyter writes a cell's source as a list with one string per line, each on a line of the file. So a line
of a cell has a line of the file, and its text stands there from a column on that is the same for all.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.claim.model import Position
from verifier.claim.problems import Problem, SpecError

# What a cell of code that is a claim block, or a preamble, begins with.
CELL_MAGIC, PREAMBLE_MAGIC = "%%claim", "%%preamble"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_KEY = re.compile(r'"(cell_type|source)"\s*:\s*')


@dataclass(frozen=True)
class Cell:
    """A cell: its kind, the line of the file where its first line stands, and its lines, indented to
    the columns where they stand in the file."""

    kind: str
    first: int
    lines: tuple[str, ...]


def check_notebook(source: str, file: str) -> None:
    """A file that is no notebook, or not laid out as Jupyter writes it, is refused."""
    try:
        cells = json.loads(source)["cells"]
        texts = [cell["source"] for cell in cells if cell["cell_type"] in ("markdown", "code", "raw")]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SpecError(Problem(Position(file, 1), "notebook", "this is not a notebook")) from None
    if len(list(_sources(source))) != len(cells):
        message = "its cells cannot be told from its other parts"
        raise SpecError(Problem(Position(file, 1), "notebook", message, "save it again with Jupyter"))
    for text in texts:
        if isinstance(text, str) and "claim" in text and "\n" in text:
            message = "a cell's lines stand on one line of the file, so that none has a place of its own"
            raise SpecError(Problem(Position(file, 1), "notebook", message, "save it again with Jupyter"))


def cells_of(source: str) -> list[Cell]:
    """The cells; none where the file is not a notebook."""
    try:
        kinds = [cell["cell_type"] for cell in json.loads(source)["cells"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    sources = list(_sources(source))
    if len(sources) != len(kinds):
        return []
    return [Cell(str(kind), first, lines) for kind, (first, lines) in zip(kinds, sources, strict=True)]


def _sources(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The `source` of each cell, in order. A key inside a string is not a key: strings are skipped whole."""
    at = 0
    while (token := re.compile(r'"').search(text, at)) is not None:
        key = _KEY.match(text, token.start())
        string = _STRING.match(text, token.start())
        if string is None:
            return
        at = string.end()
        if key is not None and key[1] == "source":
            at = key.end()
            if text[at : at + 1] == "[":
                first, lines, at = _listed(text, at)
                yield first, lines
            elif (single := _STRING.match(text, at)) is not None:
                yield _line(text, at), tuple(json.loads(single[0]).split("\n"))
                at = single.end()


def _listed(text: str, at: int) -> tuple[int, tuple[str, ...], int]:
    """A list of strings, each on its own line of the file."""
    end = at + 1
    first = _line(text, at) + 1
    lines: list[str] = []
    while True:
        gap = re.compile(r"[\s,]*").match(text, end)
        assert gap is not None
        string = _STRING.match(text, gap.end())
        if string is None:
            return first, tuple(lines), gap.end() + 1
        column = gap.end() - (text.rfind("\n", 0, gap.end()) + 1) + 1
        lines.append(" " * column + json.loads(string[0]).rstrip("\n"))
        end = string.end()


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def never_loaded(source: str, extension: str) -> int | None:
    """The line of the first claim cell that no cell before it loads the extension for: a notebook that is run
    from its first cell on stops there, since IPython knows no such magic."""
    loads = re.compile(rf"^\s*%(?:re)?load_ext\s+{re.escape(extension)}\b")
    for cell in cells_of(source):
        if cell.kind == "code" and any(map(loads.match, cell.lines)):
            return None
        if cell.kind == "code" and cell.lines and cell.lines[0].strip() in (CELL_MAGIC, PREAMBLE_MAGIC):
            return cell.first
    return None
