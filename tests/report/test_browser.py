"""The pages in a real browser: from disk, with the network off, in both colour schemes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.report.browser import Reader, chromium
from tests.report.examples import example_run
from verifier.judge.verdict import Run, Verdict
from verifier.read.specs.load import load_text
from verifier.report import html
from verifier.report.html import write_report
from verifier.report.rows import anchor, name_of, slug


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report that was written twice, so that it tells what changed."""
    folder = tmp_path_factory.mktemp("report")
    run = example_run()
    before = tuple(
        replace(item, verdict="holds") if isinstance(item, Verdict) else item for item in run.verdicts
    )
    write_report(replace(run, verdicts=before[:1]), folder)
    write_report(run, folder, single=True)
    return folder


def page(report: Path, name: str) -> Path:
    (found,) = (report / "claims").glob(f"*-{name}-????????.html")
    return found


@pytest.mark.parametrize(
    ("scheme", "width", "names"),
    [
        ("light", 1280, ("mean-row", "triangle", "misspelt", "second-moment")),
        ("dark", 390, ("mean-row", "proof", "growth")),
        ("light", 390, ()),
        ("dark", 1280, ()),
    ],
)
def test_pages_are_silent_accessible_and_fit(
    browser: Browser, report: Path, scheme: str, width: int, names: tuple[str, ...]
) -> None:
    reader = Reader(browser, scheme, width)
    (single,) = report.glob("A-toy-write-up-*.html")
    for path in (report / "index.html", single, *(page(report, name) for name in names)):
        opened = reader.open(path)
        opened.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        opened.wait_for_timeout(50)
        found = Axe().run(opened)
        assert found.violations_count == 0, f"{path.name}: {found.generate_report()}"
        sizes = opened.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert sizes[0] <= sizes[1], f"{path.name} is wider than the window"
    assert reader.complaints == []
    assert reader.outside == []


def test_both_schemes_are_drawn(browser: Browser, report: Path) -> None:
    shades = {}
    for scheme in ("light", "dark"):
        opened = Reader(browser, scheme).open(page(report, "mean-row"))
        shades[scheme] = opened.evaluate(
            "[getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(document.querySelector('figure svg')).color]"
        )
    (paper, ink), (dark_paper, dark_ink) = shades["light"], shades["dark"]
    assert paper != dark_paper
    assert ink != dark_ink


def test_filters(browser: Browser, report: Path) -> None:
    reader = Reader(browser)
    opened = reader.open(report / "index.html")
    shown = opened.locator(".claims tr[data-verdict]:visible")
    every = shown.count()
    assert every == len(example_run().verdicts)
    opened.get_by_label("Verdict").select_option("fails")
    assert shown.count() == 2
    assert opened.locator("#filters output").inner_text() == f"2 of {every} shown"
    opened.get_by_label("Text").fill("mean-row")
    assert shown.count() == 1
    address = opened.url
    assert "verdict=fails" in address
    assert "text=mean-row" in address

    linked = Reader(browser).open(report / "index.html", "#" + address.partition("#")[2])
    assert linked.locator(".claims tr[data-verdict]:visible").count() == 1
    opened.get_by_label("Verdict").select_option("")
    opened.get_by_label("Text").fill("")
    opened.get_by_label("Evidence").select_option("certified")
    assert shown.count() == 1
    opened.get_by_label("Evidence").select_option("")
    opened.get_by_label("Document").select_option("toy")
    assert shown.count() == 1
    opened.get_by_label("Document").select_option("")
    opened.get_by_role("checkbox", name="changed").check()
    assert 0 < shown.count() <= every
    opened.get_by_role("link", name="false as stated").click()
    expect(shown).to_have_count(2)  # the page hears of its new address a moment later
    assert reader.complaints == []


def test_every_link_leads_somewhere_and_back(browser: Browser, report: Path) -> None:
    reader = Reader(browser)
    for item in example_run().verdicts:
        opened = reader.open(report / "index.html")
        row = opened.locator(f"[id='{anchor(item.id)}']")
        row.get_by_role("link").click()
        assert opened.url.endswith(f"claims/{slug(item.id)}.html")
        assert opened.title().startswith(f"{item.verdict}: {name_of(item)} – ")
        opened.get_by_role("link", name="All claims").click()
        assert opened.url.endswith(f"index.html#{anchor(item.id)}")
    assert reader.complaints == []
    assert reader.outside == []


def test_folding_by_keyboard(browser: Browser, report: Path) -> None:
    opened = Reader(browser).open(page(report, "mean-row"))
    folded = opened.locator("details.derivation")
    summary = folded.locator("summary")
    assert not folded.locator("table").is_visible()
    summary.focus()
    opened.keyboard.press("Enter")
    assert folded.locator("table").is_visible()
    assert "pairings" in folded.inner_text()
    opened.keyboard.press("Enter")
    assert not folded.locator("table").is_visible()


def test_print_shows_no_controls(browser: Browser, report: Path) -> None:
    opened = Reader(browser).open(report / "index.html")
    opened.emulate_media(media="print")
    assert not opened.locator("#filters").is_visible()
    assert opened.locator(".claims").first.is_visible()
    assert len(opened.pdf(format="A4")) > 10_000


def test_what_is_folded_is_printed_and_nothing_runs_off_the_paper(browser: Browser, report: Path) -> None:
    reader = Reader(browser, width=680)
    reader.page.emulate_media(media="print")
    (single,) = report.glob("A-toy-write-up-*.html")
    for path in (report / "index.html", single, page(report, "mean-row"), page(report, "proof")):
        opened = reader.open(path)
        folded = opened.locator("details:not([open])")
        hidden = [at for at in range(folded.count()) if folded.nth(at).bounding_box()["height"] < 40]  # type: ignore[index]
        assert hidden == [], f"{path.name}: closed on paper"
        ends = "[...document.querySelectorAll('main *')].map(part => part.getBoundingClientRect().right)"
        furthest = opened.evaluate(f"Math.max(...{ends})")
        assert furthest <= 681, f"{path.name} runs off the paper"


def test_a_long_formula_wraps_or_says_that_more_is_hidden(browser: Browser, tmp_path: Path) -> None:
    run = example_run()
    terms = " + ".join(f"norm(X)**{k} * norm(Y)**{k}" for k in range(2, 12))
    spec = f"""
theorem: toy/long
symbols: {{n: dimension, d: dimension, X: "matrix(n, d)", Y: "matrix(n, d)"}}
claims:
  sum: {{says: norm(X) <= {terms}}}
  root: {{says: norm(X) <= sqrt({terms})}}
"""
    first = run.verdicts[0]
    assert isinstance(first, Verdict)
    for claim in load_text(spec, "long.yaml").claims:
        step = replace(first.steps[0], fact=claim.steps[0].fact)
        write_report(replace(run, verdicts=(replace(first, claim=claim, steps=(step,)),)), tmp_path)
        reader = Reader(browser, width=400)
        opened = reader.open(page(tmp_path, claim.id.partition("#")[2]))
        sizes = opened.locator("#statement + .display").evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert sizes[0] <= sizes[1], "broken between terms"
        shaded = opened.locator("#statement + .display").evaluate("e => getComputedStyle(e).backgroundImage")
        assert shaded.count("linear-gradient") == 4


def test_every_statement_is_typeset_and_in_letters_without_a_script(browser: Browser, report: Path) -> None:
    (single,) = report.glob("A-toy-write-up-*.html")
    silent = browser.new_context(java_script_enabled=False, offline=True).new_page()
    for path in (report / "index.html", single):
        opened = Reader(browser).open(path)
        places = opened.locator("[data-f]")
        assert places.count() == opened.locator("[data-f] > math, [data-f] > svg").count() > 4
        assert opened.locator(".claims .says:has(math)").count() >= 4
        silent.goto(path.as_uri())
        letters = silent.locator("[data-f]").all_text_contents()
        assert len(letters) == places.count()
        assert all(words.strip() for words in letters)
        assert any("𝔼" in words for words in letters)
        assert silent.locator("math").count() == 0


def test_a_thousand_claims_are_filtered_at_once(browser: Browser, tmp_path: Path) -> None:
    run = example_run()
    first = run.verdicts[0]
    assert isinstance(first, Verdict)
    many = tuple(
        replace(first, claim=replace(first.claim, id=f"toy/theorem-{at // 10}#claim-{at}"))
        for at in range(1000)
    )
    front = write_front(replace(run, verdicts=many), tmp_path)
    assert front.stat().st_size < 500_000
    opened = Reader(browser).open(front)
    milliseconds = opened.evaluate(
        """() => {
            const field = document.querySelector("#filters [name=text]");
            const start = performance.now();
            field.value = "claim-99";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            document.body.getBoundingClientRect();
            return performance.now() - start;
        }"""
    )
    assert opened.locator(".claims tr[data-verdict]:visible").count() == 11
    assert milliseconds < 1000


def write_front(run: Run, folder: Path) -> Path:
    """The front page alone."""
    from verifier.report.front import front_page
    from verifier.report.html import render
    from verifier.report.packed import packed

    path = folder / "index.html"
    path.write_text("".join(packed([render("index.html.j2", front=front_page(run), run=run)])), "utf-8")
    return path


def test_a_document_that_would_be_heavy_is_light_and_whole(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = example_run()
    sizes = []
    for most in (html.HEAVY, 0):
        monkeypatch.setattr(html, "HEAVY", most)
        write_report(run, tmp_path, single=True)
        (single,) = tmp_path.glob("A-toy-write-up-*.html")
        sizes.append(single.stat().st_size)
    assert sizes[1] < sizes[0]
    reader = Reader(browser)
    opened = reader.open(single)
    shown = opened.locator("article.one")
    assert shown.count() == opened.locator("article.one:has(code)").count() > 4
    assert opened.locator("article.one:has(math)").count() > 4
    ids = opened.evaluate("[...document.querySelectorAll('[id]')].map(item => item.id)")
    assert len(ids) == len(set(ids))
    assert reader.complaints == []
    silent = browser.new_context(java_script_enabled=False, offline=True).new_page()
    silent.goto(single.as_uri())
    assert silent.get_by_text("the table above tells of each").is_visible()
    assert not opened.get_by_text("the table above tells of each").is_visible()
    assert silent.locator("article.one h3").count() == shown.count()
