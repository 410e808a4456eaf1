"""Which files may hold claims."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

SPECS = (".yaml", ".yml")
WRITEUPS = (".md", ".markdown", ".qmd", ".Rmd", ".tex", ".ipynb")
SUFFIXES = (*SPECS, *WRITEUPS)
_THEOREM = re.compile(rb"^theorem\s*:", re.MULTILINE)
_BLOCK = re.compile(
    rb"^\s*(?:[`~]{3,}\s*\{?claim\b|%%claim\s*$|\"%%claim|\"[`~]{3,}\s*\{?claim\b)", re.MULTILINE
)


def files_of(path: Path) -> Iterator[Path]:
    """The file itself, or the claim files below a folder in name order, hidden ones left out."""
    if os.path.isdir(path):
        for file in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
            if file.suffix in SUFFIXES and file.is_file() and not hidden:
                yield file
    elif os.path.isfile(path):
        yield path


def holds_claims(file: Path) -> bool:
    """Whether a file looks as if it held claims; other YAML and other pages are nobody's mistake."""
    if file.suffix not in SUFFIXES:
        return False
    try:
        content = file.read_bytes()
    except OSError:
        return False
    return bool((_THEOREM if file.suffix in SPECS else _BLOCK).search(content))
