"""The folder of claims loads, and its table of coverage is true."""

import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from tests.read.specs.marks import problems_of
from verifier.read.specs.load import load_paths
from verifier.read.specs.loaded import Loaded

FOLDER = Path(__file__).parents[1] / "claims"
SECTION = re.compile(r"^## `([^`]+)`", re.MULTILINE)


@cache
def loaded() -> Loaded:
    return load_paths([FOLDER])


def test_every_claim_loads() -> None:
    assert [str(problem) for problem in problems_of(loaded())] == []
    assert len(loaded().claims) > 100


def mentioned() -> list[str]:
    """Every claim that the tables name, as document/theorem#slug with * for any part."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    found = []
    for document, body in zip(SECTION.findall(text), SECTION.split(text)[2::2], strict=True):
        for row in re.findall(r"^\|.*\|$", body, re.MULTILINE):
            theorem = ""
            for span in re.findall(r"`([^`\s]*#[^`\s]+)`", row):
                theorem = span.partition("#")[0] or theorem
                found.append(f"{document}/{theorem}#{span.partition('#')[2]}")
    return found


def test_the_table_names_only_claims_that_exist() -> None:
    ids = {claim.id.partition("[")[0] for claim in loaded().claims}
    missing = [name for name in mentioned() if not any(fnmatchcase(found, name) for found in ids)]
    assert missing == []


def test_the_table_leaves_no_claim_out() -> None:
    ids = {claim.id.partition("[")[0] for claim in loaded().claims}
    names = mentioned()
    assert sorted(found for found in ids if not any(fnmatchcase(found, name) for name in names)) == []


def test_an_expected_verdict_is_explained() -> None:
    """A claim that is known to fail, or to be loose, says why next to the verdict."""
    assert [claim.id for claim in loaded().claims if claim.expect is not None and not claim.note] == []
