"""One line of the language as a claim of its own: `norm(A @ B) <= norm(A) * norm(B)`."""

import json
from collections.abc import Mapping
from dataclasses import replace

from verifier.claim.load import load_text
from verifier.claim.loaded import Broken, Entry, Loaded
from verifier.claim.model import Position
from verifier.claim.problems import Problem

LINE, DECLARED = "<line>", "<symbols>"
CLAIM_ID = "one/line#claim"
MAX_CHARACTERS = 20_000
_INDENT = 6


def load_line(
    line: str, symbols: Mapping[str, str] | None = None, assuming: Mapping[str, str] | None = None
) -> Loaded:
    """The claim that a line states, of these symbols and under these assumptions. Problems with the line are
    told by its own columns."""
    if (problem := _refused(line)) is not None:
        return Loaded((Broken(CLAIM_ID, "", Position(LINE, 1), (problem,)),))
    head = [
        "theorem: one/line",
        f"symbols: {_table(symbols)}",
        f"assumptions: {_table(assuming)}",
        "claims:",
        "  claim:",
        "    says: |-",
    ]
    loaded = load_text("\n".join([*head, " " * _INDENT + line.strip(), ""]), LINE)
    lost = len(line) - len(line.lstrip())
    return _moved(loaded, line, len(head) + 1, _INDENT - lost)


def _refused(line: str) -> Problem | None:
    start = Position(LINE, 1)
    if not line.strip():
        return Problem(start, "not-a-relation", "there is no statement", "write a relation, as x**2 >= 0")
    if len(line) > MAX_CHARACTERS:
        return Problem(start, "too-long", f"a line of more than {MAX_CHARACTERS:,} characters")
    if len(line.strip().splitlines()) > 1:
        hint = "give one relation; for more, write a claim file"
        return Problem(start, "not-a-relation", "this is more than one line", hint)
    return None


def _table(texts: Mapping[str, str] | None) -> str:
    """A mapping as YAML: JSON is YAML, and quotes whatever a stranger wrote."""
    return json.dumps(dict(texts or {}))


def _moved(loaded: Loaded, line: str, at: int, indent: int) -> Loaded:
    """Problems that stand in the line itself, at its own columns; those of declarations keep their words."""

    def placed(problem: Problem) -> Problem:
        if problem.position.line != at:
            return replace(problem, position=Position(DECLARED, 1, problem.position.column))
        column = max(problem.position.column - indent, 1)
        return replace(problem, position=Position(LINE, 1, column), line_text=line)

    def entry(item: Entry) -> Entry:
        if not isinstance(item, Broken):
            return item
        return replace(item, position=Position(LINE, 1), problems=tuple(map(placed, item.problems)))

    if loaded.problems:  # the line is all that there is
        problems = tuple(map(placed, loaded.problems))
        return Loaded((Broken(CLAIM_ID, "", problems[0].position, problems),))
    return Loaded(tuple(map(entry, loaded.entries)))
