"""The page about sentences tells the truth: each row of its tables is read, or refused, as it says."""

import re
from pathlib import Path

import pytest

from tests.read.prose.sentences import is_refused, read

PAGE = (Path(__file__).parents[3] / "docs" / "prose.md").read_text(encoding="utf-8")
CELLS = re.compile(r"(?<!\\) \| ")
ROWS = [CELLS.split(row.strip("| ")) for row in PAGE.splitlines() if row.startswith("| ")]
READ = [(text, says.strip("`")) for text, says in ROWS if says.startswith("`")]
REFUSED = [text for text, says in ROWS if not says.startswith(("`", "---", "read as", "why"))]


def test_both_tables_are_there() -> None:
    assert len(READ) > 12
    assert len(REFUSED) > 7


@pytest.mark.parametrize(("text", "says"), READ)
def test_rows_that_are_read(text: str, says: str) -> None:
    assert says in read(text)


@pytest.mark.parametrize("text", REFUSED)
def test_rows_that_are_refused(text: str) -> None:
    assert is_refused(text)
