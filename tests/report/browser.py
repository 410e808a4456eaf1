"""Debian's Chromium, driven over its own protocol: no download of a browser, no network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = (
    "these tests drive a real browser and found none: install Debian's package `chromium` "
    f"(`apt-get install chromium`), or put one of {', '.join(NAMES)} on the PATH"
)
# As root in a container there is no sandbox; the others keep the browser from calling home.
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

# Formulas that came packed are in their places.
TYPESET = "!document.getElementById('formulas')?.textContent || 'typeset' in document.documentElement.dataset"


@contextmanager
def chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise RuntimeError(MISSING)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Reader:
    """One page from disk, with the network off; whatever it complains of or asks for is kept."""

    def __init__(self, browser: Browser, scheme: str = "light", width: int = 1280) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.context = browser.new_context(
            offline=True,
            color_scheme=scheme,  # type: ignore[arg-type]
            viewport={"width": width, "height": 900},
            reduced_motion="reduce",
        )
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path: Path, anchor: str = "") -> Page:
        self.page.goto(path.as_uri() + anchor)
        self.page.wait_for_function(TYPESET)
        return self.page

    @property
    def outside(self) -> list[str]:
        return [url for url in self.requests if not url.startswith("file:")]
