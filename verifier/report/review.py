"""What a referee pastes into a review form: one text of Markdown for each paper."""

from collections.abc import Iterator

from verifier.expr.unseen import seen
from verifier.report.front import Document
from verifier.report.markdown import code, text
from verifier.report.rows import Row

# Verdicts that a referee speaks of, and what stands above them.
TOLD = {
    "fails": "False as stated",
    "loose": "True, but can be improved",
    "inconclusive": "Not decided",
    "unrefuted": "Neither proved nor broken",
    "error": "Could not be judged",
}


def to_review(document: Document) -> str:
    """The summary, then statement by statement what is wrong with it, in the paper's order."""
    return seen("\n".join(_lines(document))) + "\n"


def _lines(document: Document) -> Iterator[str]:
    yield f"## {text(document.title)}"
    if document.authors:
        yield f"\n{text(', '.join(document.authors))}"
    yield f"\n{text(document.summary)}"
    if document.important:
        names = "; ".join(text(row.name) for row in document.important)
        yield f"\nTo be read first: {names}."
    for verdict, title in TOLD.items():
        found = [
            (group.locator, row) for group in document.groups for row in group.rows if row.verdict == verdict
        ]
        if found:
            yield f"\n### {title}\n"
            for locator, row in found:
                yield from _row(locator, row)


def _row(locator: str | None, row: Row) -> Iterator[str]:
    place = f" ({text(locator)})" if locator else ""
    sure = (
        ", with a proof that the kernel checked"
        if row.is_checked
        else f", {row.evidence}"
        if row.evidence
        else ""
    )
    yield f"- **{text(row.name)}**{place}: {row.verdict}{sure}"
    if row.statement:
        yield f"  - claimed: {code(row.statement)}"
    if row.finding is not None:
        yield f"  - {row.finding[0]}: {code(row.finding[1])}"
    elif row.reason:
        yield f"  - {text(row.reason)}"
