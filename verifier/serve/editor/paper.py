"""A write-up without claims of its own, as it is typed: its statements are read, and judged where they stand.

What is read so is a reading, not the author's word: its marks are quieter, and they say so."""

from pathlib import Path

from verifier.read.specs.loaded import Loaded
from verifier.read.specs.spec_files import WRITEUPS

# A paper is read again after every pause of its author.
MAX_CHARACTERS = 300_000
FORMULAS = ("$", "\\[", "\\(", "\\begin{")


def may_be_drafted(text: str, file: str, suffix: str) -> bool:
    """A file, no cell and nothing unnamed, with formulas in it."""
    written = suffix in WRITEUPS and suffix != ".ipynb" and Path(file).suffix == suffix
    return written and len(text) <= MAX_CHARACTERS and any(mark in text for mark in FORMULAS)


def drafted(text: str, file: str, suffix: str) -> Loaded:
    """The claims of the paper, each at its formula."""
    from verifier.read.draft import draft_of
    from verifier.read.latex import read_latex
    from verifier.read.markdown import read_markdown

    read = read_latex if suffix == ".tex" else read_markdown
    return draft_of(read(text, Path(file))).loaded()
