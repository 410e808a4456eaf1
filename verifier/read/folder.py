r"""The files that a paper includes: inside its folder, a bounded number, never itself again."""

import os
from pathlib import Path

from verifier.read.lexer import Source
from verifier.read.paper import text_of
from verifier.read.specs.spec_files import content_of

MAX_FILES = 200
MAX_CHARACTERS = 1_000_000


class Refused(Exception):
    """A file that is not read, and why."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class Folder:
    """The folder of a paper, and how much of it was read."""

    def __init__(self, paper: Path) -> None:
        self.root = Path(os.path.realpath(paper.parent))
        self.shown = paper.parent
        self.files = 0
        self.characters = 0

    def paper(self, path: Path, text: str) -> Source:
        """The paper itself, cut where it is longer than any paper."""
        self.characters += len(text)
        return Source(str(path), text)

    def included(self, name: str, parent: Source, suffixes: tuple[str, ...] = (".tex", "")) -> Source | None:
        """The file that an include names; None where there is none; raises Refused."""
        if not name or len(name) > 200 or "\0" in name:
            raise Refused("this is not the name of a file")
        for suffix in suffixes:
            path = self.shown / (name if suffix and name.endswith(suffix) else name + suffix)
            target = Path(os.path.realpath(path))
            if not target.is_file():
                continue
            if not target.is_relative_to(self.root):
                hint = "a paper is read from its own folder alone: copy the file into it"
                raise Refused(f"{name} lies outside the paper's folder", hint)
            return self._read(path, target, parent)
        outside = not Path(os.path.normpath(self.root / name)).is_relative_to(self.root)
        if outside:
            raise Refused(f"{name} lies outside the paper's folder", "copy the file into it")
        return None

    def _read(self, path: Path, target: Path, parent: Source) -> Source:
        open_now = (*parent.within, parent.file)
        if any(os.path.realpath(file) == str(target) for file in open_now):
            raise Refused(f"{path.name} includes itself", "an include that leads back to its file has no end")
        self.files += 1
        if self.files > MAX_FILES:
            raise Refused(f"more than {MAX_FILES} files are included")
        try:
            text = text_of(content_of(target))
        except OSError as error:
            raise Refused(f"{path.name} cannot be read: {error}") from None
        self.characters += len(text)
        if self.characters > MAX_CHARACTERS:
            raise Refused(f"a paper of more than {MAX_CHARACTERS:,} characters")
        return Source(str(path), text, open_now)
