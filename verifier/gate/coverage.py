"""How much of a write-up has a claim: theorem-like environments and numbered equations.

A statement is covered by a claim that points at its label, by a claim block inside it, or by one right
after it, and in a paper that was drafted by a claim that was read from it. A theorem and the equations
inside it are one statement, covered if all of them are; definitions are none.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.read.specs.spec_files import WRITEUPS, content_of
from verifier.report.view import Json

if TYPE_CHECKING:
    from verifier.read.specs.writeup_statements import Statement


def coverage_of(files: Sequence[Path], claims: Iterable[Json]) -> Json:
    """Totals over all write-ups, those that claims point at too, and what has no claim."""
    pages = {os.path.normpath(file) for file in files if file.suffix in WRITEUPS}
    keys = ("file", "line", "label", "writeup")
    marks = [{key: claim[key] for key in keys} for claim in claims]
    pages |= {os.path.normpath(mark["writeup"]) for mark in marks if mark["writeup"]}
    near = [mark for mark in marks if mark["writeup"] or os.path.normpath(mark["file"]) in pages]
    found = [item for page in sorted(pages) for item in _of_page(page, near)]
    covered = sum(item.is_covered for item in found)
    return {
        "total": len(found),
        "covered": covered,
        "percent": 100.0 * covered / len(found) if found else 0.0,
        "missing": [
            {"file": item.file, "line": item.line, "name": item.name} for item in found if not item.is_covered
        ],
    }


@dataclass(frozen=True)
class Item:
    """A statement of a write-up, and whether a claim stands for it."""

    file: str
    line: int
    name: str
    is_covered: bool


def _of_page(page: str, claims: Sequence[Json]) -> Iterable[Item]:
    from verifier.read.specs.writeup_statements import statements_of
    from verifier.read.specs.writeups import blocks_of

    suffix = Path(page).suffix
    try:
        text = content_of(page).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return
    every = statements_of(text, page, suffix)
    if not every:
        return
    here = {claim["line"] for claim in claims if os.path.normpath(claim["file"]) == page}
    blocks = [
        block
        for block in blocks_of(text, suffix)
        if any(line in here for line in range(block.first, block.last + 1))
    ]
    reaches = _reaches(text.split("\n"), [(block.first, block.last) for block in blocks], suffix)
    inside = {line for block in blocks for line in range(block.first, block.last + 1)}
    pointed = {
        claim["label"] for claim in claims if claim["writeup"] and os.path.normpath(claim["writeup"]) == page
    }
    marks = _Marks(pointed - {None}, reaches, here - inside)
    theorems = [item for item in every if item.kind == "theorem"]
    for item in every:
        around = [other for other in theorems if other.first <= item.first and item.last <= other.last]
        if item.kind != "theorem" and (not item.is_numbered or item.defines or around):
            continue
        within = [part for part in every if part.latex is not None and item.first <= part.first <= item.last]
        covered = marks.on(item) if item.kind != "theorem" else marks.on_theorem(item, within)
        yield Item(page, item.first, item.name, covered)


@dataclass(frozen=True)
class _Marks:
    """Where claims stand: labels, claim blocks with what they reach up to, lines of formulas."""

    pointed: set[str]
    reaches: Sequence[tuple[int, int]]
    lines: set[int]

    def on(self, item: "Statement") -> bool:
        after = any(reach <= item.last < first for reach, first in self.reaches)
        return item.label in self.pointed or after or self._holds_a_line(item)

    def _holds_a_line(self, item: "Statement") -> bool:
        return any(item.first <= at <= item.last for at in self.lines)

    def on_theorem(self, item: "Statement", within: "Sequence[Statement]") -> bool:
        """By its label, or by all of its numbered formulas; if none of these is, by what is inside."""
        if item.label in self.pointed or any(reach <= item.last < first for reach, first in self.reaches):
            return True
        parts = [part for part in within if part.is_numbered and not part.defines]
        if any(map(self.on, parts)):
            return all(map(self.on, parts))
        blocks = any(item.first <= first <= item.last for _, first in self.reaches)
        return blocks or any(map(self.on, within)) or self._holds_a_line(item)


def _reaches(lines: list[str], blocks: list[tuple[int, int]], suffix: str) -> list[tuple[int, int]]:
    """For each claim block its first line, and the line above it that is not blank, a comment or another
    block: a statement that ends there is the one it stands for."""
    found = []
    ends = {last: first for first, last in blocks}
    for first, _ in blocks:
        at = first - 1
        while at > 0:
            if at in ends:
                at = ends[at] - 1
            elif not lines[at - 1].strip() or (suffix == ".tex" and lines[at - 1].lstrip().startswith("%")):
                at -= 1
            else:
                break
        found.append((at, first))
    return found
