"""What the front page shows, gathered before its template runs: papers, each in its own order."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from markupsafe import Markup

from verifier.claim.model import Position, Source
from verifier.codec import Codec
from verifier.judge.verdict import Run, Verdict
from verifier.report.compare import Change, Changes
from verifier.report.drawn import draw_graph
from verifier.report.graph import Carried, graph_of
from verifier.report.rows import Item, Row, rows_of, slug, theorem_of
from verifier.report.summary import in_words, most_important
from verifier.report.view import VERDICTS
from verifier.spool import Picked, coded, spooled

MOST_IN_GRAPH = 2000  # claims of a document, whose rows are then all in memory


@dataclass(frozen=True)
class Group:
    """The claims of one theorem, in its own order."""

    theorem: str
    title: str
    locator: str | None
    rows: Sequence[Row]


@dataclass(frozen=True)
class Document:
    """A paper: its theorems in its order, and what a referee would say of it."""

    name: str
    title: str
    authors: tuple[str, ...]
    groups: tuple[Group, ...]
    verdicts: Mapping[str, int]
    checked: int
    summary: str
    important: tuple[Row, ...]
    anchor: str
    carried: tuple[Carried, ...] = ()
    picture: Markup | None = None

    @property
    def rows(self) -> Iterator[Row]:
        return (row for group in self.groups for row in group.rows)

    @property
    def places(self) -> Mapping[str, str]:
        """What each theorem is called in the paper."""
        return {group.theorem: group.locator or group.title or group.theorem for group in self.groups}

    @property
    def review(self) -> str:
        """The file for a review form."""
        return f"review-{slug(self.name)}.md"

    @property
    def single(self) -> str:
        """The file that holds the whole document."""
        return f"{slug(self.name)}.html"


@dataclass(frozen=True)
class Front:
    """The front page: counts, then documents."""

    documents: tuple[Document, ...]
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
    return Front(
        tuple(_with_graph(run, document) for document in noted.documents(rows)),
        {verdict: noted.verdicts[verdict] for verdict in VERDICTS},
        {grade: noted.grades[grade] for grade in ("proved", "certified", "sampled", "searched", "none")},
        Picked(rows, noted.unexpected),
        Picked(rows, noted.disagreements),
        changes,
        noted.links,
    )


@dataclass
class _Theorem:
    document: str
    title: str
    source: Source = field(default_factory=Source)
    places: "array[int]" = field(default_factory=lambda: array("Q"))

    @property
    def order(self) -> tuple[bool, Fraction]:
        """Theorems that say where they stand come first, the others as they were read."""
        return self.source.order is None, self.source.order or Fraction(0)


class _Noted:
    """What is remembered of rows as they pass: places count from 0."""

    def __init__(self) -> None:
        self.theorems: dict[str, _Theorem] = {}
        self.verdicts, self.grades = Counter[str](), Counter[str]()
        self.unexpected, self.disagreements = array("Q"), array("Q")
        self.links: dict[str, str] = {}  # of those that changed
        self._count = 0

    def note(self, item: Item, row: Row) -> Row:
        theorem = self.theorems.setdefault(theorem_of(item), _Theorem(row.document, _title(item)))
        theorem.places.append(self._count)
        if isinstance(item, Verdict):
            theorem.source = item.claim.source
        if not row.as_expected:
            self.unexpected.append(self._count)
        if isinstance(item, Verdict) and item.disagreement:
            self.disagreements.append(self._count)
        if row.change is not None:
            self.links[row.id] = row.href
        self.verdicts[row.verdict] += 1
        self.grades[row.evidence or "none"] += 1
        self._count += 1
        return row

    def documents(self, rows: Sequence[Row]) -> Iterator[Document]:
        """Documents as they were read; in each, theorems in its own order."""
        names = dict.fromkeys(theorem.document for theorem in self.theorems.values())
        for place, name in enumerate(names, start=1):
            parts = [(key, part) for key, part in self.theorems.items() if part.document == name]
            groups = tuple(
                Group(key, part.title, _capital(part.source.locator), Picked(rows, part.places))
                for key, part in sorted(parts, key=lambda item: item[1].order)
            )
            yield _document(name, groups, [part.source for _, part in parts], f"document-{place}")


def _document(name: str, groups: tuple[Group, ...], sources: Sequence[Source], anchor: str) -> Document:
    counts, checked = Counter[str](), 0
    for group in groups:
        for row in group.rows:
            counts[row.verdict] += 1
            checked += row.is_checked
    return Document(
        name,
        next((source.title for source in sources if source.title), name),
        next((source.authors for source in sources if source.authors), ()),
        groups,
        {verdict: counts[verdict] for verdict in VERDICTS},
        checked,
        in_words(counts, checked),
        most_important(row for group in groups for row in group.rows),
        anchor,
    )


def _with_graph(run: Run, document: Document) -> Document:
    """The document with what rests on what in it."""
    if sum(document.verdicts.values()) > MOST_IN_GRAPH:
        return document
    graph = graph_of(run, document.rows)
    title = f"What rests on what in {document.title}"
    picture = draw_graph(graph, document.places, f"{document.anchor}-graph", title)
    return replace(document, carried=tuple(graph.told()), picture=picture)


def _capital(words: str | None) -> str | None:
    return words and f"{words[0].upper()}{words[1:]}"


def _title(item: Item) -> str:
    """A theorem's title; nothing where its id stands for one."""
    title = item.claim.theorem_title if isinstance(item, Verdict) else item.title
    return "" if title == theorem_of(item) else title
