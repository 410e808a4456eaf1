"""Which files may hold claims, and how they are read: whole, or not at all."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

SPECS = (".yaml", ".yml")
WRITEUPS = (".md", ".markdown", ".qmd", ".Rmd", ".tex", ".ipynb")
SUFFIXES = (*SPECS, *WRITEUPS)
# Declarations for every theorem of a folder.
PREAMBLE = "preamble.yaml"
MAX_BYTES = 16_000_000
_THEOREM = re.compile(rb"^theorem\s*:", re.MULTILINE)
# A key that a claim file has and that other YAML hardly has: one suffices, for another may be misspelt.
_CLAIMING = re.compile(
    rb"^[\s{,\"'\xef\xbb\xbf-]*(?:theorem|claims|symbols|says|let|assumptions|layers)[\"']?\s*:", re.MULTILINE
)
_BLOCK = re.compile(
    rb"^\s*(?:[`~]{3,}\s*\{?claim\b|%%claim\s*$|\"%%claim|\"[`~]{3,}\s*\{?claim\b)", re.MULTILINE
)


class TooLong(OSError):
    """More than anybody writes."""

    def __init__(self) -> None:
        super().__init__(f"a file of more than {MAX_BYTES:,} bytes")


def files_of(path: Path) -> Iterator[Path]:
    """The file itself, or the claim files below a folder in name order, hidden ones left out, and YAML that
    has no key of a claim file: an environment, a workflow."""
    if os.path.isdir(path):
        for file in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
            if file.suffix in SUFFIXES and file.is_file() and not hidden and not _is_foreign(file):
                yield file
    elif os.path.isfile(path):
        yield path


def _is_foreign(file: Path) -> bool:
    """Whether it is YAML of somebody else; what cannot be read is for the loader to complain about."""
    if file.suffix not in SPECS or file.is_symlink():
        return False
    try:
        return not _CLAIMING.search(content_of(file))
    except OSError:
        return False


def strays_of(paths: Iterable[Path]) -> dict[Path, Path]:
    """Links that were met in a folder and lead out of all that was asked for, with what they lead to.

    Messages quote what they read. In a repository of strangers a link may lead to what is nobody's business
    but its owner's; a path that is given by name was meant."""
    paths = tuple(paths)
    roots = [Path(os.path.realpath(path)) for path in paths if os.path.exists(path)]
    found = {}
    for path in paths:
        for file in files_of(path):
            if file != path and file.is_symlink():
                target = Path(os.path.realpath(file))
                if not any(target.is_relative_to(root) for root in roots):
                    found[file] = target
    return found


def content_of(file: Path | str) -> bytes:
    """The bytes of a regular file of a sensible size; raises OSError. A pipe would be waited for without end,
    and a device has no end."""
    if os.path.exists(file) and not os.path.isfile(file):
        raise OSError(f"{file} is no regular file")
    try:
        with open(file, "rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except ValueError:
        raise OSError("this is no path") from None
    if len(content) > MAX_BYTES:
        raise TooLong
    return content


def holds_claims(file: Path) -> bool:
    """Whether a file looks as if it held claims; other YAML and other pages are nobody's mistake."""
    if file.suffix not in SUFFIXES:
        return False
    try:
        content = content_of(file)
    except OSError:
        return False
    return _looks_so(content, file.suffix)


def may_hold_claims(text: str, suffix: str) -> bool:
    """The same of a text that need not be in a file."""
    return _looks_so(text.encode("utf-8", "replace"), suffix)


def _looks_so(content: bytes, suffix: str) -> bool:
    return bool((_THEOREM if suffix in SPECS else _BLOCK).search(content))
