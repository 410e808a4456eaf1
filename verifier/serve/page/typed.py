"""What somebody types: a claim file, or plain lines, some of which declare or assume something.

A: matrix(n, m)             declares
assume rho < 1              assumes
n -> oo                     grows
norm(A) <= sqrt(n) * rho    states; each such line is a claim of its own
# words                     are for people
"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.read.line import GIVEN, LINE, load_lines
from verifier.read.specs.loaded import Broken, Entry, Loaded, Ready
from verifier.serve.judging import Refused, checked_text

FILE = "your text"
SAVED = "claim.yaml"
MOST_CHARACTERS = 200_000
MOST_CLAIMS = 50
_CLAIM_FILE = re.compile(r"^(?:schema|theorem|claims|symbols)\s*:", re.MULTILINE)
_DECLARES = re.compile(r"[A-Za-z_]\w*\s*:")
_ASSUMES = re.compile(r"assume\s+")
_GROWS = re.compile(r"[A-Za-z_]\w*\s*->\s*\w+")


@dataclass(frozen=True)
class Typed:
    """The claims of a text, and the words of a command that judges them again."""

    loaded: Loaded
    given: tuple[str, ...] | None = None  # None: it is a claim file

    def name_of(self, entry: Entry) -> str:
        """By what a reader knows the claim: the line that states it, or the name it has in the file."""
        return entry.id.partition("#")[2] if self.given is None else f"line {entry.position.line}"

    def repeat(self, entry: Entry) -> str:
        """For the claim; a claim file has to be saved first."""
        if self.given is None:
            return f"{shlex.join(['verify', SAVED, '--explain', entry.id])}  # your text, saved as {SAVED}"
        line = entry.claim.text if isinstance(entry, Ready) else entry.title
        return shlex.join(["verify", "-e", line, *(word for given in self.given for word in (GIVEN, given))])


def load_typed(text: str) -> Typed:
    """The claims of the text; too many or too long is refused."""
    if len(text) > MOST_CHARACTERS:
        raise Refused(f"more than {MOST_CHARACTERS:,} characters; save them, and run `verify` on the file")
    typed = Typed(checked_text(text, FILE)) if _CLAIM_FILE.search(text) else _lines(text.splitlines())
    if len(typed.loaded.entries) > MOST_CLAIMS:
        raise Refused(f"more than {MOST_CLAIMS} claims; save them, and run `verify` on the file")
    return typed


def _lines(lines: Sequence[str]) -> Typed:
    given: list[tuple[int, str]] = []
    stated: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        words = line.split("#", 1)[0].rstrip()
        if not words.strip():
            continue
        if _DECLARES.match(words.lstrip()) or _GROWS.fullmatch(words.strip()):
            given.append((number, words))
        elif found := _ASSUMES.match(words.lstrip()):
            given.append((number, words.lstrip()[found.end() :]))
        else:
            stated.append((number, words))
    if len(stated) > MOST_CLAIMS:
        raise Refused(f"more than {MOST_CLAIMS} lines that state something; write a claim file")
    said = tuple(words.strip() for _, words in given)
    loaded = load_lines([words for _, words in stated], [words for _, words in given])
    return Typed(_Places(lines, {LINE: stated, GIVEN: given}).moved(loaded), said)


class _Places:
    """Where numbered lines stand in the text."""

    def __init__(self, lines: Sequence[str], rows: dict[str, list[tuple[int, str]]]) -> None:
        self.lines, self.rows = lines, rows

    def moved(self, loaded: Loaded) -> Loaded:
        """With every place as the editor counts it."""
        entries = tuple(map(self._entry, loaded.entries))
        return Loaded(entries, tuple(map(self._problem, loaded.problems)), loaded.needs)

    def _entry(self, entry: Entry) -> Entry:
        place = self._place(entry.position)[0]
        match entry:
            case Ready():
                return replace(entry, claim=replace(entry.claim, position=place))
            case Broken():
                problems = tuple(map(self._problem, entry.problems))
                return replace(entry, position=place, problems=problems)

    def _place(self, position: Position) -> tuple[Position, str | None]:
        rows = self.rows.get(position.file, [])
        if not 1 <= position.line <= len(rows):
            return Position(FILE, 1), None
        number, words = rows[position.line - 1]
        whole = self.lines[number - 1]
        return Position(FILE, number, position.column + max(whole.find(words), 0)), whole

    def _problem(self, problem: Problem) -> Problem:
        place, text = self._place(problem.position)
        hint = problem.hint.replace(f"{GIVEN} ", "") if problem.hint is not None else None
        return replace(problem, position=place, line_text=text, hint=hint)
