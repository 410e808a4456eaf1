"""How much of a write-up has a claim: theorem-like environments and numbered equations.

A statement is covered by a claim that points at its label, by a claim block inside it, or by one right
after it; a theorem also by a claim that points at an equation inside it.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier.claim.files import WRITEUPS, content_of
from verifier.report.view import Json


def coverage_of(files: Sequence[Path], claims: Sequence[Json]) -> Json:
    """Totals over all write-ups, those that claims point at too, and what has no claim."""
    pages = {os.path.normpath(file) for file in files if file.suffix in WRITEUPS}
    pages |= {os.path.normpath(claim["writeup"]) for claim in claims if claim["writeup"]}
    keys = ("file", "line", "label", "writeup")
    near = [
        {key: claim[key] for key in keys}
        for claim in claims
        if claim["writeup"] or os.path.normpath(claim["file"]) in pages
    ]
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
    from verifier.claim.statements import statements_of
    from verifier.claim.writeups import blocks_of

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
    pointed = {
        claim["label"] for claim in claims if claim["writeup"] and os.path.normpath(claim["writeup"]) == page
    }
    places = [part.first for part in every if part.label in pointed]
    for item in every:
        if item.kind != "theorem" and not item.is_numbered:
            continue
        after = any(reach <= item.last < first for reach, first in reaches)
        inside = item.kind == "theorem" and any(item.first <= first <= item.last for _, first in reaches)
        points = item.kind == "theorem" and any(item.first <= place <= item.last for place in places)
        covered = item.label in pointed or after or inside or points
        yield Item(page, item.first, item.name, covered)


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
