"""What the front page shows, gathered before its template runs."""

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from verifier.claim.loaded import Broken
from verifier.claim.model import Position, VerdictName
from verifier.codec import Codec
from verifier.evidence import Grade
from verifier.judge.verdict import WORST_FIRST, Run, Verdict
from verifier.report.compare import Change, Changes
from verifier.report.facts import in_one_line, relevant
from verifier.report.view import VERDICTS
from verifier.spool import Picked, coded, spooled

LONGEST_DETAIL = 160

Item = Verdict | Broken


def slug(claim_id: str) -> str:
    """A file name that is safe everywhere, and the same in every run: readable, then a digest."""
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", claim_id).strip("-.")[:80]
    return f"{readable}-{hashlib.sha256(claim_id.encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class Row:
    """One claim in the front page's table."""

    id: str
    short: str
    slug: str
    document: str
    verdict: VerdictName
    evidence: Grade | None
    reason: str
    counterexample: str | None
    corrected: str | None
    expected: str | None
    as_expected: bool
    position: Position
    change: Change | None = None

    @property
    def href(self) -> str:
        return f"claims/{self.slug}.html"


@dataclass(frozen=True)
class Group:
    """The claims of one theorem, the worst first."""

    document: str
    theorem: str
    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Front:
    """The front page: counts, then theorems, those with the worst claims first."""

    groups: tuple[Group, ...]
    documents: tuple[str, ...]
    verdicts: Mapping[str, int]
    evidence: Mapping[str, int]
    unexpected: Sequence[Row]
    disagreements: Sequence[Row]
    changes: Changes | None
    links: Mapping[str, str]


_ROWS = coded(Codec((Row, Change, Position)))


def front_page(run: Run, changes: Changes | None = None) -> Front:
    """The rows of a long run are on disk; what they are sorted and counted by is in memory."""
    noted = _Noted()
    rows = spooled((noted.note(item, row) for item, row in rows_of(run, changes)), form=_ROWS)
    theorems = sorted(noted.theorems.items(), key=lambda part: min(map(noted.rank, part[1].places)))
    return Front(
        tuple(
            Group(part.document, name, part.title, Picked(rows, sorted(part.places, key=noted.rank)))
            for name, part in theorems
        ),
        tuple(dict.fromkeys(part.document for part in noted.theorems.values())),
        {verdict: noted.verdicts[verdict] for verdict in VERDICTS},
        {grade: noted.grades[grade] for grade in ("proved", "certified", "sampled", "searched", "none")},
        Picked(rows, sorted(noted.unexpected, key=noted.rank)),
        Picked(rows, noted.disagreements),
        changes,
        noted.links,
    )


@dataclass(frozen=True)
class _Theorem:
    document: str
    title: str
    places: "array[int]" = field(default_factory=lambda: array("Q"))


class _Noted:
    """What is remembered of rows as they pass: places count from 0."""

    def __init__(self) -> None:
        self.theorems: dict[str, _Theorem] = {}
        self.verdicts, self.grades = Counter[str](), Counter[str]()
        self.unexpected, self.disagreements = array("Q"), array("Q")
        self.links: dict[str, str] = {}  # of those that changed
        self._ranks = array("b")

    def rank(self, place: int) -> int:
        return self._ranks[place]

    def note(self, item: Item, row: Row) -> Row:
        place = len(self._ranks)
        self._ranks.append(_rank(row.verdict))
        theorem = self.theorems.setdefault(_theorem(item), _Theorem(row.document, _title(item)))
        theorem.places.append(place)
        self.verdicts[row.verdict] += 1
        self.grades[row.evidence or "none"] += 1
        if not row.as_expected:
            self.unexpected.append(place)
        if isinstance(item, Verdict) and item.disagreement:
            self.disagreements.append(place)
        if row.change is not None:
            self.links[row.id] = row.href
        return row


def rows_of(run: Run, changes: Changes | None) -> Iterator[tuple[Item, Row]]:
    """Every claim with its row, in the order of the run."""
    documents = _documents(run)
    changed = {change.id: change for change in changes.items} if changes is not None else {}
    for item in run.verdicts:
        yield item, _row(item, documents, changed.get(item.id))


def _title(item: Item) -> str:
    return item.claim.theorem_title if isinstance(item, Verdict) else item.title


def _rank(verdict: VerdictName) -> int:
    """Failing claims first, then what could not be read."""
    return {"fails": 0, "error": 1}.get(verdict, 1 + WORST_FIRST.index(verdict))


def _theorem(item: Item | Row) -> str:
    return item.id.partition("#")[0]


def _documents(run: Run) -> dict[str, str]:
    """The write-up of each theorem: as its claims name it, else as its id begins."""
    names: dict[str, str] = {}
    for item in run.verdicts:
        theorem = _theorem(item)
        names.setdefault(theorem, theorem.partition("/")[0])
        if isinstance(item, Verdict) and item.claim.source.document is not None:
            names[theorem] = item.claim.source.document
    return names


def _row(item: Item, documents: Mapping[str, str], change: Change | None) -> Row:
    origin = item.claim if isinstance(item, Verdict) else item
    theorem, _, short = item.id.partition("#")
    step = item.main if isinstance(item, Verdict) else None
    found = step.counterexample if step is not None else None
    point = None
    if isinstance(item, Verdict) and found is not None and found.lhs is not None:
        point = in_one_line(relevant(item.claim, found))
    return Row(
        id=item.id,
        short=short or item.id,
        slug=slug(item.id),
        document=documents[theorem],
        verdict=item.verdict,
        evidence=item.evidence,
        reason=_cut(item.reason),
        counterexample=point if point is not None and len(point) <= LONGEST_DETAIL else None,
        corrected=_whole(step.corrected) if step is not None else None,
        expected=" or ".join(origin.expect) if origin.expect is not None else None,
        as_expected=item.as_expected,
        position=origin.position,
        change=change,
    )


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST_DETAIL else f"{words[:LONGEST_DETAIL]}…"


def _whole(text: str | None) -> str | None:
    """A formula is shown whole or not at all: half of one misleads."""
    return text if text is not None and len(text) <= LONGEST_DETAIL else None
