"""What changed between two runs: a report of one, as JSON, against the other."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from verifier.report.earlier import claims_of
from verifier.report.view import Json
from verifier.spool import spooled

# The keys of a claim that two runs are compared by.
COMPARED = ("id", "verdict", "evidence", "corrected")
KINDS = ("verdict", "evidence", "correction", "new", "gone")


class NotAReport(ValueError):
    """A file that holds no report; the message says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """One claim that is judged otherwise than before, is new, or is gone."""

    id: str
    kind: Literal["verdict", "evidence", "correction", "new", "gone"]
    before: str | None
    after: str | None

    def __str__(self) -> str:
        if self.kind == "new":
            return f"new: {self.after}"
        if self.kind == "gone":
            return f"gone: was {self.before}"
        return f"{self.before} → {self.after}"


@dataclass(frozen=True)
class Changes:
    """All changes, and what they were found against."""

    against: str
    items: tuple[Change, ...]
    compared: int


def read_report(path: Path) -> Json:
    """A report written by `--format json` or beside the pages: what is compared of it."""
    try:
        return {"claims": spooled(_checked(path))}
    except (OSError, ValueError, RecursionError) as error:
        raise NotAReport(f"{path} cannot be read as a report: {error}") from None


def _checked(path: Path) -> Iterator[Json]:
    for claim in claims_of(path):
        if not _is_claim(claim):
            raise ValueError("its claims are not of this program")
        yield _compared(claim)


def _is_claim(item: object) -> bool:
    return isinstance(item, dict) and isinstance(item.get("id"), str) and isinstance(item.get("verdict"), str)


def compare(old: Json, new: Json, against: str) -> Changes:
    """Claim by claim; those with a new verdict first, then new evidence, new and gone claims."""
    before = old["claims"]
    places = {claim["id"]: place for place, claim in enumerate(before)}
    met: set[int] = set()
    found: list[Change] = []
    for claim in new["claims"]:
        place = places.get(claim["id"])
        if place is None:
            found.append(Change(claim["id"], "new", None, claim["verdict"]))
        else:
            met.add(place)
            found += _changed(before[place], claim)
    gone = (before[place] for place in places.values() if place not in met)
    found += [Change(claim["id"], "gone", claim["verdict"], None) for claim in gone]
    found.sort(key=lambda change: KINDS.index(change.kind))
    return Changes(against, tuple(found), len(met))


def _changed(past: Json, claim: Json) -> Iterable[Change]:
    """What is first to be told of a claim that was there before, if anything."""
    if past["verdict"] != claim["verdict"]:
        yield Change(claim["id"], "verdict", past["verdict"], claim["verdict"])
    elif past.get("evidence") != claim.get("evidence"):
        verdict, grades = claim["verdict"], (past.get("evidence"), claim.get("evidence"))
        yield Change(claim["id"], "evidence", *(f"{verdict}, {grade or 'no evidence'}" for grade in grades))
    elif past.get("corrected") != claim.get("corrected"):
        texts = (past.get("corrected"), claim.get("corrected"))
        yield Change(claim["id"], "correction", *(text or "no correction" for text in texts))


def with_changes(report: Json, old: Json, against: str) -> Json:
    """The report, with what changed in it."""
    found = compare(old, report, against)
    return report | {"changes": asdict(found)}


def changes_of(report: Json) -> Changes | None:
    """The changes that a report holds."""
    data = report.get("changes")
    if data is None:
        return None
    return Changes(data["against"], tuple(Change(**item) for item in data["items"]), data["compared"])


def words(changes: Changes) -> Iterator[str]:
    """Line by line, for a terminal."""
    count = sum(change.kind == "verdict" for change in changes.items)
    yield f"against {changes.against}: {count} of {changes.compared} verdicts changed"
    yield from (f"    {change.id}: {change}" for change in changes.items)


def snapshot(report: Json) -> Json:
    """The part of a report that the next run is compared with."""
    return {"schema": report["schema"], "claims": spooled(map(_compared, report["claims"]))}


def _compared(claim: Json) -> Json:
    return {key: claim.get(key) for key in COMPARED}
