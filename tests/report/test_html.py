"""The pages: self-contained, well formed, escaped everywhere, readable in both colour schemes."""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.report.examples import example_run
from verifier.judge.verdict import Run, StepVerdict, Verdict
from verifier.read.specs.load import load_text
from verifier.report.compare import compare
from verifier.report.html import RULES, write_report
from verifier.report.json import to_json
from verifier.report.rows import slug

PAYLOAD = "<img src=x onerror=alert(1)>\"'&</script></style>{{1234*1234}}"
# Fields that hold one of a closed set of words, which the program chooses and no author writes.
CLOSED = {
    "about",
    "verdict",
    "evidence",
    "status",
    "truth",
    "grade",
    "severity",
    "expect",
    "op",
    "kind",
    "function",
    "family",
    "tightness",
}
VOID = {"meta", "br", "input", "mspace"}


class Page(HTMLParser):
    """Tags, attributes and text; balance is checked on the way."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.text = ""
        self.raw: dict[str, str] = {"style": "", "script": ""}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]] += data
        else:
            self.text += data


def poisoned(value: Any, name: str = "") -> Any:
    """The same value with the payload at the end of every text that an author or an engine writes."""
    if isinstance(value, str):
        return value if name in CLOSED else value + PAYLOAD
    if isinstance(value, tuple | list):
        return type(value)(poisoned(item, name) for item in value)
    if isinstance(value, Mapping):
        return {poisoned(key): poisoned(item) for key, item in value.items()}
    if is_dataclass(value):
        changes = {field.name: poisoned(getattr(value, field.name), field.name) for field in fields(value)}
        return replace(value, **changes)  # type: ignore[type-var]
    return value


ORDERED = """
theorem: paper/b
source: {document: P, locator: Lemma 2, order: 2}
symbols: {p: dimension, x: real}
claims:
  eq-6: {says: x == x}
  proof-of-eq-7: {says: x == x * p, each: {p: [2]}}
---
theorem: paper/c
source: {document: P, locator: Remark}
symbols: {x: real}
claims: {mean: {says: x == x, title: The mean}}
---
theorem: paper/a
source: {document: P, locator: Lemma 1, order: 1.5, title: A paper of <two>, authors: [Ann A., Bob B.]}
symbols: {x: real}
claims: {one: {says: x == x}}
---
theorem: other/a
source: {document: Q, title: Other}
symbols: {x: real}
claims: {one: {says: x == x}}
"""


def pages_of(spec: str, folder: Path) -> dict[str, str]:
    """Pages of claims that nobody judged."""
    verdicts = [
        Verdict(
            claim,
            "unrefuted",
            "searched",
            "",
            tuple(StepVerdict(s.fact, s.text, s.position, "unrefuted", "searched", "") for s in claim.steps),
        )
        for claim in load_text(spec, "paper.yaml").claims
    ]
    return render(Run(tuple(verdicts)), folder)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return render(example_run(), tmp_path_factory.mktemp("report"))


def render(run: Run, directory: Path, single: bool = False) -> dict[str, str]:
    write_report(run, directory, single=single)
    paths = [path for path in directory.rglob("*.html") if path.name != RULES]
    return {str(path.relative_to(directory)): path.read_text("utf-8") for path in paths}


def page_of(pages: dict[str, str], name: str) -> Page:
    (text,) = [text for path, text in pages.items() if f"-{name}-" in path]
    return Page(text)


def test_one_page_per_claim_and_a_front_page(pages: dict[str, str]) -> None:
    expected = {f"claims/{slug(item.id)}.html" for item in example_run().verdicts}
    assert set(pages) == expected | {"index.html"}
    links = {
        value for tag, name, value in Page(pages["index.html"]).attributes if (tag, name) == ("a", "href")
    }
    reviews = {f"review-{slug(name)}.md" for name in ("A toy write-up", "toy")}
    assert {link for link in links if link and not link.startswith("#")} == expected | reviews
    assert {"#main", "#verdict=fails", "#evidence=proved"} <= links


def test_no_page_makes_a_request(pages: dict[str, str]) -> None:
    for text in pages.values():
        page = Page(text)
        assert not page.tags & {"link", "img", "iframe", "object", "embed", "base"}
        for tag, name, value in page.attributes:
            assert name not in ("src", "srcset", "action")
            assert name != "href" or re.fullmatch(r"(\.\./)?[\w./#=-]+", value or "")
            assert name != "style"
            assert "url(" not in (value or "") or re.fullmatch(r"url\(#[\w-]+\)", value or "")
            assert not name.startswith("on"), (tag, name)
        assert "url(" not in page.raw["style"]
        assert "@import" not in page.raw["style"]
        policy = [
            value
            for _, name, value in page.attributes
            if name == "content" and "default-src" in (value or "")
        ]
        assert policy[0].startswith("default-src 'none'")
        assert "unsafe" not in policy[0]


def test_every_text_is_escaped(tmp_path: Path) -> None:
    run = poisoned(example_run())
    clean = [Page(text) for text in render(example_run(), tmp_path / "clean", single=True).values()]
    for text in render(run, tmp_path / "poisoned", single=True).values():
        page = Page(text)
        assert page.tags <= set().union(*(other.tags for other in clean))
        assert not any(name.startswith("on") for _, name, _ in page.attributes)
        assert "1522756" not in page.text
        assert "<img src=x onerror=alert(1)>" in page.text
        assert page.raw["style"] in {other.raw["style"] for other in clean}


def test_verdicts_are_words_and_not_colour_alone(pages: dict[str, str]) -> None:
    for name, verdict, glyph in (
        ("mean-row", "fails", "✗"),
        ("triangle", "loose", "≈"),
        ("misspelt", "error", "!"),
    ):
        assert f"{glyph} {verdict}" in page_of(pages, name).text


def test_landmarks_and_headers(pages: dict[str, str]) -> None:
    for text in pages.values():
        page = Page(text)
        assert {"header", "main", "footer", "h1"} <= page.tags
        assert text.count("<h1>") == 1
        headers = list(re.findall(r"<th\b([^>]*)>", text))
        assert all("scope=" in attrs for attrs in headers)
        ids = re.findall(r'\bid="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r'aria-labelledby="([^"]+)"', text)) <= set(ids)


def test_a_claim_page_tells_everything(pages: dict[str, str]) -> None:
    text = page_of(pages, "mean-row").text
    for part in (
        "the left side is ",
        "False as stated: at the point below the left side is 8/9",
        "and the right side is 16/9 (proved in exact arithmetic).",
        "For every n, d ≥ 1",
        "Left side, and so the corrected right side",
        "Counterexample",
        "16/9 is false",
        "J = kron(A X, I)",
        "Average over",
        "Left side over right side as n grows; 1 is equality.",
        "The estimate and its interval as draws are added, at n = 2, d = 3.",
        "What the assumption costs as n grows",
        "4096",
        "The factor in front is off by n / d.",
        "The claim is false with and without it.",
        "verify toy.yaml --explain 'toy/moments#mean-row' --seed 7",
    ):
        assert part in text
    assert "\\mathbb{E}\\|Y\\|^2" in page_of(pages, "second-moment").text


def test_the_broken_step_is_marked(pages: dict[str, str]) -> None:
    (text,) = [text for path, text in pages.items() if "-proof-" in path]
    assert re.findall(r'<li class="(\w+)"', text)[:3] == ["holds", "fails", "holds"]
    assert "the first broken line" in text
    assert "Step 2 is false" in text
    assert "Both sides of step 2" in text
    assert "First against last" in text


def test_the_front_page_counts_and_keeps_the_papers_order(pages: dict[str, str]) -> None:
    page = Page(pages["index.html"])
    assert "7 claims judged" in page.text
    assert "4 not as expected" in page.text
    assert "verify toy.yaml --seed 7" in page.text
    assert "sympy 1.14" in page.text
    order = [value for _, name, value in page.attributes if name == "data-verdict"]
    assert order == ["holds", "fails", "loose", "inconclusive", "fails", "error", "holds"]
    assert {value for _, name, value in page.attributes if name == "data-document"} == {
        "A toy write-up",
        "toy",
    }
    assert "Of 6 statements 1 holds, 2 are false, 1 bound is true but loose, 1 could not be" in page.text


def test_theorems_stand_where_their_source_says(tmp_path: Path) -> None:
    text = pages_of(ORDERED, tmp_path)["index.html"].partition('id="filters"')[2].partition("</form>")[2]
    places = [text.index(words) for words in ("A paper of &lt;two", "Lemma 1", "Lemma 2", "Remark", "Other")]
    assert places == sorted(places)
    assert "Ann A., Bob B." in text
    assert ">paper/" not in text


def test_names_are_the_papers(tmp_path: Path) -> None:
    text = pages_of(ORDERED, tmp_path)["index.html"]
    for words in (">Eq. 6</a>", ">Proof of Eq. 7 (p = 2)</a>", ">The mean</a>"):
        assert words in text


def test_what_differs_is_marked(pages: dict[str, str]) -> None:
    (text,) = [text for path, text in pages.items() if "-mean-row-" in path]
    assert "<mark>d*</mark>n*norm(xbar)**2" in text
    assert "n<mark>**2</mark>*norm(xbar)**2" in text
    assert '<mi class="differs">d</mi>' in text


def test_a_picture_has_its_words_and_its_numbers(pages: dict[str, str]) -> None:
    for text in pages.values():
        labels = re.findall(r'<svg[^>]* aria-labelledby="([^"]+)"', text)
        titles = dict(re.findall(r'<title id="([^"]+)">([^<]+)</title>', text))
        graphs = {name for name in titles if name.endswith("-graph")}  # whose words are the list below
        labels = [name for name in labels if name not in graphs]
        titles = {name: words for name, words in titles.items() if name not in graphs}
        assert set(labels) == set(titles)
        captions = re.findall(r"<figcaption>([^<]+)</figcaption>", text)
        assert sorted(captions) == sorted(titles.values())
        assert text.count("The numbers</summary>") == len(labels)
    assert sum("<svg" in text for text in pages.values()) >= 3


def test_a_page_stays_small_whatever_was_found(tmp_path: Path) -> None:
    run = example_run()
    item = run.verdicts[1]
    step = item.steps[0]
    first, witness = step.findings
    many = tuple(first.derivation[at % 3] for at in range(30_000))
    crowded = (replace(first, derivation=many), replace(witness, samples=witness.samples * 20_000))
    big = replace(item, steps=(replace(step, findings=crowded),))
    pages = render(replace(run, verdicts=(big,)), tmp_path)
    assert max(len(text.encode()) for text in pages.values()) < 500_000
    assert "29600 more lines are in the JSON report." in "".join(pages.values())


def test_what_changed(tmp_path: Path) -> None:
    run = example_run()
    assert "What changed" not in render(run, tmp_path)["index.html"]
    better = replace(run.verdicts[1], verdict="holds")
    again = replace(run, verdicts=(run.verdicts[0], better, *run.verdicts[3:]))
    pages = render(again, tmp_path)
    front = Page(pages["index.html"]).text
    assert "fails → holds" in front
    assert "gone: was loose" in front
    assert not any("-triangle-" in path for path in pages)
    assert "Since the previous run: fails → holds." in page_of(pages, "mean-row").text
    changes = compare(to_json(run), to_json(run), "old.json")
    write_report(run, tmp_path, changes)
    assert "Against old.json: 0 of 7 claims have another verdict." in Page(
        (tmp_path / "index.html").read_text("utf-8")
    ).text.replace("\n", " ")


def test_an_empty_run_has_a_front_page(tmp_path: Path) -> None:
    assert "No claims were found." in render(Run(()), tmp_path)["index.html"]


def test_writing_is_atomic_and_repeatable(tmp_path: Path) -> None:
    render(example_run(), tmp_path)
    first = render(example_run(), tmp_path)
    assert render(example_run(), tmp_path) == first
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


@pytest.mark.parametrize(
    "claim_id", ["a/b#c", "../../etc/passwd#x", "a/b#c[p=1]", "ü/" + "x" * 500 + "#y", "A/b#c"]
)
def test_slugs_are_safe_file_names(claim_id: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9.-]{1,100}", slug(claim_id))
    assert ".." not in slug(claim_id)
    assert slug(claim_id) == slug(claim_id) != slug(claim_id + "x")


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_has_contrast_aa(scheme: int) -> None:
    style = (files("verifier.report") / "templates" / "style.css").read_text("utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, re.S)[:2]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[scheme]))
    verdicts = ["holds", "loose", "fails", "unrefuted", "inconclusive", "error"]
    pairs = [(name, f"{name}-wash") for name in verdicts] + [(name, "card") for name in verdicts]
    pairs += [(ink, paper) for ink in ("ink", "quiet", "link") for paper in ("page", "card", "code")]
    pairs += [("ink", "fails-wash"), ("quiet", "fails-wash"), ("ink", "mark")]
    pairs += [("picture-a", "page"), ("picture-b", "page")]
    for ink, paper in pairs:
        low, high = sorted([luminance(colours[ink]), luminance(colours[paper])])
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, paper)


def test_coverage_is_shown_with_what_has_no_claim(tmp_path: Path) -> None:
    missing = [{"file": "paper.tex", "line": 7, "name": "Theorem <2>"}]
    coverage = {"total": 3, "covered": 2, "percent": 66.7, "missing": missing}
    page = write_report(example_run(), tmp_path, coverage=coverage).read_text(encoding="utf-8")
    assert "2 of 3 theorems and numbered equations" in page
    assert "Theorem &lt;2&gt;" in page
    assert "paper.tex:7" in page
