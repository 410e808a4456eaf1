"""What the front page shows, gathered before its template runs."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from verifier.claim.model import Position, VerdictName
from verifier.evidence import Grade
from verifier.judge.verdict import WORST_FIRST, FailedClaim, Run, Verdict
from verifier.report.compare import Change, Changes
from verifier.report.facts import in_one_line, main_step, reason, relevant

LONGEST_DETAIL = 160

Item = Verdict | FailedClaim


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
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Front:
    """The front page: counts, then theorems, those with the worst claims first."""

    groups: tuple[Group, ...]
    documents: tuple[str, ...]
    verdicts: Mapping[VerdictName, int]
    evidence: Mapping[str, int]
    unexpected: tuple[Row, ...]
    disagreements: tuple[Row, ...]
    changes: Changes | None
    links: Mapping[str, str]


def front_page(run: Run, changes: Changes | None = None) -> Front:
    rows: list[Row] = []
    titles: dict[str, str] = {}
    disagreements: list[Row] = []
    for item, row in rows_of(run, changes):
        rows.append(row)
        titles.setdefault(_theorem(item), _title(item))
        if isinstance(item, Verdict) and item.disagreement:
            disagreements.append(row)
    theorems: dict[str, list[Row]] = {}
    for row in rows:
        theorems.setdefault(_theorem(row), []).append(row)
    groups = [_group(theorem, titles[theorem], found) for theorem, found in theorems.items()]
    groups.sort(key=lambda group: _rank(group.rows[0].verdict))
    grades = Counter(row.evidence or "none" for row in rows)
    return Front(
        tuple(groups),
        tuple(dict.fromkeys(row.document for row in rows)),
        run.summary,
        {grade: grades[grade] for grade in ("proved", "certified", "sampled", "searched", "none")},
        tuple(sorted((row for row in rows if not row.as_expected), key=lambda row: _rank(row.verdict))),
        tuple(disagreements),
        changes,
        {row.id: row.href for row in rows},
    )


def rows_of(run: Run, changes: Changes | None) -> Iterator[tuple[Item, Row]]:
    """Every claim with its row, in the order of the run. The rows of a long run are kept; its verdicts come
    from disk one by one."""
    documents = _documents(run)
    changed = {change.id: change for change in changes.items} if changes is not None else {}
    for item in run.verdicts:
        yield item, _row(item, documents, changed.get(item.id))


def _group(theorem: str, title: str, found: Iterable[Row]) -> Group:
    rows = sorted(found, key=lambda row: _rank(row.verdict))
    return Group(rows[0].document, theorem, title, tuple(rows))


def _title(item: Item) -> str:
    return item.claim.theorem_title if isinstance(item, Verdict) else item.broken.title


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
    origin = item.claim if isinstance(item, Verdict) else item.broken
    theorem, _, short = item.id.partition("#")
    step = main_step(item) if isinstance(item, Verdict) else None
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
        evidence=item.evidence if isinstance(item, Verdict) else None,
        reason=_cut(reason(item)),
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
