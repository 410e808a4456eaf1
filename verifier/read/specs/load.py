"""Paths to claims. One wrong file, theorem or claim never hides the others."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from verifier.claim.model import Position
from verifier.claim.problems import MAX_SHOWN, Problem, SpecError
from verifier.expr.sizes import room_for_trees
from verifier.read.specs.claims_on_disk import kept
from verifier.read.specs.drift import WriteUp, printed, read_writeup
from verifier.read.specs.loaded import Broken, Entry, Loaded, Ready
from verifier.read.specs.make_claim import Draft, build, draft
from verifier.read.specs.notebooks import check_notebook
from verifier.read.specs.preamble import (
    Preamble,
    completed,
    inner_of,
    preamble_in,
    preamble_lines,
    read_preamble,
    with_marks,
)
from verifier.read.specs.raw import BrokenClaim, RawClaim, RawTheorem
from verifier.read.specs.spec_files import PREAMBLE, SUFFIXES, TooLong, content_of, files_of, strays_of
from verifier.read.specs.theorem_scope import Ground
from verifier.read.specs.theorems import read_theorem
from verifier.read.specs.writeups import unclosed, yaml_of
from verifier.read.specs.yaml_document import Value, lines_of, read_documents

# Characters that a theorem may make the loader read, its own text counted once per claim.
MAX_WORK = 3_000_000
# Problems of a file as a whole: there is no reading on after these.
_FATAL = ("too-long", "character")


class _Found:
    """What a load has met besides claims."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.needs: dict[str, tuple[str, ...]] = {}
        self.preambles: dict[Path, Preamble] = {}

    def beside(self, file: Path) -> Preamble:
        """The preamble of a file's folder, read once; what is wrong with it is told once."""
        path = file.parent / PREAMBLE
        if path not in self.preambles:
            self.preambles[path], problems = _preamble(path)
            self.problems += problems
        return self.preambles[path]

    def loaded(self, entries: Iterable[Entry]) -> Loaded:
        """All of it, read to the end; of many claims each goes to disk as soon as it is read."""
        claims = kept(_unique(entries))
        return Loaded(claims, tuple(self.problems), self.needs)


@room_for_trees()
def load_text(
    text: str, file: str = "<text>", suffix: str = ".yaml", preambles: Iterable[str] = ()
) -> Loaded:
    """The claims of one text, under preambles that stand elsewhere, as in other cells of a notebook."""
    found, before = _Found(), Preamble()
    for words in preambles:
        # What is wrong with one is told where it stands.
        before = before.then(_preamble_in(words, file)[0])
    return found.loaded(_text(text, file, suffix, found, before))


@room_for_trees()
def load_unsaved(text: str, path: Path) -> Loaded:
    """The claims of a text in the place of what a file holds: with the preamble of its folder."""
    found = _Found()
    if path.name == PREAMBLE:
        return replace(found.loaded(()), problems=tuple(_preamble_in(text, str(path))[1]))
    return found.loaded(_text(text, str(path), path.suffix, found, found.beside(path)))


def _text(text: str, file: str, suffix: str, found: _Found, preamble: Preamble) -> Iterator[Entry]:
    """Claims one by one, and at last what is wrong with the text as a whole."""
    text = text.removeprefix("\ufeff")
    lines = lines_of(text)
    problems: list[Problem] = []
    writeups = _WriteUps(WriteUp(file, text, suffix))
    for entry in _claims(text, file, suffix, problems, writeups, preamble):
        yield _with_lines(entry, lines)
    if (line := unclosed(text, suffix)) is not None:
        hint = "close it with a line %%end"
        problems.append(Problem(Position(file, line), "unclosed", "this claim block does not end", hint))
    found.problems += (_shown(problem, lines) for problem in dict.fromkeys(problems))
    if writeups.known:
        found.needs[file] = tuple(writeups.known)


def _claims(
    text: str,
    file: str,
    suffix: str,
    problems: list[Problem],
    writeups: "_WriteUps",
    preamble: Preamble,
) -> Iterator[Entry]:
    """The claims of a text, each under the preambles before it."""
    if suffix == ".ipynb" and "claim" in text:
        try:
            check_notebook(text, file)
        except SpecError as error:
            problems += error.problems
            return
    rest, begin = yaml_of(text, suffix), 0
    blocks = preamble_lines(text, suffix)
    while rest and len(problems) < MAX_SHOWN:
        try:
            for document in read_documents(rest, file):
                inner = preamble_in(document, blocks)
                if inner is not None:
                    said, wrong = read_preamble(inner)
                    preamble = preamble.then(said)
                    problems += wrong
                else:
                    yield from _document(document, problems, writeups, preamble)
                if len(problems) >= MAX_SHOWN:
                    break
            break
        except SpecError as error:
            problems += error.problems
            if error.problem.code in _FATAL:
                break
            rest, begin = _from_next_document(rest, begin, error.problem.position.line)


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


def _document(
    document: Value, problems: list[Problem], writeups: _WriteUps, preamble: Preamble
) -> Iterator[Entry]:
    """The claims of one theorem; what is wrong with the whole of it goes to `problems`."""
    try:
        theorem = with_marks(completed(read_theorem(document), preamble), writeups.home.lines)
        if theorem.work > MAX_WORK:
            message = "this theorem has too many claims on too much text"
            raise theorem.id_text.problem("too-large", message, "split it")
    except SpecError as error:
        problems += error.problems
        return
    yield from _theorem(theorem, writeups)


def _from_next_document(yaml: str, begin: int, line: int) -> tuple[str, int]:
    """The text with all blanked out before the next `---`, and the line where that stands: what
    follows a document that is not YAML can still be read."""
    lines = lines_of(yaml)
    for at in range(max(begin + 1, line - 1), len(lines)):
        if lines[at].startswith("---"):
            return "\n" * at + "\n".join(lines[at:]), at
    return "", begin


def _preamble(path: Path) -> tuple[Preamble, list[Problem]]:
    """The preamble in a file, and what is wrong with it; a file that is not there says nothing."""
    if not os.path.lexists(path):
        return Preamble(), []
    if os.path.islink(path) and not Path(os.path.realpath(path)).is_relative_to(
        os.path.realpath(path.parent)
    ):
        return Preamble(), [_stray(path)]
    text = _content(path)
    if isinstance(text, Problem):
        return Preamble(), [text]
    return _preamble_in(text, str(path))


def preamble_problems(text: str, file: str) -> list[Problem]:
    """What is wrong with a preamble that stands alone."""
    return _preamble_in(text, file)[1]


def _preamble_in(text: str, file: str) -> tuple[Preamble, list[Problem]]:
    """The preamble that a text is."""
    text = text.removeprefix("\ufeff")
    preamble, problems = Preamble(), list[Problem]()
    try:
        for document in read_documents(text, file):
            said, wrong = read_preamble(inner_of(document) or document)
            preamble, problems = preamble.then(said), [*problems, *wrong]
    except SpecError as error:
        problems += error.problems
    lines = lines_of(text)
    return preamble, [_shown(problem, lines) for problem in problems]


@room_for_trees()
def load_paths(paths: Iterable[Path]) -> Loaded:
    """The claims of files and folders; folders are walked in name order."""
    found = _Found()
    return found.loaded(_paths(tuple(paths), found))


def _paths(paths: tuple[Path, ...], found: _Found) -> Iterator[Entry]:
    seen: set[Path] = set()
    strays = strays_of(paths)
    found.problems += map(_stray, strays)
    for path in paths:
        is_there = False
        for file in files_of(path):
            is_there = True
            if file not in strays and file.resolve() not in seen:
                seen.add(file.resolve())
                yield from _file(file, found)
        if not is_there:
            found.problems.append(_no_file(path))


def _theorem(theorem: RawTheorem, writeups: _WriteUps) -> Iterator[Entry]:
    ground = Ground()
    for raw in theorem.claims:
        if isinstance(raw, BrokenClaim):
            yield Broken(f"{theorem.id}#{raw.slug}", theorem.title, raw.key.position(), raw.problems)
            continue
        for binding in raw.bindings():
            yield _entry(theorem, raw, binding, ground, writeups)


def _entry(
    theorem: RawTheorem, raw: RawClaim, binding: dict[str, Fraction], ground: Ground, writeups: _WriteUps
) -> Entry:
    plan = Draft(theorem, raw, binding, ())
    try:
        plan = draft(theorem, raw, binding)
        claim = build(plan, ground)
        shown = printed(plan, claim, writeups.home, writeups.other)
        return Ready(replace(claim, printed=shown) if shown is not None else claim, plan)
    except SpecError as error:
        title = raw.title or theorem.title
        stated = raw.says or raw.steps
        text = stated.value if stated is not None else ""
        return Broken(plan.id, title, raw.key.position(), error.problems, raw.expect, text)


def _no_file(path: Path) -> Problem:
    if os.path.isdir(path):
        words = f"no claim files ({', '.join(SUFFIXES)}) below this folder"
        return Problem(Position(str(path), 1), "nothing-collected", words)
    return Problem(Position(str(path), 1), "no-such-path", "there is no such file or folder")


def _stray(link: Path) -> Problem:
    message = "this link leads out of what was asked for, so it is not followed"
    return Problem(Position(str(link), 1), "link", message, "give the file that it leads to as a path too")


def _file(path: Path, found: _Found) -> Iterator[Entry]:
    if path.name == PREAMBLE:
        found.beside(path)
        return
    text = _content(path)
    if isinstance(text, Problem):
        found.problems.append(text)
    elif path.suffix not in SUFFIXES:
        message = f"{path.suffix or 'a file without suffix'} is not a claim file"
        hint = f"known: {', '.join(SUFFIXES)}"
        found.problems.append(Problem(Position(str(path), 1), "suffix", message, hint))
    else:
        yield from _text(text, str(path), path.suffix, found, found.beside(path))


def _content(path: Path) -> str | Problem:
    """The text of a file, or why there is none."""
    try:
        content = content_of(path)
        return content.decode("utf-8")
    except TooLong as error:
        return Problem(Position(str(path), 1), "too-long", str(error))
    except OSError as error:
        return Problem(Position(str(path), 1), "unreadable", f"cannot be read: {error.strerror or error}")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", "replace")
        *lines, last = lines_of(before)
        place = Position(str(path), len(lines) + 1, len(last) + 1)
        return Problem(place, "encoding", "these bytes are not UTF-8")


def _unique(entries: Iterable[Entry]) -> Iterator[Entry]:
    """A claim's id is unique in a run; the second of two is an error that names the first."""
    seen: dict[str, Position] = {}
    for entry in entries:
        if entry.id in seen and isinstance(entry, Ready):
            message = f"the id {entry.id} is already used at {seen[entry.id]}"
            problem = Problem(entry.position, "duplicate-id", message, "rename the theorem or the claim")
            yield Broken(
                entry.id, entry.claim.title, entry.position, (problem,), entry.claim.expect, entry.claim.text
            )
        else:
            seen.setdefault(entry.id, entry.position)
            yield entry


# --- problems with the offending line, for the caret ---------------------------------------------------


def _with_lines(entry: Entry, lines: list[str]) -> Entry:
    if isinstance(entry, Ready):
        return entry
    return replace(entry, problems=tuple(_shown(problem, lines) for problem in entry.problems))


def _shown(problem: Problem, lines: list[str]) -> Problem:
    at = problem.position.line - 1
    if problem.line_text is not None or not 0 <= at < len(lines):
        return problem
    return replace(problem, line_text=lines[at])
