"""Worked lines: formulas typeset, matrices whole, words left alone."""

import re

import pytest

from tests.report.examples import example_claims
from verifier.report.worked import worked_line

CLAIM = example_claims()["mean-row"]


def matrices(line: str) -> list[list[list[str]]]:
    """The entries of every matrix that the line is shown with, as text."""
    tables = re.findall(r"<mtable>(.*?)</mtable>", worked_line(CLAIM, line))
    rows = [re.findall(r"<mtr>(.*?)</mtr>", table) for table in tables]
    cells = [[re.findall(r"<mtd>(.*?)</mtd>", row) for row in table] for table in rows]
    return [[[re.sub("<[^>]+>", "", cell) for cell in row] for row in table] for table in cells]


def text(line: str) -> str:
    return re.sub(r"<[^>]+>", "", worked_line(CLAIM, line))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("X = [[1, 2], [3, -1]]", [[["1", "2"], ["3", "−1"]]]),
        ("with n = 2, X = [[1], [0]] for every s > 0 that is small: 1 against 2", [[["1"], ["0"]]]),
        ("X = [[2], [-1]], W = [[-1]] at entry [2, 1], for every s > 0: 1", [[["2"], ["−1"]], [["−1"]]]),
        ("A = [[exp(-1), 1/2]]", [[["exp\u2061(−1)", "1/2"]]]),
        ("a line about [1, 2] and nothing else", []),
        ("X = [[1, 2], 3]", []),
    ],
)
def test_a_matrix_is_whole_and_ends_where_it_ends(line: str, expected: list[list[list[str]]]) -> None:
    assert matrices(line) == expected
    assert "]]" not in text(line) or not expected


def test_words_stay_words() -> None:
    line = "with n = 2, sigma = s, X = [[1]] for every s > 0 that is small enough: 1 + s**2 + ... against 1"
    shown = worked_line(CLAIM, line)
    assert re.search(r" for every <.*s.*&gt;.*0.*> that is small enough: ", shown)
    assert " + ⋯ against " in shown
    assert "<msup><mi>s</mi><mn>2</mn></msup>" in shown
    assert (
        worked_line(CLAIM, "i and j stand for every index from 2 on")
        == "i and j stand for every index from 2 on"
    )


def test_a_sentence_that_ends_in_an_equation_stays_one() -> None:
    shown = worked_line(CLAIM, "It comes closest at n = 1, d = about 2")
    assert "<code>" not in shown
    assert shown.startswith("It comes closest at <")
    assert text("the limit of n/d as n -> oo is oo") == "the limit of nd as n → ∞ is ∞"


def test_what_is_false_is_said_with_signs() -> None:
    assert text("8/9 == 16/9 is false") == "8/9 = 16/9 is false"


@pytest.mark.parametrize(
    "line", ["a = <b>", "with <i> = [[<b>]], x: <u>", "[[", "]] = [", "<a> == <b> is false", "x"]
)
def test_markup_in_a_line_is_text(line: str) -> None:
    assert not re.search(r"<[abiu]>", str(worked_line(CLAIM, line)).replace("<b>left", ""))
