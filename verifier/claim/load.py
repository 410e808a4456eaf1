"""Paths to claims. One wrong file, theorem or claim never hides the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from verifier.claim.build import Draft, build, draft
from verifier.claim.document import read_documents
from verifier.claim.model import Claim, Position, VerdictName
from verifier.claim.problems import Problem, SpecError
from verifier.claim.read import BrokenClaim, RawClaim, RawTheorem, read_theorem
from verifier.claim.writeups import yaml_of

SUFFIXES = (".yaml", ".yml", ".md", ".tex")
MAX_BYTES = 16_000_000


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
    """What a load found: claims in the order written, and problems of whole files."""

    entries: tuple[Ready | Broken, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(entry.claim for entry in self.entries if isinstance(entry, Ready))

    def __add__(self, other: "Loaded") -> "Loaded":
        return Loaded(self.entries + other.entries, self.problems + other.problems)


def load_text(text: str, file: str = "<text>", suffix: str = ".yaml") -> Loaded:
    """The claims of one text."""
    yaml = yaml_of(text, suffix)
    lines = text.splitlines()
    entries: list[Ready | Broken] = []
    problems: list[Problem] = []
    try:
        for document in read_documents(yaml, file):
            try:
                entries.extend(_theorem(read_theorem(document)))
            except SpecError as error:
                problems.append(error.problem)
    except SpecError as error:
        problems.append(error.problem)
    return _with_lines(Loaded(tuple(entries), tuple(problems)), lines)


def load_paths(paths: Iterable[Path]) -> Loaded:
    """The claims of files and folders; folders are walked in name order."""
    entries: list[Ready | Broken] = []
    problems: list[Problem] = []
    for path in paths:
        found = False
        for file in _files(path):
            found = True
            loaded = _load_file(file)
            entries += loaded.entries
            problems += loaded.problems
        if not found:
            problems.append(_no_file(path))
    return _unique(Loaded(tuple(entries), tuple(problems)))


def _theorem(theorem: RawTheorem) -> Iterator[Ready | Broken]:
    for raw in theorem.claims:
        if isinstance(raw, BrokenClaim):
            yield Broken(f"{theorem.id}#{raw.slug}", theorem.title, raw.key.position(), (raw.problem,))
            continue
        for binding in raw.bindings():
            yield _entry(theorem, raw, binding)


def _entry(theorem: RawTheorem, raw: RawClaim, binding: dict[str, Fraction]) -> Ready | Broken:
    plan = Draft(theorem, raw, binding, ())
    try:
        plan = draft(theorem, raw, binding)
        return Ready(build(plan), plan)
    except SpecError as error:
        title = raw.title or theorem.title
        return Broken(plan.id, title, raw.key.position(), (error.problem,), raw.expect)


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
            if file.suffix in SUFFIXES and file.is_file() and not hidden:
                yield file
    elif path.is_file():
        yield path


def _no_file(path: Path) -> Problem:
    if path.is_dir():
        words = f"no claim files ({', '.join(SUFFIXES)}) below this folder"
        return Problem(Position(str(path), 1), "nothing-collected", words)
    return Problem(Position(str(path), 1), "no-such-path", "there is no such file or folder")


def _load_file(path: Path) -> Loaded:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            message = f"a file of {size:,} bytes; at most {MAX_BYTES:,} are read"
            return Loaded(problems=(Problem(Position(str(path), 1), "too-long", message),))
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        return Loaded(problems=(Problem(Position(str(path), 1), "unreadable", message),))
    except UnicodeDecodeError as error:
        message = f"not UTF-8 at byte {error.start}"
        return Loaded(problems=(Problem(Position(str(path), 1), "encoding", message),))
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
    return Loaded(tuple(entries), loaded.problems)


def _with_lines(loaded: Loaded, lines: list[str]) -> Loaded:
    """Problems with the offending line, for the caret."""

    def shown(problem: Problem) -> Problem:
        at = problem.position.line - 1
        return replace(problem, line_text=lines[at]) if 0 <= at < len(lines) else problem

    entries = tuple(
        replace(entry, problems=tuple(map(shown, entry.problems))) if isinstance(entry, Broken) else entry
        for entry in loaded.entries
    )
    return Loaded(entries, tuple(map(shown, loaded.problems)))
