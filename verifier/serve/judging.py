"""Text, a line or a file to verdicts as values: what every server here does, as the command does it.

Each claim is examined in a worker process of its own, under the limits of the configuration of the folder in
which the server was started, and what was judged before is remembered where the command remembers it.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from verifier.expr.scope import suggestion
from verifier.gate.choices import settings_of, store_of
from verifier.gate.config import ConfigError, find_config
from verifier.gate.unfiled import load_drafted
from verifier.judge.verdict import Run
from verifier.plan.settings import Settings
from verifier.read.specs.load import load_paths, load_text, load_unsaved
from verifier.read.specs.loaded import Loaded
from verifier.read.specs.spec_files import MAX_BYTES, SUFFIXES
from verifier.run.interrupt import never
from verifier.run.memory import Memory
from verifier.run.result_store import Store
from verifier.run.selection import select
from verifier.run.verify import Progress, verify
from verifier.serve.line import load_line

Stop = Callable[[], bool]


class Refused(Exception):
    """What is asked for is not done; the message says why, and what to do instead."""


@dataclass(frozen=True)
class Judge:
    """Judges what it is given, under fixed limits. `folder`: no path leads out of it."""

    settings: Settings
    store: Store | None
    folder: Path

    def line(self, line: str, *given: str, stop: Stop = never) -> Run:
        """One statement, under what is given."""
        return self.loaded(load_line(line, *given), stop)

    def text(
        self,
        text: str,
        file: str = "<text>",
        suffix: str = ".yaml",
        stop: Stop = never,
        only: str | None = None,
    ) -> Run:
        """A claim file, or a write-up with claims in it, that need not be on disk."""
        return self.loaded(_chosen(checked_text(text, file, suffix), only), stop)

    def file(self, name: str, only: str | None = None, stop: Stop = never) -> Run:
        """A file or folder below the folder of this judge; a paper without claims of its own is drafted."""
        path = self.path(name)
        loaded = load_drafted([path])
        return self.loaded(_chosen(load_paths([path]) if loaded is None else loaded, only), stop)

    def loaded(self, loaded: Loaded, stop: Stop = never, progress: Progress | None = None) -> Run:
        """Claims that were read already."""
        memory = Memory(self.store, self.settings)
        return verify(loaded, self.settings, progress, memory=memory, stop=stop)

    def path(self, name: str) -> Path:
        """A path that somebody else names, if it is below the folder and there is something."""
        found = self.place(name)
        if not found.exists():
            raise Refused(f"there is no file or folder {name}")
        return found

    def place(self, name: str) -> Path:
        """The same where nothing needs to be. Links are followed first: none leads out of the folder."""
        try:
            found = Path(os.path.realpath(self.folder / name))
        except (OSError, ValueError):
            raise Refused("this is no path") from None
        if not found.is_relative_to(os.path.realpath(self.folder)):
            raise Refused(f"{name} is not below the folder in which the server was started")
        return Path(os.path.relpath(found))


def _chosen(loaded: Loaded, only: str | None) -> Loaded:
    """The claims that are meant."""
    if only is None or not loaded.entries:
        return loaded
    chosen = select(loaded, only, exactly=True)
    if not chosen.entries:
        near = suggestion(only, [entry.id for entry in loaded.entries]) or "its id is document/slug#claim"
        raise Refused(f"there is no claim {only!r}; {near}")
    return chosen


def checked_text(
    text: str, file: str = "<text>", suffix: str = ".yaml", preambles: Sequence[str] = ()
) -> Loaded:
    """The claims of a text; one that is too long to be a file, or of no known kind, is refused. In the place
    of a file, the preamble of its folder counts; of what is in no file, those that are given."""
    if suffix not in SUFFIXES:
        raise Refused(f"{suffix!r} is no suffix of a claim file; known: {', '.join(SUFFIXES)}")
    if len(text) > MAX_BYTES:
        raise Refused(f"a text of more than {MAX_BYTES:,} characters")
    if Path(file).suffix == suffix:
        return load_unsaved(text, Path(file))
    return load_text(text, file, suffix, preambles)


def judge_in(folder: Path, pictures: bool = False, jobs: int | None = None) -> Judge:
    """The judge of a folder: its limits and its memory are those of the command, started there."""
    try:
        config = find_config(folder)
    except ConfigError as error:
        raise Refused(str(error)) from None
    settings = replace(settings_of({}, config), pictures=pictures)
    if jobs is not None:
        settings = replace(settings, jobs=jobs)
    return Judge(settings, store_of(None, config), folder)
