"""Paths to claims. One wrong file, theorem or claim never hides the others."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from verifier.claim.build import Draft, build, draft
from verifier.claim.document import Value, lines_of, read_documents
from verifier.claim.drift import WriteUp, printed, read_writeup
from verifier.claim.files import SUFFIXES, TooLong, content_of, files_of, strays_of
from verifier.claim.ground import Ground
from verifier.claim.model import Claim, Position, VerdictName
from verifier.claim.notebooks import check_notebook
from verifier.claim.problems import MAX_SHOWN, Problem, SpecError
from verifier.claim.raw import BrokenClaim, RawClaim, RawTheorem
from verifier.claim.read import read_theorem
from verifier.claim.writeups import yaml_of
from verifier.expr.sizes import room_for_trees

# Characters that a theorem may make the loader read, its own text counted once per claim.
MAX_WORK = 3_000_000
# Problems of a file as a whole: there is no reading on after these.
_FATAL = ("too-long", "character")


@dataclass(frozen=True)
class Ready:
    """A claim to be judged, and what it was built from."""

    claim: Claim
    draft: Draft


@dataclass(frozen=True)
class Broken:
    """A claim that could not be built: its verdict is `error`."""

    id: str
    title: str
    position: Position
    problems: tuple[Problem, ...]
    expect: tuple[VerdictName, ...] | None = None


@dataclass(frozen=True)
class Loaded:
    """What a load found: claims in the order written, and problems of whole files; `needs` are the
    other files, by file, that its claims point at."""

    entries: tuple[Ready | Broken, ...] = ()
    problems: tuple[Problem, ...] = ()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(entry.claim for entry in self.entries if isinstance(entry, Ready))

    def __add__(self, other: "Loaded") -> "Loaded":
        needs = {**self.needs, **other.needs}
        return Loaded(self.entries + other.entries, self.problems + other.problems, needs)


@room_for_trees()
def load_text(text: str, file: str = "<text>", suffix: str = ".yaml") -> Loaded:
    """The claims of one text."""
    text = text.removeprefix("\ufeff")
    entries: list[Ready | Broken] = []
    problems: list[Problem] = []
    writeups = _WriteUps(WriteUp(file, text, suffix))
    if suffix == ".ipynb" and "claim" in text:
        try:
            check_notebook(text, file)
        except SpecError as error:
            return Loaded(problems=error.problems)
    rest, begin = yaml_of(text, suffix), 0
    while rest and len(problems) < MAX_SHOWN:
        try:
            for document in read_documents(rest, file):
                entries += _document(document, problems, writeups)
                if len(problems) >= MAX_SHOWN:
                    break
            break
        except SpecError as error:
            problems += error.problems
            if error.problem.code in _FATAL:
                break
            rest, begin = _from_next_document(rest, begin, error.problem.position.line)
    problems = list(dict.fromkeys(problems))
    needs = {file: tuple(writeups.known)} if writeups.known else {}
    return _unique(_with_lines(Loaded(tuple(entries), tuple(problems), needs), lines_of(text)))


class _WriteUps:
    """The file that is read, and the write-ups that its claims point at."""

    def __init__(self, home: WriteUp) -> None:
        self.home = home
        self.known: dict[str, WriteUp | None] = {}

    def other(self, name: str) -> WriteUp | None:
        """A write-up by its path as seen from this file."""
        path = os.path.normpath(os.path.join(os.path.dirname(self.home.file), name))
        if path not in self.known:
            self.known[path] = read_writeup(path)
        return self.known[path]


def _document(document: Value, problems: list[Problem], writeups: _WriteUps) -> list[Ready | Broken]:
    """The claims of one theorem; what is wrong with the whole of it goes to `problems`."""
    try:
        theorem = read_theorem(document)
        if theorem.work > MAX_WORK:
            message = "this theorem has too many claims on too much text"
            raise theorem.id_text.problem("too-large", message, "split it")
        return list(_theorem(theorem, writeups))
    except SpecError as error:
        problems += error.problems
        return []


def _from_next_document(yaml: str, begin: int, line: int) -> tuple[str, int]:
    """The text with all blanked out before the next `---`, and the line where that stands: what
    follows a document that is not YAML can still be read."""
    lines = lines_of(yaml)
    for at in range(max(begin + 1, line - 1), len(lines)):
        if lines[at].startswith("---"):
            return "\n" * at + "\n".join(lines[at:]), at
    return "", begin


@room_for_trees()
def load_paths(paths: Iterable[Path]) -> Loaded:
    """The claims of files and folders; folders are walked in name order."""
    entries: list[Ready | Broken] = []
    problems: list[Problem] = []
    needs: dict[str, tuple[str, ...]] = {}
    seen: set[Path] = set()
    paths = tuple(paths)
    strays = strays_of(paths)
    problems += map(_stray, strays)
    for path in paths:
        found = False
        for file in files_of(path):
            found = True
            if file in strays or file.resolve() in seen:
                continue
            seen.add(file.resolve())
            loaded = _load_file(file)
            entries += loaded.entries
            problems += loaded.problems
            needs |= loaded.needs
        if not found:
            problems.append(_no_file(path))
    return _unique(Loaded(tuple(entries), tuple(problems), needs))


def _theorem(theorem: RawTheorem, writeups: _WriteUps) -> Iterator[Ready | Broken]:
    ground = Ground()
    for raw in theorem.claims:
        if isinstance(raw, BrokenClaim):
            yield Broken(f"{theorem.id}#{raw.slug}", theorem.title, raw.key.position(), raw.problems)
            continue
        for binding in raw.bindings():
            yield _entry(theorem, raw, binding, ground, writeups)


def _entry(
    theorem: RawTheorem, raw: RawClaim, binding: dict[str, Fraction], ground: Ground, writeups: _WriteUps
) -> Ready | Broken:
    plan = Draft(theorem, raw, binding, ())
    try:
        plan = draft(theorem, raw, binding)
        claim = build(plan, ground)
        shown = printed(plan, claim, writeups.home, writeups.other)
        return Ready(replace(claim, printed=shown) if shown is not None else claim, plan)
    except SpecError as error:
        title = raw.title or theorem.title
        return Broken(plan.id, title, raw.key.position(), error.problems, raw.expect)


def _no_file(path: Path) -> Problem:
    if os.path.isdir(path):
        words = f"no claim files ({', '.join(SUFFIXES)}) below this folder"
        return Problem(Position(str(path), 1), "nothing-collected", words)
    return Problem(Position(str(path), 1), "no-such-path", "there is no such file or folder")


def _stray(link: Path) -> Problem:
    message = "this link leads out of what was asked for, so it is not followed"
    return Problem(Position(str(link), 1), "link", message, "give the file that it leads to as a path too")


def _load_file(path: Path) -> Loaded:
    try:
        content = content_of(path)
        text = content.decode("utf-8")
    except TooLong as error:
        return Loaded(problems=(Problem(Position(str(path), 1), "too-long", str(error)),))
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        return Loaded(problems=(Problem(Position(str(path), 1), "unreadable", message),))
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace")
        *lines, last = lines_of(before)
        place = Position(str(path), len(lines) + 1, len(last) + 1)
        return Loaded(problems=(Problem(place, "encoding", "these bytes are not UTF-8"),))
    if path.suffix not in SUFFIXES:
        message = f"{path.suffix or 'a file without suffix'} is not a claim file"
        hint = f"known: {', '.join(SUFFIXES)}"
        return Loaded(problems=(Problem(Position(str(path), 1), "suffix", message, hint),))
    return load_text(text, str(path), path.suffix)


def _unique(loaded: Loaded) -> Loaded:
    """A claim's id is unique in a run; the second of two is an error that names the first."""
    seen: dict[str, Position] = {}
    entries: list[Ready | Broken] = []
    for entry in loaded.entries:
        position = entry.claim.position if isinstance(entry, Ready) else entry.position
        name = entry.claim.id if isinstance(entry, Ready) else entry.id
        if name in seen and isinstance(entry, Ready):
            message = f"the id {name} is already used at {seen[name]}"
            problem = Problem(position, "duplicate-id", message, "rename the theorem or the claim")
            entries.append(Broken(name, entry.claim.title, position, (problem,), entry.claim.expect))
            continue
        seen.setdefault(name, position)
        entries.append(entry)
    return Loaded(tuple(entries), loaded.problems, loaded.needs)


def _with_lines(loaded: Loaded, lines: list[str]) -> Loaded:
    """Problems with the offending line, for the caret."""

    def shown(problem: Problem) -> Problem:
        if problem.line_text is not None:
            return problem
        at = problem.position.line - 1
        return replace(problem, line_text=lines[at]) if 0 <= at < len(lines) else problem

    entries = tuple(
        replace(entry, problems=tuple(map(shown, entry.problems))) if isinstance(entry, Broken) else entry
        for entry in loaded.entries
    )
    return Loaded(entries, tuple(map(shown, loaded.problems)), loaded.needs)
