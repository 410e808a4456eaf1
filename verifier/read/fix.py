"""Claims whose formulas drifted, written anew: what the write-up prints now, in the claim file's own names.

Each repair is tried: the file is read again with it, and a repair that does not make its claim say what the
formula says is taken back. So nothing is written that the comparison of the two would not accept.
"""

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verifier.claim.problems import Repair
from verifier.read.specs.loaded import Broken, Entry

NO_REPAIR = "one is a chain and the other a relation, or what is printed cannot be written out"
UNPLACED = "its text is written in a way that is not changed by machine"
UNREAD = "the formula, written out, is not read as the same statement"

Load = Callable[[str], tuple[Entry, ...]]


@dataclass(frozen=True)
class Fixed:
    """A text before and after; the claims that were written anew, and those that were not, and why."""

    before: str
    text: str
    fixed: tuple[str, ...]
    left: tuple[tuple[str, str], ...]

    def diff(self, name: str) -> str:
        """The changes, as `diff -u` shows them."""
        sides = (self.before.splitlines(keepends=True), self.text.splitlines(keepends=True))
        return "".join(difflib.unified_diff(*sides, f"{name} (as it is)", f"{name} (as the formulas are)"))


def fixed(text: str, load: Load) -> Fixed:
    """The text of a claim file with its drifted claims written anew; `load` reads such a text."""
    before, done = text, list[str]()
    left: dict[str, str] = {}
    while True:
        drifted = [(entry, repair) for entry, repair in _drifted(load(text)) if entry.id not in left]
        if not drifted:
            return Fixed(before, text, tuple(done), tuple(left.items()))
        entry, repair = drifted[0]
        changed = None if repair is None else _changed(text, repair)
        if changed is None:
            left[entry.id] = NO_REPAIR if repair is None else UNPLACED
        elif any(isinstance(item, Broken) and item.id == entry.id for item in load(changed)) or (
            _ids(load(changed)) != _ids(load(text))
        ):
            left[entry.id] = UNREAD
        else:
            text = changed
            done.append(entry.id)


def _ids(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.id for entry in entries]


def _drifted(entries: tuple[Entry, ...]) -> Iterator[tuple[Broken, Repair | None]]:
    for entry in entries:
        if isinstance(entry, Broken) and [problem.code for problem in entry.problems] == ["drift"]:
            yield entry, entry.problems[0].repair


def _changed(text: str, repair: Repair) -> str | None:
    """The text with the repair in it; None where the old one does not stand there word by word."""
    lines = text.split("\n")
    (first, column), last = repair.places[0], repair.places[-1][0]
    old = repair.old.rstrip("\n").split("\n")
    if len(old) != last - first + 1 and len(old) != len(repair.places):
        return None
    for place, piece in enumerate(old):
        if lines[first - 1 + place][column - 1 :].rstrip() != piece.rstrip() and len(old) > 1:
            return None
    prefix, rest = lines[first - 1][: column - 1], lines[first - 1][column - 1 :]
    if len(old) > 1 and repair.steps:
        lines[first - 1 : first - 1 + len(old)] = [prefix + line for line in repair.new.split("\n")]
    elif len(old) == 1 and rest.startswith(old[0]) and not repair.steps:
        lines[first - 1] = prefix + repair.new + rest[len(old[0]) :]
    elif len(old) == 1 and repair.steps and prefix.rstrip(" \"'").endswith("says:"):
        begin = prefix[: prefix.rindex("says:")]
        if set(begin) - {" ", "%"}:
            return None
        lines[first - 1 : first] = [
            f"{begin}steps: |",
            *(f"{begin}  {line}" for line in repair.new.split("\n")),
        ]
    else:
        return None
    return "\n".join(lines)
