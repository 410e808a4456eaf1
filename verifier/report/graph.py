"""What rests on what in a document: assumptions and statements, and what falls with one that is false.

An edge is what the author says with `uses`, a chain of steps that comes to a statement, or an assumption that
is in force. Nothing else is guessed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from verifier.expr.text import to_text
from verifier.judge.verdict import Run, Verdict
from verifier.report.rows import Row, theorem_of

MOST_NAMES, MOST_LINES = 4, 40


@dataclass(frozen=True)
class Edge:
    """`source` carries `target`, a claim; it is a claim, a theorem or an assumption, by its name."""

    source: str
    target: str
    why: str  # "uses", "proof", "assumption", "needed"


@dataclass(frozen=True)
class Carried:
    """One line of the list: what carries what; `more` are not named, `others` merely assume it."""

    name: str
    row: Row | None
    words: str
    rows: tuple[Row, ...]
    more: int = 0
    others: int = 0


@dataclass
class Graph:
    """The edges of a document between its rows."""

    rows: Mapping[str, Row]
    edges: tuple[Edge, ...] = ()
    _after: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.theorems = {row.theorem for row in self.rows.values()}
        for edge in self.edges:
            self._after.setdefault(edge.source, []).append(edge.target)

    def falls_with(self, name: str) -> list[str]:
        """Every statement that rests on this one, directly or not, or on the theorem that it belongs to."""
        found: dict[str, None] = {}
        waiting = self._carried(name)
        while waiting:
            target = waiting.pop(0)
            if target not in found and target != name:
                found[target] = None
                waiting += self._carried(target)
        return list(found)

    def _carried(self, name: str) -> list[str]:
        row = self.rows.get(name)
        return [*self._after.get(name, ()), *(self._after.get(row.theorem, ()) if row is not None else ())]

    def told(self) -> Iterator[Carried]:
        """The graph as a list: what falls with a false statement, what carries what, what is assumed."""
        yield from islice(self._lines(), MOST_LINES)

    def _lines(self) -> Iterator[Carried]:
        sources = list(dict.fromkeys(edge.source for edge in self.edges))
        for name in sources:
            if name in self.rows or name in self.theorems:
                row = self.rows.get(name)
                false = [row] if row is not None else [r for r in self.rows.values() if r.theorem == name]
                number = sum(r.verdict == "fails" for r in false)
                told = ("is false" if row is not None else f"has {number} false") if number else ""
                words = f"{told}; with it falls the argument for" if told else "carries"
                yield self._line(name, row, words, self.falls_with(name) if told else self._after[name])
        for name in sources:
            if name not in self.rows and name not in self.theorems:
                needed = [edge.target for edge in self.edges if edge.source == name and edge.why == "needed"]
                line = self._line(name, None, "is needed for" if needed else "is assumed", needed)
                yield replace(line, others=len(set(self._after[name])) - len(needed))

    def _line(self, name: str, row: Row | None, words: str, targets: Sequence[str]) -> Carried:
        rows = tuple(self.rows[target] for target in dict.fromkeys(targets) if target in self.rows)
        return Carried(name, row, words, rows[:MOST_NAMES], max(len(rows) - MOST_NAMES, 0))


def graph_of(run: Run, rows: Iterable[Row]) -> Graph:
    """The graph of one document, whose rows these are. Verdicts of a long run are on disk, and pass one by
    one."""
    known = {row.id: row for row in rows}

    def items() -> Iterator[Verdict]:
        return (item for item in run.verdicts if isinstance(item, Verdict) and item.id in known)

    stated = {
        (theorem_of(item), to_text(item.claim.steps[0].fact)): item.id
        for item in items()
        if not item.claim.is_chain
    }
    return Graph(known, tuple(dict.fromkeys(_edges(items(), known, stated))))


def _edges(
    items: Iterable[Verdict], known: Mapping[str, Row], stated: Mapping[tuple[str, str], str]
) -> Iterator[Edge]:
    theorems = {row.theorem for row in known.values()}
    for item in items:
        for used in item.claim.uses:
            if used in known or used in theorems:
                yield Edge(used, item.id, "uses")
        if item.claim.is_chain and item.overall is not None:
            target = stated.get((theorem_of(item), to_text(item.overall.fact)))
            if target is not None:
                yield Edge(item.id, target, "proof")
        for part in item.assumptions:
            yield Edge(part.name, item.id, "needed" if part.status == "needed" else "assumption")
