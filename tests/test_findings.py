"""The audits name claims that exist, and that end as their section says; the counts add up."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from verifier.claim.model import Claim
from verifier.read.specs.load import load_paths

ROOT = Path(__file__).parents[1]
AUDITS = sorted((ROOT / "docs" / "findings").glob("*.md"))
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"`([^`\s]*#[^`\s]+)`")
ENDS = {"## Wrong": "fails", "## Loose": "loose", "## Holds though it looks doubtful": "holds"}


@cache
def corpus() -> tuple[Claim, ...]:
    return load_paths([ROOT / "claims"]).claims


def named(text: str) -> Iterator[str]:
    """`theorem#claim`, and `#claim` of the theorem before it."""
    theorem = ""
    for span in NAME.findall(text):
        theorem = span.partition("#")[0] or theorem
        yield f"{theorem}#{span.partition('#')[2]}"


def sections(audit: Path) -> Iterator[tuple[str, str]]:
    """Each paragraph with the heading that it stands under."""
    heading = ""
    for paragraph in re.split(r"\n\s*\n", BLOCK.sub("", audit.read_text(encoding="utf-8"))):
        if paragraph.startswith("#"):
            heading = paragraph.splitlines()[0]
        yield heading, paragraph


def matching(claims: tuple[Claim, ...], name: str) -> list[Claim]:
    """The claims that a name means: all values of `each`, where it gives none."""
    return [c for c in claims if name in (c.id, c.id.partition("[")[0]) or fnmatchcase(c.id, name)]


@pytest.mark.parametrize("audit", AUDITS, ids=lambda path: path.stem)
def test_every_claim_that_is_named_exists(audit: Path) -> None:
    own = load_paths([audit]).claims
    missing = [
        name
        for _, paragraph in sections(audit)
        for name in named(paragraph)
        if not matching(corpus(), f"{audit.stem}/{name}") and not matching(own, f"{audit.stem}-{name}")
    ]
    assert missing == []


@pytest.mark.parametrize("audit", AUDITS, ids=lambda path: path.stem)
def test_what_a_finding_rests_on_ends_as_its_section_says(audit: Path) -> None:
    wrong = []
    for heading, paragraph in sections(audit):
        first = re.match(r"\*\*.*?\*\*\s*\(([^)]*)\)", paragraph, re.DOTALL)
        for name in named(first[1]) if first is not None and heading in ENDS else ():
            for claim in matching(corpus(), f"{audit.stem}/{name}"):
                if ENDS[heading] not in (claim.expect or ("holds",)):
                    wrong.append((claim.id, claim.expect))
    assert wrong == []


def test_the_short_version_names_claims_and_counts_them() -> None:
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    ids = {claim.id.partition("[")[0] for claim in corpus()}
    assert [name for name in named(text) if name not in ids] == []
    counts = [
        [int(x) for x in row] for row in re.findall(r"\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", text)
    ]
    *documents, whole = counts
    assert whole == [sum(column) for column in zip(*documents, strict=True)]
    assert all(row[0] == sum(row[1:]) for row in counts)
    sizes = sorted(sum(c.id.startswith(f"{audit.stem}/") for c in corpus()) for audit in AUDITS)
    assert sorted(row[0] for row in documents) == sizes
