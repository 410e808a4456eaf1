"""What changed between two runs: a report of one, as JSON, against the other."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from verifier.report.view import Json

LARGEST_FILE = 200 * 2**20
# The keys of a claim that two runs are compared by.
COMPARED = ("id", "verdict", "evidence", "corrected")


class NotAReport(ValueError):
    """A file that holds no report; the message says why."""


@dataclass(frozen=True)
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
    """A report written by `--format json` or beside the pages."""
    try:
        if path.exists() and not path.is_file():
            raise NotAReport(f"{path} is no regular file")
        if path.stat().st_size > LARGEST_FILE:
            raise NotAReport(f"{path} is larger than a report can be")
        data = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise NotAReport(f"{path} cannot be read as a report: {error}") from None
    claims = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(claims, list) or not all(map(_is_claim, claims)):
        raise NotAReport(f"{path} is not a report of this program: it has no list of claims with verdicts")
    return {"claims": list(map(_compared, claims))}


def _is_claim(item: object) -> bool:
    return isinstance(item, dict) and isinstance(item.get("id"), str) and isinstance(item.get("verdict"), str)


def compare(old: Json, new: Json, against: str) -> Changes:
    """Claim by claim; those with a new verdict first, then new evidence, new and gone claims."""
    before, after = ({claim["id"]: _compared(claim) for claim in run["claims"]} for run in (old, new))
    found = [*_changed(before, after)]
    found += [Change(id, "new", None, claim["verdict"]) for id, claim in after.items() if id not in before]
    found += [Change(id, "gone", claim["verdict"], None) for id, claim in before.items() if id not in after]
    order = ("verdict", "evidence", "correction", "new", "gone")
    found.sort(key=lambda change: order.index(change.kind))
    return Changes(against, tuple(found), len(before.keys() & after.keys()))


def _changed(before: Json, after: Json) -> Iterator[Change]:
    for id, claim in after.items():
        past = before.get(id)
        if past is None:
            continue
        if past["verdict"] != claim["verdict"]:
            yield Change(id, "verdict", past["verdict"], claim["verdict"])
        elif past.get("evidence") != claim.get("evidence"):
            verdict, grades = claim["verdict"], (past.get("evidence"), claim.get("evidence"))
            yield Change(id, "evidence", *(f"{verdict}, {grade or 'no evidence'}" for grade in grades))
        elif past.get("corrected") != claim.get("corrected"):
            texts = (past.get("corrected"), claim.get("corrected"))
            yield Change(id, "correction", *(text or "no correction" for text in texts))


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
    return {"schema": report["schema"], "claims": list(map(_compared, report["claims"]))}


def _compared(claim: Json) -> Json:
    return {key: claim.get(key) for key in COMPARED}
