"""The write-ups that lie in a folder: what `verify --init` may point the gate at."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.read.specs.spec_files import MAX_BYTES, content_of

PLACES = ("", "paper", "tex", "latex", "manuscript", "draft", "src")
MOST = 4
MOST_LOOKED_AT = 500
LONGEST_TITLE = 120
# Pages about the repository, and not about its subject.
_ABOUT = re.compile(
    r"(?i)readme|change(s|log)|contributing|license|licence|history|news|todo|code_of_conduct"
)
_DOCUMENT = re.compile(r"^[^%\n]*\\documentclass", re.MULTILINE)
_TITLE = {
    ".tex": re.compile(r"^[^%\n]*\\title\s*(?:\[[^\]]*\])?\{([^{}\\$]+)\}", re.MULTILINE),
    ".md": re.compile(r"^# +([^\n]+)$", re.MULTILINE),
    ".qmd": re.compile(r"^title: *[\"']?([^\"'\n]+)", re.MULTILINE),
    ".Rmd": re.compile(r"^title: *[\"']?([^\"'\n]+)", re.MULTILINE),
}


@dataclass(frozen=True)
class Paper:
    """A write-up, by its path below the folder, and its title if it is plain words."""

    path: str
    title: str | None


def papers_in(folder: Path) -> tuple[Paper, ...]:
    """LaTeX files that are whole documents; without one, Quarto and Markdown with displayed formulas."""
    found = [(file, text) for file in _candidates(folder) if (text := _text(file)) is not None]
    documents = [(file, text) for file, text in found if file.suffix == ".tex" and _DOCUMENT.search(text)]
    others = [(file, text) for file, text in found if file.suffix != ".tex" and "$$" in text]
    chosen = documents or others
    return tuple(
        Paper(file.relative_to(folder).as_posix(), _title(file, text)) for file, text in chosen[:MOST]
    )


def _candidates(folder: Path) -> Iterator[Path]:
    looked_at = 0
    for place in PLACES:
        below = folder / place
        for file in sorted(below.iterdir()) if below.is_dir() else ():
            looked_at += 1
            if looked_at > MOST_LOOKED_AT:
                return
            if file.suffix in _TITLE and file.is_file() and not _ABOUT.match(file.stem):
                yield file


def _text(file: Path) -> str | None:
    try:
        return content_of(file).decode("utf-8") if file.stat().st_size <= MAX_BYTES else None
    except (OSError, UnicodeDecodeError):
        return None


def _title(file: Path, text: str) -> str | None:
    match = _TITLE[file.suffix].search(text)
    words = " ".join(match[1].split()) if match else ""
    return words if 0 < len(words) <= LONGEST_TITLE and words.isprintable() else None
