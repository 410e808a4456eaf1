"""A reader asks five things of every page: what was claimed, what is true, why, how sure, how to repeat
it."""

import re
from dataclasses import replace
from html import unescape

import pytest

from tests.report.examples import example_run
from verifier import load_text, verify
from verifier.judge.verdict import Run, Verdict
from verifier.report.html import write_report

SPEC = """
theorem: toy/kinds
source: {document: "A toy write-up"}
symbols: {n: dimension, x: real, X: "matrix(n, n)"}
claims:
  holds: {says: norm(X)**2 == tr(X.T @ X)}
  loose: {says: abs(sin(x)) <= 2}
  fails: {says: x**2 >= x}
  error: {says: norm(Y) >= 0}
"""
KINDS = ("holds", "loose", "fails", "unrefuted", "inconclusive", "error")


def _runs() -> Run:
    """One page of every kind: judged where that is quick, made up where nothing is decided."""
    judged = verify(load_text(SPEC, "kinds.yaml"))
    (example,) = (item for item in example_run().verdicts if item.id.endswith("#growth"))
    assert isinstance(example, Verdict)
    step = replace(example.steps[0], verdict="unrefuted")
    open_one = replace(
        example, claim=replace(example.claim, id="toy/kinds#open"), verdict="unrefuted", steps=(step,)
    )
    return replace(
        judged, command="verify kinds.yaml --seed 7", verdicts=(*judged.verdicts, example, open_one)
    )


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder, run = tmp_path_factory.mktemp("kinds"), _runs()
    write_report(run, folder)
    found = {}
    for item in run.verdicts:
        (path,) = (folder / "claims").glob(f"*-{item.id.partition('#')[2]}-????????.html")
        found[item.verdict] = path.read_text("utf-8")
    return found


def section(page: str, name: str) -> str:
    """The words of a section."""
    found = re.search(rf'<section[^>]* aria-labelledby="{name}">.*?</section>', page, re.DOTALL)
    assert found is not None, f"no section {name}"
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


def test_there_is_a_page_of_every_kind(pages: dict[str, str]) -> None:
    assert set(pages) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_claimed(pages: dict[str, str], kind: str) -> None:
    words = section(pages[kind], "statement")
    if kind == "error":
        assert "norm(Y) >= 0" in words
    else:
        assert "<math>" in pages[kind]
        assert "We read this as:" in words


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("holds", "True as stated"),
        ("loose", "True, but"),
        ("fails", "False as stated: at x = 1/2 the left side is 1/4 and the right side is 1/2"),
        ("unrefuted", "Neither proved nor broken"),
        ("inconclusive", "Not decided"),
        ("error", "The claim could not be read."),
    ],
)
def test_what_is_true(pages: dict[str, str], kind: str, words: str) -> None:
    assert words in section(pages[kind], "verdict")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("holds", "Why it is true The kernel checked this proof."),
        ("loose", "Why it is true The kernel checked this proof."),
        ("fails", "There the relation reads 1/4 ≥ 1/2, and that is false."),
        ("unrefuted", "Why it is open Nothing decides it. What was tried, and what is missing:"),
        ("inconclusive", "symbolic : no rule for spectral norms; missing: the expected spectral norm"),
    ],
)
def test_why(pages: dict[str, str], kind: str, words: str) -> None:
    assert words in section(pages[kind], "proof")


def test_why_a_claim_was_not_read(pages: dict[str, str]) -> None:
    words = section(pages["error"], "verdict")
    assert "Y" in words
    assert "kinds.yaml:9" in words.replace(" ", "")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("holds", "It rests on a proof that the kernel checked"),
        ("loose", "It rests on a proof that the kernel checked"),
        ("fails", "It rests on a proof that the kernel checked"),
        ("unrefuted", "Nothing is proved"),
        ("inconclusive", "Nothing is proved"),
        ("error", "Nothing was judged."),
    ],
)
def test_how_sure(pages: dict[str, str], kind: str, words: str) -> None:
    assert f"How sure: {words}" in section(pages[kind], "verdict")


@pytest.mark.parametrize("kind", KINDS)
def test_how_to_repeat_it(pages: dict[str, str], kind: str) -> None:
    (footer,) = re.findall(r"<footer>(.*?)</footer>", pages[kind], re.DOTALL)
    assert re.search(r"To repeat it: <code>verify \S+\.yaml --explain ", footer)
    assert "Seed" in footer
    assert "The run it was judged in: <code>verify kinds.yaml --seed 7</code>" in footer


@pytest.mark.parametrize("kind", KINDS)
def test_headings_speak_of_the_paper_and_not_of_names_in_files(pages: dict[str, str], kind: str) -> None:
    for heading in re.findall(r"<(?:h[1-4]|title)[^>]*>(.*?)</", pages[kind]):
        assert "#" not in heading
        assert "toy/" not in heading
