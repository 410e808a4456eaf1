"""What is kept and sent: one file per document, a summary for a review form, LaTeX to paste."""

import re
from pathlib import Path

import pytest

from tests.report.examples import example_claims, example_run
from verifier.claim.model import Claim
from verifier.judge.verdict import StepVerdict, Verdict
from verifier.read.specs.load import load_text
from verifier.report.correction import to_paste
from verifier.report.html import write_report


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keep")
    write_report(example_run(), path, single=True)
    return path


def test_one_file_holds_a_whole_document(folder: Path) -> None:
    (path,) = folder.glob("A-toy-write-up-*.html")
    text = path.read_text("utf-8")
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    targets = {link[1:] for link in re.findall(r'href="([^"]+)"', text)}
    assert targets <= set(ids), "every link leads into the file itself"
    assert text.count('<article class="one"') == 6
    assert "16/9 is false" in re.sub("<[^>]+>", "", text)
    assert "verify toy.yaml --explain 'toy/moments#mean-row' --seed 7" in text.replace("&#39;", "'")
    assert "toy/deep" not in text


def test_without_the_option_there_is_none(tmp_path: Path) -> None:
    write_report(example_run(), tmp_path)
    assert {path.name for path in tmp_path.glob("*.html")} == {"index.html", "rules.html"}


def test_a_review_says_what_is_wrong_and_nothing_of_what_is_right(folder: Path) -> None:
    (path,) = folder.glob("review-A-toy-write-up-*.md")
    text = path.read_text("utf-8")
    assert text.startswith("## A toy write-up")
    assert "Of 6 statements 1 holds, 2 are false" in text
    assert text.index("### False as stated") < text.index("### True, but can be improved")
    assert "correct is: `d·n·‖x̄‖²`" in text
    assert "Second moment" not in text.partition("###")[2]


SPEC = """
theorem: toy/paste
symbols: {x: real, n: dimension}
claims:
  equal: {says: x * n == n**2}
  range: {says: "x in [0, 1]"}
  growth: {says: n**2 <= O(n), as: n -> oo}
"""


def step_of(claim: Claim, **fields: str) -> StepVerdict:
    step = claim.steps[0]
    return StepVerdict(step.fact, step.text, step.position, "fails", "proved", "", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "fields", "latex"),
    [
        ("equal", {"corrected": "n**3"}, r"x n = n^{3}"),
        ("range", {"corrected": "[-1, 2]"}, r"x \in [-1, 2]"),
        ("growth", {"corrected": "O(n**2)"}, r"n^{2}"),
        ("growth", {"instead": "n**2 <= O(n**2)"}, r"n^{2}"),
    ],
)
def test_a_correction_is_the_whole_relation_in_latex(name: str, fields: dict[str, str], latex: str) -> None:
    claims = {claim.id.partition("#")[2]: claim for claim in load_text(SPEC, "paste.yaml").claims}
    told = to_paste(claims[name], step_of(claims[name], **fields))
    assert told is not None
    bare, asked = (re.sub(r"[\s{}]|\\(,|left|right|!|;)", "", text) for text in (told, latex))
    assert asked in bare


@pytest.mark.parametrize("fields", [{}, {"corrected": "n +"}, {"corrected": "unknown"}, {"instead": "n"}])
def test_without_a_correction_there_is_nothing_to_paste(fields: dict[str, str]) -> None:
    claim = example_claims()["triangle"]
    assert to_paste(claim, step_of(claim, **fields)) is None


def test_pages_offer_it(folder: Path) -> None:
    item = next(item for item in example_run().verdicts if item.id.endswith("#mean-row"))
    assert isinstance(item, Verdict)
    latex = to_paste(item.claim, item.steps[0])
    assert latex is not None
    (page,) = (folder / "claims").glob("*-mean-row-*.html")
    assert "LaTeX of the correction, to paste" in page.read_text("utf-8")
    (path,) = (folder / "claims").glob("*-second-moment-*.html")
    assert "to paste" not in path.read_text("utf-8")
